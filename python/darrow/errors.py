"""What can go wrong with a log.

Files that cannot be opened raise the usual OSError (FileNotFoundError, PermissionError, IsADirectoryError, ...).
"""

from __future__ import annotations

import os


class DarrowError(ValueError):
    """A log that cannot be read.

    Attributes
    ----------
    code : str
        The kind of failure in one word, e.g. "corrupt", "truncated", "unsupported_compression".
    file : str
        The log, or "" if unknown.
    region : str
        "header", "job", "names", a module's name, or "".
    offset : int or None
        Where, if there is one place.
    offset_of : str or None
        "file", or "inflated": bytes of the inflated region.
    """

    code: str
    file: str
    region: str
    offset: int | None
    offset_of: str | None

    def __init__(
        self,
        message: str,
        *,
        code: str = "corrupt",
        file: str = "",
        region: str = "",
        offset: int | None = None,
        offset_of: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.file = file
        self.region = region
        self.offset = offset
        self.offset_of = offset_of


class CorruptLogError(DarrowError):
    """Something in the log is lost. `darrow.open(..., strict=False)` delivers what is intact, if anything is."""


class NotALogError(DarrowError):
    """The file is empty or no Darshan log at all."""


class UnsupportedVersionError(DarrowError):
    """The log's format or a module's version is not known."""


class AggregationError(ValueError):
    """Records that do not combine into one. The message says what to use instead."""


_CLASSES: dict[str, type[DarrowError]] = {
    "not_a_log": NotALogError,
    "truncated": CorruptLogError,
    "unfinished": CorruptLogError,
    "corrupt": CorruptLogError,
    "unsupported_version": UnsupportedVersionError,
    "unsupported_compression": DarrowError,
}


def from_core(
    code: str,
    message: str,
    full_message: str,
    file: str,
    region: str,
    offset: int | None,
    offset_of: str | None,
    errno: int,
) -> Exception:
    """The exception for an error of the C++ library, which calls this."""
    if code == "io":
        return OSError(errno, os.strerror(errno), file) if errno else OSError(full_message)
    if code == "not_found":
        return KeyError(message)
    if code == "invalid_argument":
        import re

        named = not region or re.search(rf"\b{re.escape(region)}\b", message)
        return ValueError(message if named else f"{region}: {message}")
    if code == "out_of_memory":
        return MemoryError(full_message)
    kind = _CLASSES.get(code, DarrowError)
    return kind(full_message, code=code, file=file, region=region, offset=offset, offset_of=offset_of)
