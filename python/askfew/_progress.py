"""Progress of long calls: a function of the caller, or a bar of tqdm."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

# Called with what is done and of how much, 0 while that is unknown; True: a bar on standard error, which needs tqdm.
Progress = Callable[[int, int], object] | bool


@contextlib.contextmanager
def shown(progress: Progress | None, what: str, unit: str) -> Iterator[Callable[[int, int], object] | None]:
    """What the engine calls to show its progress, or None."""
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        yield progress
        return
    from tqdm import tqdm

    with tqdm(desc=what, unit=f" {unit}", unit_scale=True) as bar:

        def show(done: int, of: int) -> None:
            bar.total = of or None
            bar.update(done - bar.n)

        yield show
