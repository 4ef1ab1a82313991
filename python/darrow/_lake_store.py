"""The directory of a lake: versions of its tables, the lock, how the next version takes the place of the last.

    DIR/lake.json                     {"format": "darrow lake", "version": 1}
    DIR/posix -> .current/posix       a table: part-1.parquet, part-2.parquet, ...
    DIR/.current -> .versions/17      the link that is replaced at one blow
    DIR/.versions/17/manifest.json    which parts there are, their rows and bytes
    DIR/.staging                      what the running update has written

A version is a directory of its own. Parts never change and no number comes twice; a part that stays is linked
(hard) into the next version. What a killed update left is in no version, or in one that is not current.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from darrow._new_file import NewFile, sync_directory
from darrow.errors import DarrowError, UnsupportedVersionError

FORMAT = "darrow lake"
VERSION = 1
_OURS = {"lake.json", ".current", ".lock", ".staging", ".versions"}


class Part(NamedTuple):
    """A file of a table."""

    table: str
    number: int
    rows: int
    bytes: int

    @property
    def name(self) -> str:
        return f"part-{self.number}.parquet"


class Version(NamedTuple):
    """What a lake holds at some moment. `numbers` are the last ones given to parts."""

    number: int
    parts: dict[str, list[Part]]
    numbers: dict[str, int]


def _failed(path: Path, what: str, code: str) -> DarrowError:
    return DarrowError(f"{path}: {what}", code=code, file=str(path))


class Store:
    """A directory with a lake in it.

    Raises
    ------
    DarrowError
        It holds no lake.
    UnsupportedVersionError
        A newer version of Darrow has made it.
    OSError
        It is not there, not readable, ...
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.staging = directory / ".staging"
        self._current = directory / ".current"
        self._versions = directory / ".versions"
        self._check()

    @classmethod
    def create(cls, directory: Path) -> Store:
        """Opens the lake, or makes an empty directory one. DarrowError if there are other things in it."""
        directory.mkdir(parents=True, exist_ok=True)
        about = directory / "lake.json"
        if not about.exists():
            names = {name for name in os.listdir(directory) if not name.startswith(".lake.json.")}
            others = sorted(names - _OURS)
            if others and not about.exists():  # another process may have made it meanwhile, tables and all
                raise _failed(directory, f"neither a lake nor empty ({others[0]} is in it)", "not_a_lake")
            with NewFile(about) as new:  # not in staging, which belongs to who has the lock
                new.file.write(json.dumps({"format": FORMAT, "version": VERSION}).encode() + b"\n")
            sync_directory(directory)
        return cls(directory)

    def _check(self) -> None:
        path = self.directory / "lake.json"
        try:
            about = json.loads(path.read_bytes())
            is_lake = about["format"] == FORMAT and isinstance(about["version"], int)
        except (FileNotFoundError, NotADirectoryError):
            os.stat(self.directory)
            raise _failed(self.directory, "no lake: lake.json is not there", "not_a_lake") from None
        except (KeyError, TypeError, ValueError):
            is_lake = False
        if not is_lake:
            raise _failed(path, "does not say that this is a lake", "not_a_lake")
        if about["version"] > VERSION:
            what = f"a newer version of darrow made this lake (version {about['version']}, this one knows {VERSION})"
            raise UnsupportedVersionError(f"{path}: {what}", code="unsupported_version", file=str(path))
        self._check_link()

    def _check_link(self) -> None:
        """DarrowError if the link to the current version is lost; one more update would begin from nothing."""
        if os.path.lexists(self._current) or self.staging.exists():  # the first commit is made, or was killed
            return
        with suppress(FileNotFoundError):
            if os.listdir(self._versions) and not os.path.lexists(self._current):
                what = "not there; the lake is damaged, or was copied without its links (cp -a, rsync -a keep them)"
                raise _failed(self._current, what, "corrupt")

    # Reading

    def version(self) -> Version:
        """What the lake holds now. DarrowError if parts are missing or not as they were written."""
        for _ in range(100):  # until no commit comes between
            name = self._target()
            if name is None:
                return Version(0, {}, {})
            path = self.directory / name / "manifest.json"
            try:
                return _manifest(path)
            except FileNotFoundError as error:
                if self._target() == name:
                    raise _failed(path, "not there; the lake is damaged", "corrupt") from error
        raise _failed(self._current, "changes all the time", "busy")

    def _target(self) -> str | None:
        """The directory of the current version; None: there is none yet."""
        try:
            return os.readlink(self._current)
        except FileNotFoundError:
            return None
        except OSError:  # a copy of the lake in which links became directories: good for reading
            return self._current.name

    def path(self, version: Version, part: Part) -> Path:
        """Where a part is, for as long as its version is kept."""
        return self._versions / str(version.number) / part.table / part.name

    def check(self, version: Version) -> None:
        """DarrowError unless exactly the parts of the version are there, in the sizes in which they were written."""
        for table, parts in version.parts.items():
            there = self._versions / str(version.number) / table
            expected = {part.name: part.bytes for part in parts}
            for name in sorted(set(os.listdir(there)) - set(expected)):
                what = "not of this lake: remove it from there"
                raise _failed(self.directory / table / name, what, "foreign")
            for name, size in expected.items():
                shown = self.directory / table / name
                try:
                    found = os.stat(there / name).st_size
                except FileNotFoundError:
                    raise _failed(shown, "not there; the lake is damaged", "corrupt") from None
                if found != size:
                    what = f"damaged: {found} bytes, but {size} were written"
                    raise _failed(shown, what, "truncated" if found < size else "corrupt")

    # Changing

    @contextmanager
    def locked(self, wait: bool) -> Iterator[None]:
        """Nobody else changes the lake meanwhile. DarrowError if somebody does and `wait` is false."""
        path = self.directory / ".lock"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                raise _failed(self.directory, "another update of this lake is running", "busy") from None
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(path)) from None
            self._clean()
            try:
                yield
            finally:
                shutil.rmtree(self.staging, ignore_errors=True)
        finally:
            os.close(descriptor)

    def _clean(self) -> None:
        """Removes what an update left that was killed, and versions that nobody needs any more."""
        shutil.rmtree(self.staging, ignore_errors=True)
        version = self.version()
        self._keep({version.number})
        for entry in self.directory.iterdir():
            is_table = entry.is_symlink() and os.readlink(entry) == f".current/{entry.name}"
            if is_table and entry.name not in version.parts:
                entry.unlink()
        self.staging.mkdir()

    def _keep(self, numbers: set[int]) -> None:
        """Removes all versions but these."""
        if self._versions.is_dir():
            for name in os.listdir(self._versions):
                if name not in {str(number) for number in numbers}:
                    shutil.rmtree(self._versions / name, ignore_errors=True)

    def commit(self, last: Version, parts: Mapping[str, Sequence[Part]], numbers: dict[str, int]) -> Version:
        """The next version: these parts, which are those of the last one or in staging (`DIR/.staging/TABLE/`)."""
        number = last.number + 1
        new = Version(number, {table: list(some) for table, some in sorted(parts.items()) if some}, numbers)
        made = self.staging / "version"
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        for table, some in new.parts.items():
            (made / table).mkdir()
            kept = set(last.parts.get(table, ()))
            for part in some:
                source = self.path(last, part) if part in kept else self.staging / table / part.name
                _link(source, made / table / part.name)
            sync_directory(made / table)
        _write(made / "manifest.json", json.dumps(_described(new)))
        sync_directory(made)
        self._versions.mkdir(exist_ok=True)
        os.replace(made, self._versions / str(number))
        sync_directory(self._versions)
        for table in new.parts:
            self._point(self.directory / table, f".current/{table}")
        self._point(self._current, f".versions/{number}")
        for table in last.parts.keys() - new.parts.keys():
            with suppress(OSError):
                (self.directory / table).unlink()
        self._keep({last.number, number})  # queries that began before may go on
        for table in new.parts:
            shutil.rmtree(self.staging / table, ignore_errors=True)
        return new

    def _point(self, link: Path, target: str) -> None:
        """Makes or replaces a link at one blow."""
        try:
            if os.readlink(link) == target:
                return
        except FileNotFoundError:
            pass
        except OSError:
            what = "no link, as lakes have them; copy lakes with their links (cp -a, rsync -a)"
            raise _failed(link, what, "foreign") from None
        temporary = self.staging / "link"
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(target)
        os.replace(temporary, link)
        sync_directory(self.directory)


def files_of_lake(directory: Path) -> dict[str, list[Path]]:
    """The files of each table as they are now; the next update leaves them readable."""
    store = Store(directory)
    version = store.version()
    return {table: [store.path(version, part) for part in parts] for table, parts in version.parts.items()}


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # a file system without hard links; or there is really something wrong
        shutil.copyfile(source, target)
        with open(target, "rb") as file:
            os.fsync(file.fileno())


def _write(path: Path, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _described(version: Version) -> dict[str, object]:
    parts = {table: [[p.number, p.rows, p.bytes] for p in some] for table, some in version.parts.items()}
    return {"format": FORMAT, "version": VERSION, "number": version.number, "numbers": version.numbers, "parts": parts}


def _manifest(path: Path) -> Version:
    try:
        about = json.loads(path.read_bytes())
        parts = {table: [Part(table, *map(int, part)) for part in some] for table, some in about["parts"].items()}
        numbers = {table: int(number) for table, number in about["numbers"].items()}
        return Version(int(about["number"]), parts, numbers)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _failed(path, "damaged; the lake cannot be read", "corrupt") from error
