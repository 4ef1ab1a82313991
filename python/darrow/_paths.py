"""What paths stand for: logs, directories, patterns, lists of logs; and how tables show them."""

from __future__ import annotations

import os

from darrow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from darrow.dataset import Path


def log_paths(paths: Path | Iterable[Path]) -> list[bytes]:
    """Each log once for each time it is given, directories in the order of their names; as `darrow.scan()` takes them.

    Raises
    ------
    FileNotFoundError
        A path does not exist, a directory has no log, a list cannot be read.
    """
    given = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
    arguments: list[bytes] = []
    for path in given:
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise TypeError(f"logs are given by their paths, not by {type(path).__name__}")
        arguments += _matches(os.fsencode(path))
    logs, failures = _core.log_paths(arguments, False)
    for path, message in failures:
        raise FileNotFoundError(2, message, os.fsdecode(path))
    for log in logs:
        if not os.path.lexists(log):
            raise FileNotFoundError(2, os.strerror(2), os.fsdecode(log))
    return logs


def shown(path: bytes) -> str:
    """A path as tables have it."""
    return path.decode("utf-8", "backslashreplace")


def _matches(path: bytes) -> list[bytes]:
    """What a pattern with ** finds, in order; other paths as they are."""
    if b"\0" in path:
        raise ValueError("embedded null byte in path")
    if b"**" not in path or os.path.lexists(path):
        return [path]
    from glob import glob

    return sorted(glob(path, recursive=True)) or [path]
