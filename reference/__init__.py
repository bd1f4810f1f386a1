"""Naive reference of askfew: every algorithm exactly as its paper prints it, on dense vectors."""
