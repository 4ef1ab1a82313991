"""Tables of a lake or an export for DuckDB, which reads Parquet itself."""

from __future__ import annotations

import os
from pathlib import Path

from darrow._lake_store import files_of_lake
from darrow._parquet import check_columns, open_file
from darrow._sql_views import literal, quoted
from darrow._tables import table_schema
from darrow.dataset import scan_tables
from darrow.errors import DarrowError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]


def holds_tables(directory: Path) -> bool:
    """Whether it is a lake or an export."""
    return (directory / "lake.json").exists() or (directory / "jobs.parquet").exists()


class FileTables:
    """The tables of a directory: `TABLE.parquet` of an export, the parts of a lake.

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
        self._files = files_of_lake(self.path) if (self.path / "lake.json").exists() else _files_of_export(self.path)
        self._schemas: dict[str, pa.Schema] = {}

    def names(self) -> list[str]:
        """The tables that are there."""
        return list(self._files)

    def files(self, table: str) -> list[Path]:
        """The files of a table, in order."""
        return self._files.get(table, [])

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
            needed = table_schema(table) if table in scan_tables() else schemas[0]
            for path, schema in zip(files, schemas, strict=True):
                check_columns(schema, needed, str(path))
            self._schemas[table] = needed
        return self._schemas[table]

    def statement(self, table: str) -> str:
        """What makes the table known to DuckDB; the files are looked at."""
        columns = ", ".join(quoted(name) for name in self.schema(table).names)
        return f"create temp view {quoted(table)} as select {columns} from read_parquet({_list(self.files(table))})"


def _files_of_export(directory: Path) -> dict[str, list[Path]]:
    return {path.stem: [path] for path in sorted(directory.glob("*.parquet"))}


def _list(paths: Iterable[Path]) -> str:
    """Files as SQL takes them: what stands for several elsewhere stands for itself."""
    escaped = (os.fspath(path.absolute()).translate({ord(sign): f"[{sign}]" for sign in "*?["}) for path in paths)
    return f"[{', '.join(map(literal, escaped))}]"
