"""``make screenshot``: takes the picture in the README from the page with the demo programme."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.servers import gunicorn
from tests.browser.conftest import ARGUMENTS

ROOT = Path(__file__).parents[1]
SIZE = {"width": 1280, "height": 860}


def main(target: str) -> None:
    """Serve the demo from an empty folder and write its picture to ``target``."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DATA_DIR": folder, "SITE_URL": "http://127.0.0.1:8000"}
        subprocess.run([sys.executable, "manage.py", "setup_site"], cwd=ROOT, check=True)
        with gunicorn("confsched.wsgi:application", Path(folder) / "log") as server:
            take(f"http://127.0.0.1:{server.port}/", target)


def take(address: str, target: str) -> None:
    """Write a picture of the page at this address."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        page = browser.new_page(
            viewport=SIZE,  # type: ignore[arg-type]
            color_scheme="light",
            timezone_id="Europe/Paris",
        )
        page.goto(address)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=target)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
