"""Files that are seen only when they are complete."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


class NewFile:
    """A file that is written without a name and put in its place at one blow.

    Where the system cannot write without a name it has a hidden one, `.NAME.PID.part`, until then. What was there
    before stays until `publish()`. Write to `file`; then `finish()` and `publish()`, or `discard()` at any time. A
    context manager does so.

    Attributes
    ----------
    path : Path
        Where the file will be.
    file : binary file
        To write to, until `finish()`.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._hidden = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        self._has_name = False
        self._descriptor = self._open()
        self.file: BinaryIO = os.fdopen(os.dup(self._descriptor), "wb")

    def _open(self) -> int:
        if hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd"):
            try:
                return os.open(self.path.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
            except OSError:
                pass  # not every file system can
        try:
            descriptor = os.open(self._hidden, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o666)
        except OSError as error:  # of the name that was asked for, not of one that nobody knows
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        self._has_name = True
        return descriptor

    def finish(self) -> None:
        """All bytes are on the disk after this. OSError if it is full."""
        self.file.close()
        os.fsync(self._descriptor)

    def publish(self) -> None:
        """The file takes its place, that of a file there was too."""
        if not self._has_name:
            self._hidden.unlink(missing_ok=True)  # of a process that was killed and had this number
            # With a directory (of no meaning here) Python follows the link in /proc, without it does not.
            os.link(f"/proc/self/fd/{self._descriptor}", self._hidden, src_dir_fd=self._descriptor)
            self._has_name = True
        os.replace(self._hidden, self.path)
        self._has_name = False
        self._close()

    def discard(self) -> None:
        """Nothing remains, unless it was published."""
        if self._has_name:
            self._hidden.unlink(missing_ok=True)
            self._has_name = False
        self._close()

    def __enter__(self) -> NewFile:
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        try:
            if kind is None:
                self.finish()
                self.publish()
        finally:
            self.discard()

    def _close(self) -> None:
        with suppress(OSError):  # a full disk: what was not written is not wanted any more
            self.file.close()
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def sync_directory(path: str | os.PathLike[str]) -> None:
    """New names in a directory outlive a crash after this."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
