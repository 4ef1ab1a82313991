"""Tables of a lake or an export for DuckDB, which reads Parquet itself."""

from __future__ import annotations

import json
import os
from pathlib import Path

from darrow._parquet import check_columns, open_file
from darrow._sql_logs import schema_of
from darrow._sql_views import literal, quoted
from darrow.dataset import scan_tables
from darrow.errors import DarrowError, UnsupportedVersionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

# Of lake.json.
_VERSION = 1


def holds_tables(directory: Path) -> bool:
    """Whether it is a lake or an export."""
    return (directory / "lake.json").exists() or (directory / "jobs.parquet").exists()


class FileTables:
    """The tables of a directory: `TABLE.parquet` of an export, `TABLE/part-N.parquet` of a lake.

    Raises
    ------
    DarrowError
        It is neither.
    UnsupportedVersionError
        A newer version has written it.
    OSError
        It is not there, not readable, ...
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.path = Path(directory)
        os.stat(self.path)
        if not holds_tables(self.path):
            raise DarrowError(
                f"{self.path}: neither a lake nor an export in Parquet: there is no lake.json and no jobs.parquet",
                code="foreign",
                file=str(self.path),
            )
        self._check_version()
        # A lake's tables are links into its current version, which stays while another one is made.
        self._place = (self.path / ".current").resolve() if (self.path / ".current").is_symlink() else self.path
        self._schemas: dict[str, pa.Schema] = {}

    def _check_version(self) -> None:
        path = self.path / "lake.json"
        if not path.exists():
            return
        try:
            version = json.loads(path.read_bytes())["version"]
            is_newer = version > _VERSION
        except (KeyError, TypeError, ValueError):
            raise DarrowError(f"{path}: does not say that this is a lake", code="foreign", file=str(path)) from None
        if is_newer:
            what = f"a newer version of darrow made this lake (version {version}, this one knows {_VERSION})"
            raise UnsupportedVersionError(f"{path}: {what}", code="unsupported_version", file=str(path))

    def names(self) -> list[str]:
        """The tables that are there."""
        single = (path.stem for path in self._place.glob("*.parquet"))
        return sorted({*single, *(path.parent.name for path in self._place.glob("*/part-*.parquet"))})

    def files(self, table: str) -> list[Path]:
        """The files of a table, in order."""
        single = self._place / f"{table}.parquet"
        parts = list((self._place / table).glob("part-*.parquet"))
        return [single] if single.exists() else sorted(parts, key=lambda part: (len(part.name), part.name))

    def schema(self, table: str) -> pa.Schema:
        """The columns of a table; its files are looked at.

        Raises
        ------
        DarrowError
            A file is no Parquet file, or an incomplete one, or holds something else.
        UnsupportedVersionError
            A newer version has written a file.
        """
        if table not in self._schemas:
            files = self.files(table)
            schemas = [open_file(path, table).schema_arrow for path in files]
            needed = schema_of(table) if table in scan_tables() else schemas[0]
            for path, schema in zip(files, schemas, strict=True):
                check_columns(schema, needed, str(path))
            self._schemas[table] = needed
        return self._schemas[table]

    def statement(self, table: str) -> str:
        """What makes the table known to DuckDB; the files are looked at."""
        columns = ", ".join(quoted(name) for name in self.schema(table).names)
        return f"create temp view {quoted(table)} as select {columns} from read_parquet({_list(self.files(table))})"


def _list(paths: Iterable[Path]) -> str:
    """Files as SQL takes them: what stands for several elsewhere stands for itself."""
    escaped = (os.fspath(path.absolute()).translate({ord(sign): f"[{sign}]" for sign in "*?["}) for path in paths)
    return f"[{', '.join(map(literal, escaped))}]"
