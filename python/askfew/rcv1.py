"""The first stories of RCV1-v2 as svmlight text with topics, from the files of scikit-learn's `fetch_rcv1`.

    python -m askfew.rcv1 data/rcv1/rcv1_40000.svm.gz [--stories 40000] [--data-home FOLDER] [--download]

The ids of stories ascend in time. Each line has the topics of a story, by their place in `target_names` from 0, and its
features, numbered from 1.
`askfew reproduce cbgz-2006` takes the file data/rcv1/rcv1_40000.svm.gz as the stories of the paper.
"""

from __future__ import annotations

import argparse
import gzip
import os
import pathlib
import sys
from typing import Any

from .errors import AskfewError, DataError, FileError

STORIES = 40_000


def fetched(data_home: str | None, download: bool) -> Any:
    """The object of `sklearn.datasets.fetch_rcv1`. scikit-learn keeps pickles: read them only from a folder that you trust."""
    try:
        from sklearn.datasets import fetch_rcv1
    except ImportError:
        raise FileError("this needs scikit-learn: pip install scikit-learn") from None
    try:
        return fetch_rcv1(data_home=data_home, download_if_missing=download)
    except OSError as error:
        raise FileError(f"scikit-learn has no RCV1 ({error}): --download fetches it, about 650 MB") from None


def write(rcv1: Any, output: str | os.PathLike[str], stories: int = STORIES) -> int:
    """Writes the first stories in the order of their ids, and returns their number. The file appears only when it is whole."""
    if stories < 1:
        raise DataError(f"the number of stories is at least 1, not {stories}")
    data, target = rcv1.data.tocsr(), rcv1.target.tocsr()
    if not data.shape[0] == target.shape[0] == len(rcv1.sample_id):
        counts = f"{data.shape[0]} stories, {target.shape[0]} rows of topics and {len(rcv1.sample_id)} ids"
        raise DataError(f"{counts} do not fit together")
    order = sorted(range(data.shape[0]), key=lambda row: int(rcv1.sample_id[row]))[:stories]
    path = pathlib.Path(output)
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(part, "wt", compresslevel=6) if path.suffix == ".gz" else open(part, "w") as file:
            for row in order:
                topics = target.indices[target.indptr[row] : target.indptr[row + 1]]
                begin, end = data.indptr[row], data.indptr[row + 1]
                features = sorted(zip(data.indices[begin:end], data.data[begin:end], strict=True))
                words = " ".join(f"{index + 1}:{value:.9g}" for index, value in features)
                file.write(f"{','.join(map(str, sorted(topics)))} {words}\n")
        os.replace(part, path)
    except OSError as error:
        raise FileError(f"{path}: cannot write: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
    return len(order)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m askfew.rcv1", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", help="the file to write, compressed if its name ends in .gz")
    parser.add_argument("--stories", type=int, default=STORIES, help="the first stories in time (default: %(default)s)")
    parser.add_argument("--data-home", help="scikit-learn's folder of data sets (default: its own)")
    parser.add_argument("--download", action="store_true", help="let scikit-learn fetch RCV1 if it is not there")
    given = parser.parse_args(arguments)
    try:
        count = write(fetched(given.data_home, given.download), given.output, given.stories)
    except AskfewError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{given.output}: {count:,} stories")
    return 0


if __name__ == "__main__":
    sys.exit(main())
