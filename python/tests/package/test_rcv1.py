from __future__ import annotations

import gzip
import pathlib
from typing import Any

import pytest

from askfew import rcv1
from askfew.errors import DataError, FileError

np = pytest.importorskip("numpy")
sparse = pytest.importorskip("scipy.sparse")
joblib = pytest.importorskip("joblib")

IDS = [2286, 2288, 2287]  # the third story is the second in time
X = [[0.5, 0, 0.25], [0, 0, 1], [0, 0.125, 0]]
TOPICS = [[1, 0], [1, 1], [0, 1]]


def keep(home: pathlib.Path, ids: list[int] = IDS) -> None:
    """Files in the layout that scikit-learn keeps."""
    folder = home / "RCV1"
    folder.mkdir()
    joblib.dump(sparse.csr_matrix(X), folder / "samples_py3.pkl", compress=9)
    joblib.dump(np.array(ids, dtype=np.uint32), folder / "sample_id_py3.pkl", compress=9)
    joblib.dump(sparse.csr_matrix(TOPICS, dtype=np.uint8), folder / "sample_topics_py3.pkl", compress=9)
    joblib.dump(np.array(["C15", "GCAT"], dtype=object), folder / "topics_names_py3.pkl", compress=9)


def test_stories_are_written_in_the_order_of_their_ids(tmp_path: pathlib.Path, capsys: Any) -> None:
    keep(tmp_path)
    output = tmp_path / "data" / "rcv1_40000.svm.gz"
    assert rcv1.main([str(output), "--data-home", str(tmp_path), "--stories", "2"]) == 0
    assert gzip.decompress(output.read_bytes()).decode() == "0 1:0.5 3:0.25\n1 2:0.125\n"
    assert "2 stories" in capsys.readouterr().out
    assert [path.name for path in output.parent.iterdir()] == [output.name]


def test_a_plain_file_has_all_stories(tmp_path: pathlib.Path) -> None:
    keep(tmp_path)
    assert rcv1.write(rcv1.fetched(str(tmp_path), False), tmp_path / "all.svm") == 3
    assert (tmp_path / "all.svm").read_text().splitlines()[-1] == "0,1 3:1"


def test_ids_of_other_stories_are_refused(tmp_path: pathlib.Path) -> None:
    keep(tmp_path, [1, 2])
    with pytest.raises(DataError, match="3 stories, 3 rows of topics and 2 ids"):
        rcv1.write(rcv1.fetched(str(tmp_path), False), tmp_path / "x.svm")
    assert not (tmp_path / "x.svm").exists()


def test_a_missing_cache_says_what_to_do(tmp_path: pathlib.Path, capsys: Any) -> None:
    assert rcv1.main([str(tmp_path / "x.svm"), "--data-home", str(tmp_path)]) == 2
    assert "--download fetches it" in capsys.readouterr().err
    with pytest.raises(FileError):
        rcv1.fetched(str(tmp_path), False)
