"""Naive reference of askfew: every algorithm exactly as its paper prints it, on dense vectors."""

import os

# Before numpy is loaded: its matrices are small here, and threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
