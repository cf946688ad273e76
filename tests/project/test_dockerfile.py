"""The very steps of the Dockerfile, run in an empty folder: no Docker engine is needed for that."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COPIED = ("manage.py", "gunicorn.conf.py", "confsched", "sessions_app", "speakers", "templates",
          "static", "fixtures", "requirements")  # fmt: skip


def steps(word: str) -> list[str]:
    return re.findall(rf"^{word} (.*)$", DOCKERFILE, re.MULTILINE)


def test_the_image_is_built_in_two_stages_and_does_not_run_as_root() -> None:
    assert len(steps("FROM")) == 2
    assert steps("USER") == ["confsched"]
    assert len(re.findall(r"HEALTHCHECK .* CMD ", DOCKERFILE)) == 1


@pytest.mark.slow
def test_its_steps_lead_to_a_healthy_server(tmp_path: Path) -> None:
    app, data = tmp_path / "app", tmp_path / "data"
    app.mkdir()
    data.mkdir()
    for name in COPIED:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, app / name)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"}

    def here(text: str) -> str:
        text = text.replace("python -m venv", f"{sys.executable} -m venv")
        text = re.sub(r"DATA_DIR=\S+", f"DATA_DIR={tmp_path / 'build'}", text)
        return text.replace("/app", str(app))

    build_steps = [step for step in steps("RUN") if "useradd" not in step]
    assert len(build_steps) == 3
    for step in build_steps:
        subprocess.run(["sh", "-c", here(step)], cwd=app, env=environment, check=True)

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    variables = dict(pair.split("=", 1) for line in steps("ENV")[1:] for pair in shlex.split(line))
    environment |= {
        "PATH": f"{app}/.venv/bin:{os.environ['PATH']}",
        "DATA_DIR": str(data),
        "STATIC_ROOT": here(variables["STATIC_ROOT"]),
        "BIND": f"127.0.0.1:{port}",
        "SITE_URL": "https://schedule.example.org",
    }
    start = json.loads(steps("CMD")[0])
    check = json.loads(re.search(r"HEALTHCHECK .* CMD (\[.*\])", DOCKERFILE).group(1))  # type: ignore[union-attr]
    server = subprocess.Popen(start, cwd=app, env=environment, start_new_session=True)
    try:
        healthy = f"until {shlex.join(check)}; do sleep 0.2; done"
        subprocess.run(["sh", "-c", healthy], cwd=app, env=environment, timeout=60, check=True)
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/readyz", headers={"Host": "schedule.example.org"}
        )
        with urllib.request.urlopen(request, timeout=10) as response:  # noqa: S310  # the same
            assert response.read() == b"ok\n"
    finally:
        server.terminate()
        server.wait(timeout=30)
