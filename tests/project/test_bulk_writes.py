"""Bulk writes send no signals, so the safety net under publish cannot see them."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
BULK = {"update", "bulk_update", "bulk_create", "abulk_create", "abulk_update", "aupdate"}
#: Who may, because they end in publish.
PUBLISHING = {
    "sessions_app/publish.py",
    "sessions_app/loader/write.py",
    "sessions_app/loader/links.py",  # called by write alone
}
#: Who may, because what they write is none of the programme.
OTHERS = {"confsched/models.py"}  # the counter of session numbers
#: Folders whose tables are none of the programme.
OTHER_FOLDERS = ("sessions_app/agenda/",)


def bulk_writers() -> set[str]:
    """Return the modules that call a bulk write on a manager or a query set."""
    found = set()
    for app in ("confsched", "sessions_app", "speakers"):
        for path in (ROOT / app).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if "/migrations/" not in name and any(map(_is_bulk, ast.walk(_tree(path)))):
                found.add(name)
    return found


def _tree(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


def _is_bulk(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr not in BULK:
        return False
    target = ast.unparse(node.func.value)
    # A dict and a hash have update() too; rows are reached by a manager or by a filter.
    return node.func.attr != "update" or any(
        word in target
        for word in ("objects", "_manager", ".filter(", ".exclude(", ".all()", "queryset")
    )


def test_bulk_writes_happen_only_where_publish_is_called():
    writers = {name for name in bulk_writers() if not name.startswith(OTHER_FOLDERS)}

    assert writers <= PUBLISHING | OTHERS
    assert "publish" in (ROOT / "sessions_app/loader/write.py").read_text(encoding="utf-8")


def test_the_search_finds_what_it_looks_for():
    assert {"sessions_app/publish.py", "sessions_app/loader/links.py"} <= bulk_writers()
    assert not _is_bulk(ast.parse("digest.update(b'x')").body[0].value)
    assert _is_bulk(ast.parse("Session.objects.filter(pk=1).update(title='x')").body[0].value)
    assert _is_bulk(ast.parse("conference.rooms.bulk_create([])").body[0].value)
