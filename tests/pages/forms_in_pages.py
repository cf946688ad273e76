"""What a browser would send: the fields of a form, read from the page itself."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any


class _FormReader(HTMLParser):
    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.form_id = form_id
        self.is_inside = False
        self.values: dict[str, list[str]] = {}
        self.names: set[str] = set()
        self.select: str | None = None
        self.options: list[tuple[str, bool]] = []
        self.textarea: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.is_inside = not self.form_id or given.get("id") == self.form_id
        if not self.is_inside:
            return
        if tag == "option" and self.select:
            self.options.append((given.get("value") or "", "selected" in given))
        name = given.get("name")
        if not name:
            return
        self.names.add(name)
        if tag == "input":
            self._input(name, given)
        elif tag == "textarea":
            self.textarea = name
            self._add(name, "")
        elif tag == "select":
            self.select, self.options = name, []

    def _input(self, name: str, given: dict[str, str | None]) -> None:
        value, kind = given.get("value"), given.get("type", "text")
        if kind in ("checkbox", "radio"):
            if "checked" in given:
                self._add(name, "on" if value is None else value)
        elif kind not in ("submit", "file", "button"):
            self._add(name, value or "")

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.values[self.textarea][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.is_inside = False
        elif tag == "textarea" and self.textarea:
            # A browser drops the first line break, which Django puts there.
            text = self.values[self.textarea][-1]
            self.values[self.textarea][-1] = text.removeprefix("\r\n").removeprefix("\n")
            self.textarea = None
        elif tag == "select" and self.select:
            chosen = [value for value, is_chosen in self.options if is_chosen]
            for value in chosen or [value for value, _chosen in self.options[:1]]:
                self._add(self.select, value)
            self.select = None

    def _add(self, name: str, value: str) -> None:
        self.values.setdefault(name, []).append(value)


def form_in(page: Any, form_id: str = "") -> dict[str, Any]:
    """Return name → value (a list where a name stands more than once) of a form in a response."""
    reader = _FormReader(form_id)
    reader.feed(page.content.decode())
    assert reader.names, f"no form {form_id} in the page"
    return {
        name: found[0] if len(found) == 1 else found
        for name, found in reader.values.items()
        if "__prefix__" not in name
    }


def add_row(values: dict[str, Any], prefix: str, **row: Any) -> dict[str, Any]:
    """Return the form's values with one more row in the list *prefix*, as "Add another" does."""
    total = int(values[f"{prefix}-TOTAL_FORMS"])
    added = {f"{prefix}-{total}-{name}": value for name, value in row.items()}
    return {**values, f"{prefix}-TOTAL_FORMS": str(total + 1), **added}
