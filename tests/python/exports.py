"""Exports for the tests, and the commands that Python runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import darrow
from darrow._export import Exported, export


def export_logs(logs: Sequence[str | Path], directory: Path, **options: Any) -> Exported:
    """Exports logs, which the tables name as they are given."""
    return export(darrow.scan(list(logs)), directory, **options)


def command(name: str, *arguments: str | Path) -> list[str]:
    """The command line of `darrow NAME`."""
    module = "import_" if name == "import" else name
    return [sys.executable, "-m", f"darrow._commands.{module}", *map(str, arguments)]


def run(name: str, *arguments: str | Path, stdin: str = "", **environment: str) -> tuple[int, str, str]:
    """Runs `darrow NAME`: exit code, output, messages."""
    done = subprocess.run(
        command(name, *arguments),
        capture_output=True,
        text=True,
        input=stdin,
        env=os.environ | environment,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr
