"""Naive reference of askfew: every algorithm exactly as its paper prints it, on dense vectors."""

import os

# Must come before numpy is loaded: the matrices are small, and threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
