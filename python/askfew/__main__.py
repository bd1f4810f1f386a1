"""The command line: `python -m askfew` and the script `askfew` become the program."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import NoReturn

PROGRAM = pathlib.Path(__file__).with_name("bin") / "askfew"


def main() -> NoReturn:
    """Replaces this process with the program that the package brings."""
    os.execv(PROGRAM, ["askfew", *sys.argv[1:]])


if __name__ == "__main__":
    main()
