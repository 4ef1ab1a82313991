"""Asking the peer about logs: in processes of their own, which it may abort."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


def answers(script: Path, logs: Iterable[Path]) -> dict[Path, Any]:
    """What `script`, a program that calls `answer()`, says of each log; text if the peer fails or dies."""
    found: dict[Path, Any] = {}
    left = list(logs)
    while left:
        with tempfile.TemporaryDirectory() as out:
            child = subprocess.run([sys.executable, script, out, *left], capture_output=True, check=False)
            for i, path in enumerate(left):
                file = Path(out) / f"{i}.pickle"
                found[path] = pickle.loads(file.read_bytes()) if file.exists() else f"it died ({child.returncode})"
                if not file.exists():
                    break
        left = [path for path in left if path not in found]
    return found


def answer(ask: Callable[[str], Any]) -> None:
    """Command line: a folder, then logs. Leaves the answer about the n-th log in the folder as `n.pickle`."""
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1])
    for i, path in enumerate(sys.argv[2:]):
        try:
            found: Any = ask(path)
        except Exception as error:  # the peer's own errors are an answer, too
            found = f"{type(error).__name__}: {error}"
        part = folder / f"{i}.part"
        part.write_bytes(pickle.dumps(found))
        part.rename(folder / f"{i}.pickle")
