"""The colours of tokens.css keep the WCAG 2.2 contrast ratios (1.4.3 text, 1.4.11 controls)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = (Path(__file__).parents[2] / "static/css/tokens.css").read_text()
TRACKS = range(1, 14)


def block(start: str) -> dict[str, str]:
    body = CSS[CSS.index(start) :].split("{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", body))


THEMES = {
    "light": block(":root {"),
    "dark by device": block(':root:not([data-theme="light"])'),
    "dark by choice": block(':root[data-theme="dark"]'),
}


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(first: str, second: str) -> float:
    bright, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


PAIRS = [
    *(
        (fore, back, 4.5)
        for fore in ("text", "text-2", "link")
        for back in ("bg", "surface", "surface-2")
    ),
    ("on-link", "link", 4.5),
    ("on-link", "now", 4.5),
    ("now", "surface", 4.5),
    ("ok", "surface", 4.5),
    ("warn-text", "warn-bg", 4.5),
    ("line-strong", "surface", 3.0),
    ("line-strong", "bg", 3.0),
    ("ring", "bg", 3.0),
    *((f"ink-{n}", f"tint-{n}", 4.5) for n in TRACKS),
    *((f"ink-{n}", "surface", 4.5) for n in TRACKS),
    *((f"edge-{n}", "surface", 3.0) for n in TRACKS),
]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("fore", "back", "least"), PAIRS)
def test_contrast(theme: str, fore: str, back: str, least: float) -> None:
    tokens = THEMES[theme]
    assert ratio(tokens[fore], tokens[back]) >= least


def test_the_two_dark_themes_are_the_same() -> None:
    assert THEMES["dark by device"] == THEMES["dark by choice"]


def test_every_track_colour_has_its_class() -> None:
    assert re.findall(r"^\.t(\d+) \{", CSS, re.MULTILINE) == [str(n) for n in TRACKS]
