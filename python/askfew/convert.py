"""Labels to and from the files of labelling tools: Label Studio, doccano, Prodigy, and the JSON lines of askfew.

    python -m askfew.convert export.json labels.jsonl --to askfew
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import AskfewError, DataError, FileError

Json = dict[str, Any]


@dataclass
class Record:
    """A text and what a person said about it.

    labels: what was chosen, also nothing; None: nobody has answered. skipped: a person looked, and gave no answer.
    by: who answered. data: everything else that is known about the text.
    """

    text: str
    labels: tuple[str, ...] | None = None
    id: str | int | None = None
    by: str | None = None
    skipped: bool = False
    data: Json = field(default_factory=dict)


def _text(object: Mapping[str, Any], key: str) -> str:
    if not isinstance(object.get(key), str):
        raise DataError(f"no text in the key '{key}'")
    return object[key]  # type: ignore[no-any-return]


def _rest(object: Mapping[str, Any], *used: str) -> Json:
    return {name: value for name, value in object.items() if name not in used and not name.startswith("_")}


def _names(value: Any) -> tuple[str, ...]:
    if isinstance(value, (str, int)):
        return (str(value),)
    if isinstance(value, list) and all(isinstance(one, (str, int)) for one in value):
        return tuple(map(str, value))
    raise DataError(f"labels are names or lists of names, not {json.dumps(value)[:80]}")


def _from_askfew(object: Json, key: str) -> Iterator[Record]:
    given = object.get("labels", object.get("label"))
    yield Record(_text(object, key), None if given is None else _names(given), object.get("id"), object.get("by"),
                 data=_rest(object, key, "label", "labels", "id", "by"))


def _from_doccano(object: Json, key: str) -> Iterator[Record]:
    # doccano does not tell an empty answer from no answer.
    names = _names(object.get("label", object.get("labels", [])))
    yield Record(_text(object, key), names or None, object.get("id"), data=_rest(object, key, "label", "labels", "id"))


def _from_prodigy(object: Json, key: str) -> Iterator[Record]:
    answer, label = object.get("answer"), object.get("label")
    if answer not in (None, "accept", "reject", "ignore"):
        raise DataError(f"answer is accept, reject or ignore, not {answer!r}")
    chosen = _names(object.get("accept", [])) if "options" in object else _names(label) if label is not None else ()
    if "options" not in object and answer == "reject":
        chosen = ()
    known = answer == "accept" or (answer == "reject" and "options" not in object)
    by = object.get("_annotator_id") or object.get("_session_id")
    yield Record(_text(object, key), chosen if known else None, object.get("id", object.get("meta", {}).get("id")), by,
                 skipped=answer is not None and not known,
                 data=_rest(object, key, "options", "accept", "answer", "label", "id", "meta"))


def _from_label_studio(task: Json, key: str) -> Iterator[Record]:
    data = task.get("data")
    if not isinstance(data, dict):
        raise DataError("a task of Label Studio has `data`")
    text, id, rest = _text(data, key), data.get("id", task.get("id")), _rest(data, key, "id")
    annotations = task.get("annotations") or []
    if not annotations:
        yield Record(text, None, id, data=rest)
    for annotation in annotations:
        person = annotation.get("completed_by")
        by = person.get("email") if isinstance(person, dict) else person
        cancelled = bool(annotation.get("was_cancelled"))
        yield Record(text, None if cancelled else choices_of(annotation.get("result", [])), id, None if by is None else str(by),
                     skipped=cancelled, data=rest)


def choices_of(result: Iterable[Json]) -> tuple[str, ...]:
    """The choices in the result of an annotation of Label Studio."""
    return tuple(choice for one in result if one.get("type") == "choices" for choice in one["value"]["choices"])


def result_of(choices: Iterable[str], control: str = "label", value: str = "text") -> list[Json]:
    """The result of an annotation or a prediction of Label Studio; `control` and `value`: the names of its two tags."""
    return [{"from_name": control, "to_name": value, "type": "choices", "value": {"choices": list(choices)}}]


def _to_askfew(records: list[Record], key: str) -> Iterator[Json]:
    single = all(len(one.labels) == 1 for one in records if one.labels is not None)
    for one in records:
        names: Json = {} if one.labels is None else {"label": one.labels[0]} if single else {"labels": list(one.labels)}
        yield {**_given(one), key: one.text, **names, **one.data}


def _to_doccano(records: list[Record], key: str) -> Iterator[Json]:
    for one in records:
        yield {**({} if one.id is None else {"id": one.id}), key: one.text, "label": list(one.labels or ()), **one.data}


def _to_prodigy(records: list[Record], key: str) -> Iterator[Json]:
    options = [{"id": name, "text": name} for name in sorted({name for one in records for name in one.labels or ()})]
    for one in records:
        answer: Json = {"accept": list(one.labels), "answer": "accept"} if one.labels is not None else (
            {"accept": [], "answer": "ignore"} if one.skipped else {})
        yield {key: one.text, "options": options, **answer, **({} if one.by is None else {"_annotator_id": one.by}),
               "meta": {} if one.id is None else {"id": one.id}, **one.data}


def _to_label_studio(records: list[Record], key: str) -> Iterator[Json]:
    for one in records:
        answered = one.labels is not None or one.skipped
        yield {"data": {**({} if one.id is None else {"id": one.id}), key: one.text, **one.data},
               "annotations": [{"result": result_of(one.labels) if one.labels else [], "was_cancelled": one.skipped}]
               if answered else []}


def _given(record: Record) -> Json:
    return {name: value for name, value in (("id", record.id), ("by", record.by)) if value is not None}


READERS = {"askfew": _from_askfew, "doccano": _from_doccano, "label-studio": _from_label_studio, "prodigy": _from_prodigy}
WRITERS = {"askfew": _to_askfew, "doccano": _to_doccano, "label-studio": _to_label_studio, "prodigy": _to_prodigy}


def _objects(text: str) -> Iterator[tuple[str, Any]]:
    """All objects of an array or of lines, with the words that name their place."""
    if text.lstrip().startswith("["):
        for number, one in enumerate(json.loads(text), 1):
            yield f"entry {number}", one
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield f"line {number}", json.loads(line)
            except json.JSONDecodeError as error:
                raise DataError(f"line {number}: {error}") from None


def guess(object: Json) -> str:
    """The format that an object looks like."""
    if isinstance(object.get("data"), dict):
        return "label-studio"
    if object.keys() & {"answer", "accept", "options", "_input_hash"}:
        return "prodigy"
    return "doccano" if isinstance(object.get("label"), list) else "askfew"


def read(path: str | os.PathLike[str], format: str | None = None, *, text: str = "text") -> list[Record]:
    """The records of a file. format: one of `READERS`; None: what the first entry looks like. text: the key of the text.

    A task of Label Studio with several annotations gives a record for each. Prodigy's accepted label is chosen, its
    rejected label is an answer without labels; several lines about one text stay several records.
    """
    name = os.fspath(path)
    try:
        with open(path, encoding="utf-8-sig") as file:
            content = file.read()
    except OSError as error:
        raise FileError(f"{name}: {error.strerror}") from None
    records: list[Record] = []
    try:
        for place, one in _objects(content):
            if not isinstance(one, dict):
                raise DataError(f"{place}: not an object")
            format = format or guess(one)
            try:
                records += READERS[format](one, text)
            except (DataError, KeyError, TypeError, AttributeError) as error:
                raise DataError(f"{place}: not as {format} writes it: {error}") from None
    except (DataError, ValueError) as error:
        raise DataError(f"{name}: {error}") from None
    return records


def write(records: Iterable[Record], path: str | os.PathLike[str], format: str, *, text: str = "text") -> None:
    """Writes records as the tool imports them: an array for Label Studio, lines for the others."""
    objects = list(WRITERS[format](list(records), text))
    lines = json.dumps(objects, ensure_ascii=False, indent=1) + "\n" if format == "label-studio" else "".join(
        json.dumps(one, ensure_ascii=False) + "\n" for one in objects)
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(lines)
    except OSError as error:
        raise FileError(f"{os.fspath(path)}: {error.strerror}") from None


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m askfew.convert", description="Labels from one labelling tool to another.")
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--from", dest="source", choices=sorted(READERS), help="by default, what the file looks like")
    parser.add_argument("--to", required=True, choices=sorted(WRITERS))
    parser.add_argument("--text", default="text", help="the key of the text (default: text)")
    options = parser.parse_args(arguments)
    try:
        records = read(options.input, options.source, text=options.text)
        write(records, options.output, options.to, text=options.text)
    except AskfewError as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, FileError) else 3
    labelled = sum(one.labels is not None for one in records)
    print(f"{len(records)} texts, {labelled} with labels, {sum(one.skipped for one in records)} skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
