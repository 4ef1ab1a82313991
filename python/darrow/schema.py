"""The columns of a table: names, types, meaning."""

from __future__ import annotations

from darrow._value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from darrow import _core


class Field(Value):
    """One column.

    Attributes
    ----------
    name : str
        Column name; a counter keeps Darshan's name.
    type : str
        Arrow type as pyarrow writes it, e.g. "int64", "list<int64>".
    unit : str
        "bytes", "seconds", "calls", ... or "".
    meaning : str
        One line, or "".
    rule : str
        How values of several records combine: "sum", "max", "min", ...; "" if they do not.
    since : int or None
        First module version that stores it; None if it is not a stored field.
    """

    name: str
    type: str
    unit: str
    meaning: str
    rule: str
    since: int | None


class Schema:
    """The fields of a table, by position or name. `pyarrow.schema(schema)` converts it, with all metadata."""

    __slots__ = ("_core", "_fields", "_index")

    def __init__(self, table: _core.Table) -> None:
        self._core = table.schema()
        self._fields = tuple(Field(*field) for field in table.fields())
        self._index = {field.name: i for i, field in enumerate(self._fields)}

    @property
    def names(self) -> list[str]:
        """Column names, in order."""
        return [field.name for field in self._fields]

    def __getitem__(self, key: int | str) -> Field:
        return self._fields[self._index[key] if isinstance(key, str) else key]

    def __len__(self) -> int:
        return len(self._fields)

    def __iter__(self) -> Iterator[Field]:
        return iter(self._fields)

    def __contains__(self, key: object) -> bool:
        return key in self._index if isinstance(key, str) else key in self._fields

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and other._fields == self._fields

    def __hash__(self) -> int:
        return hash(self._fields)

    def __repr__(self) -> str:
        rows = [("name", "type", "unit", "rule", "meaning")]
        rows += [(f.name, f.type, f.unit, f.rule, f.meaning) for f in self._fields]
        widths = [min(max(len(row[i]) for row in rows), 40) for i in range(4)]
        lines = ("  ".join([*(row[i].ljust(widths[i]) for i in range(4)), row[4]]) for row in rows)
        return "\n".join(line.rstrip() for line in lines)

    def __arrow_c_schema__(self) -> object:
        """The Arrow schema as a capsule, with unit, meaning, rule and since as field metadata."""
        return self._core.schema_capsule()
