"""The labelling configuration of a project: which choices it has, and how its tags are named."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..convert import choices_of, result_of
from ..errors import ConfigError


@dataclass(frozen=True)
class Labelling:
    """A `Choices` tag about a text. `key`: where the data of a task have the text."""

    control: str
    text: str
    key: str
    labels: tuple[str, ...]
    multiple: bool

    def result(self, choices: Sequence[str]) -> list[dict[str, Any]]:
        """The result of a prediction."""
        return result_of(choices, self.control, self.text) if choices else []

    def choices(self, result: Sequence[dict[str, Any]]) -> tuple[str, ...]:
        """What a person chose with this tag."""
        return choices_of(one for one in result if one.get("from_name") == self.control)


def parse(config: str) -> Labelling:
    """Reads the configuration; it must have one `Choices` tag about one `Text` tag."""
    try:
        root = xml.fromstring(config)
    except xml.ParseError as error:
        raise ConfigError(f"the labelling configuration is not XML: {error}") from None
    controls = list(root.iter("Choices"))
    if len(controls) != 1:
        raise ConfigError(f"the labelling configuration has {len(controls)} tags Choices, not one")
    (control,) = controls
    texts = {tag.get("name"): tag for tag in root.iter() if tag.tag in ("Text", "HyperText", "Paragraphs")}
    text = texts.get(control.get("toName"))
    if text is None or not (text.get("value") or "").startswith("$"):
        raise ConfigError("the tag Choices must be about a tag Text whose value is a key of the data, as in value=\"$text\"")
    labels = tuple(tag.get("value") or "" for tag in control.iter("Choice"))
    return Labelling(control=control.get("name") or "", text=text.get("name") or "", key=(text.get("value") or "")[1:],
                     labels=labels, multiple=control.get("choice", "single") == "multiple")
