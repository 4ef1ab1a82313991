"""The logs that an update looks at: what its arguments stand for, and how the files are now."""

from __future__ import annotations

import os
import re
import stat
from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.compute as pc  # type: ignore[import-untyped, unused-ignore]

from darrow import _core
from darrow._lake_arrays import Numbers, of_bools, of_bytes


class Found(NamedTuple):
    """Files in the order in which they were found, each once. `keys`: absolute paths as bytes, links not followed."""

    keys: Any
    size: Numbers
    mtime: Numbers  # ns
    missing: list[bytes]  # named, but not there
    failures: list[tuple[str, str]]  # path, reason


def find(arguments: Iterable[str | bytes | os.PathLike[Any]]) -> Found:
    """What arguments stand for: logs, directories, patterns, lists (`@FILE`)."""
    paths, failures = _core.log_paths([absolute(os.fsencode(a)) for a in arguments], False)
    told = [(os.fsdecode(path), what) for path, what in failures]
    paths.reverse()
    chunks = [of_bytes([])]
    while paths:  # each of them is an object of 100 bytes until then
        chunks.append(of_bytes([_normal(paths.pop()) for _ in range(min(len(paths), 1 << 16))]))
    keys = pc.unique(pa.chunked_array(chunks))
    del chunks
    size, mtime, bad = array("q"), array("q"), []
    missing: list[bytes] = []
    is_regular = stat.S_ISREG
    for number, key in enumerate(_values(keys)):
        try:
            about = os.stat(key)
        except (FileNotFoundError, NotADirectoryError):
            missing.append(key)
            bad.append(number)
            continue
        except OSError as error:
            told.append((os.fsdecode(key), error.strerror or str(error)))
            bad.append(number)
            continue
        if is_regular(about.st_mode):
            size.append(about.st_size)
            mtime.append(about.st_mtime_ns)
        else:
            told.append((os.fsdecode(key), "a directory" if stat.S_ISDIR(about.st_mode) else "no regular file"))
            bad.append(number)
    if bad:
        keep = np.ones(len(keys), bool)
        keep[bad] = False
        keys = keys.filter(of_bools(keep))
    return Found(keys, np.asarray(size, np.int64), np.asarray(mtime, np.int64), missing, told)


def _values(keys: Any) -> Iterable[bytes]:
    """The paths one after the other, few of them in memory at a time."""
    for start in range(0, len(keys), 4096):
        yield from keys.slice(start, 4096).to_pylist()


def absolute(argument: bytes) -> bytes:
    """An argument whose paths are absolute. Lists keep their names: what is in them is looked at later."""
    if argument.startswith(b"@") and not os.path.lexists(argument):
        return argument
    return _normal(argument)


def _normal(path: bytes) -> bytes:
    """Absolute, without "//", "." and ".."."""
    if path.startswith(b"/") and b"//" not in path and b"/." not in path and not path.endswith(b"/"):
        return path
    return os.path.abspath(path)


def is_inside(argument: str | bytes | os.PathLike[Any], directory: Path) -> bool:
    """Whether an argument lies in a directory."""
    path = os.path.realpath(os.fsdecode(argument))
    return os.path.commonpath([path, os.path.realpath(directory)]) == os.path.realpath(directory)


# Logs that are not there any more


class Scope:
    """What paths some arguments might have stood for: themselves, those below directories, those that fit patterns."""

    def __init__(self, arguments: Iterable[str | bytes | os.PathLike[Any]]) -> None:
        self._names: set[bytes] = set()
        self._below: list[bytes] = []
        self._patterns: list[bytes] = []
        self._add([os.fsencode(argument) for argument in arguments], in_list=False)
        self._starts = tuple(self._below)
        joined = b"|".join(b"(?:%s)" % pattern for pattern in self._patterns)
        self._fits = re.compile(joined, re.DOTALL).match if joined else None

    def __contains__(self, key: bytes) -> bool:
        return key in self._names or key.startswith(self._starts) or bool(self._fits and self._fits(key))

    def _add(self, arguments: Sequence[bytes], in_list: bool) -> None:
        for argument in arguments:
            if argument.startswith(b"@") and not in_list and not os.path.lexists(argument):
                with suppress(OSError):  # which find() tells
                    lines = Path(os.fsdecode(argument[1:])).read_bytes().splitlines()
                    self._add([line.rstrip(b"\r ") for line in lines if line.strip()], in_list=True)
                continue
            path = _normal(argument)
            if os.path.isdir(path):
                self._below.append(path.rstrip(b"/") + b"/")
            elif os.path.lexists(path) or not re.search(rb"[*?[]", path):
                self._names.add(path)
            elif b"{" not in path:
                self._patterns.append(_expression(path) + rb"(?:/|\Z)")


def _expression(pattern: bytes) -> bytes:
    """A pattern of the shell as a regular expression."""
    made = []
    for token in re.findall(rb"\[!?\]?[^]]*\]|.", pattern, re.DOTALL):
        if token == b"*":
            made.append(b"[^/]*")
        elif token == b"?":
            made.append(b"[^/]")
        elif len(token) > 1:
            made.append(b"[" + re.sub(rb"^!", b"^", token[1:-1]).replace(b"\\", b"\\\\") + b"]")
        else:
            made.append(re.escape(token))
    return b"".join(made)


def is_gone(key: bytes) -> bool:
    """Whether there is certainly no such file."""
    try:
        os.stat(key)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
