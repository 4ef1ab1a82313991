"""Rows of any table as text: for people, as CSV, as JSON."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
from unicodedata import category, east_asian_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, BinaryIO

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    Text = Callable[[Any], str]

_GAP = "  "
_LEAST = 12  # cells that a column of text keeps when the table is too wide
_FEW = 3  # so many rows may stand side by side, a line a column


# Values


def _is_number(kind: pa.DataType) -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _number(value: Any) -> str | None:
    """A number in the shortest form that reads back as the same; None if it is none."""
    if not isinstance(value, float):
        return str(value)
    return repr(value).removesuffix(".0") if math.isfinite(value) else None


def _shown_number(value: Any) -> str:
    """Six digits are enough for people."""
    if not isinstance(value, float):
        return str(value)
    if not math.isfinite(value):
        return str(value)
    return f"{value:.6g}" if abs(value) < 1 or abs(value) >= 1e15 else f"{round(value, 6):.15g}"


def _text(value: Any) -> str:
    """What is no number."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (list, dict)):
        return json.dumps(_plain(value), ensure_ascii=False)
    return _duration(*value) if isinstance(value, tuple) else str(value)


def _duration(months: int, days: int, nanoseconds: int) -> str:
    """An interval as ISO 8601 has it: P1M2DT3.5S."""
    whole, rest = divmod(abs(nanoseconds), 10**9)
    seconds = f"{'-' if nanoseconds < 0 else ''}{whole}.{rest:09}".rstrip("0").rstrip(".")
    date = (f"{months}M" if months else "") + (f"{days}D" if days else "")
    return f"P{date}T{seconds}S" if nanoseconds or not date else f"P{date}"


def _plain(value: Any, kind: pa.DataType | None = None) -> Any:
    """Lists and structures as JSON has them; with their type, unsigned 64-bit integers in them are text."""
    from pyarrow import types

    if value is None or isinstance(value, (bool, str)):
        return value
    if kind is not None and types.is_map(kind):
        return [[_plain(key, kind.key_type), _plain(inner, kind.item_type)] for key, inner in value]
    if isinstance(value, dict):
        return {key: _plain(inner, kind and kind.field(key).type) for key, inner in value.items()}
    if isinstance(value, list):
        of = kind.value_type if kind is not None and not types.is_union(kind) else None
        return [_plain(inner, of) for inner in value]
    if isinstance(value, tuple) and len(value) == 2:  # of a map
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int):
        return str(value) if kind is not None and types.is_uint64(kind) else value
    return _text(value)


def _values(column: pa.Array) -> list[Any]:
    """What Python has of a column."""
    try:
        return list(column.to_pylist())
    except (OverflowError, ValueError):
        return [_value(scalar) for scalar in column]


def _value(scalar: pa.Scalar) -> Any:
    """A value; times that Python cannot hold (years above 9999, nanoseconds) are text."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    try:
        return scalar.as_py()
    except (OverflowError, ValueError):
        if isinstance(scalar, pa.StructScalar):
            return {key: _value(inner) for key, inner in scalar.items()}
        if isinstance(scalar, pa.ListScalar):
            return [_value(inner) for inner in scalar.values]
        return scalar.cast(pa.string()).as_py()


def _printable(text: str) -> str:
    """Without what acts on a terminal instead of showing itself."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or category(c) == "Zs" else c.encode("unicode_escape").decode() for c in text)


# For machines


def _csv_text(text: str) -> str:
    if text and not any(sign in text for sign in ',"\r\n'):
        return text
    return '"' + text.replace('"', '""') + '"'


def write_csv(reader: Reader, out: BinaryIO) -> None:
    """A line of names and a line a row. Null, and what is no number, is nothing; empty text is ""."""
    out.write((",".join(map(_csv_text, reader.names)) + "\n").encode())

    def cells(kind: pa.DataType, values: list[Any]) -> list[str]:
        if _is_number(kind):
            return ["" if value is None else _number(value) or "" for value in values]
        return ["" if value is None else _csv_text(_text(value)) for value in values]

    for columns in reader.columns(cells):
        out.write("".join(",".join(row) + "\n" for row in zip(*columns, strict=True)).encode())


def write_json(reader: Reader, out: BinaryIO) -> None:
    """An array of one object a row. Unsigned 64-bit integers (ids) are text: many readers have no such numbers."""
    from pyarrow import types

    def cells(kind: pa.DataType, values: list[Any]) -> list[str]:
        if types.is_uint64(kind):
            return ["null" if value is None else f'"{value}"' for value in values]
        if _is_number(kind):
            return ["null" if value is None else _number(value) or "null" for value in values]
        if types.is_boolean(kind) or types.is_nested(kind):
            return [json.dumps(_plain(value, kind), ensure_ascii=False) for value in values]
        return ["null" if value is None else json.dumps(_text(value), ensure_ascii=False) for value in values]

    keys = [json.dumps(name, ensure_ascii=False) for name in reader.names]
    before = "[\n  "
    for columns in reader.columns(cells):
        for row in zip(*columns, strict=True):
            pairs = ", ".join(f"{key}: {value}" for key, value in zip(keys, row, strict=True))
            out.write(f"{before}{{{pairs}}}".encode())
            before = ",\n  "
    out.write(b"[]\n" if before[0] == "[" else b"\n]\n")


class Reader:
    """Batches of Arrow, column by column."""

    def __init__(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        self.schema = schema
        self.names: list[str] = schema.names
        self._batches = batches

    def columns(self, cells: Callable[[pa.DataType, list[Any]], list[str]]) -> Iterator[list[list[str]]]:
        """The cells of each batch."""
        for batch in self._batches:
            yield [cells(_kind(column.type), _values(column)) for column in batch.columns]


def _kind(kind: pa.DataType) -> pa.DataType:
    from pyarrow import types

    return kind.value_type if types.is_dictionary(kind) else kind


# For people


class Look:
    """What the reader of the text looks at: cells a line may take (0: no limit), whether headers may be bold."""

    def __init__(self, width: int = 0, bold: bool = False) -> None:
        self.width = width
        self.bold = bold

    @classmethod
    def of_stdout(cls) -> Look:
        if not sys.stdout.isatty():
            return cls()
        width = max(20, shutil.get_terminal_size().columns)
        return cls(width, not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")


def write_table(reader: Reader, out: BinaryIO, look: Look, most: int) -> list[str]:
    """At most so many rows (0: all) under a header; returns what is to be said of what is not shown."""
    remarks = []

    def cells(kind: pa.DataType, values: list[Any]) -> list[str]:
        text = _shown_number if _is_number(kind) else _text
        return ["-" if value is None else _printable(text(value)) for value in values]

    columns: list[list[str]] = [[] for _ in reader.names]
    for part in reader.columns(cells):
        for column, more in zip(columns, part, strict=True):
            column += more
        if most and len(columns[0]) > most:
            remarks.append(f"only the first {most} rows are shown: --rows 0 shows all, --format csv is for programs")
            columns = [column[:most] for column in columns]
            break
    right = [_is_number(_kind(field.type)) for field in reader.schema]
    names = [_printable(name) for name in reader.names]
    if look.width and len(columns[0]) <= _FEW and sum(_least_widths(names, columns, right)) > look.width:
        names, columns, right = _turned(names, columns)
    left_out = _draw(names, columns, right, look, out)
    if left_out:
        remarks.append(f"{left_out} of {len(names)} columns do not fit: select fewer, or --format csv")
    return remarks


def _turned(names: list[str], columns: list[list[str]]) -> tuple[list[str], list[list[str]], list[bool]]:
    """A line a column."""
    rows = [list(row) for row in zip(*columns, strict=True)]
    header = ["column", *(f"row {i}" for i in range(1, len(rows) + 1))] if len(rows) > 1 else ["column", "value"]
    return header[: 1 + len(rows)], [names, *rows], [False] * (1 + len(rows))


def _widths(names: list[str], columns: list[list[str]]) -> list[int]:
    return [max(map(_cells, [name, *column])) for name, column in zip(names, columns, strict=True)]


def _least_widths(names: list[str], columns: list[list[str]], right: list[bool]) -> list[int]:
    """What each column, with its gap, takes when it has given all that it may."""
    widths = zip(_widths(names, columns), right, names, strict=True)
    return [len(_GAP) + (width if number else min(width, max(_LEAST, _cells(name)))) for width, number, name in widths]


def _draw(names: list[str], columns: list[list[str]], right: list[bool], look: Look, out: BinaryIO) -> int:
    """Writes the table; returns how many columns at the end had no room."""
    shown = len(names)
    if look.width:
        least = _least_widths(names, columns, right)
        while shown > 1 and sum(least[:shown]) - len(_GAP) > look.width:
            shown -= 1
    kept, cut = columns[:shown], names[:shown]
    widths = _widths(cut, kept)
    _shrink(widths, cut, right, look)

    def line(row: Sequence[str], bold: bool) -> str:
        parts = []
        for text, width, number in zip(row, widths, right, strict=False):
            fitted = _cut_middle(text, width)
            blanks = " " * (width - _cells(fitted))
            styled = f"\x1b[1m{fitted}\x1b[0m" if bold and fitted else fitted
            parts.append(blanks + styled if number else styled + blanks)
        return _GAP.join(parts).rstrip() + "\n"

    out.write(line(cut, look.bold).encode())
    for row in zip(*kept, strict=True):
        out.write(line(row, False).encode())
    return len(names) - shown


def _shrink(widths: list[int], names: Sequence[str], right: Sequence[bool], look: Look) -> None:
    """Takes from the widest columns of text until a line fits."""
    while look.width and sum(widths) + len(_GAP) * (len(widths) - 1) > look.width:
        may = [
            i for i, name in enumerate(names) if not right[i] and widths[i] > min(widths[i], max(_LEAST, _cells(name)))
        ]
        if not may:
            return
        widths[max(may, key=lambda i: widths[i])] -= 1


def _cells(text: str) -> int:
    """How many cells of a terminal it takes."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(c) in "WF" else 0 if category(c) in ("Mn", "Me") else 1 for c in text)


def _cut_middle(text: str, width: int) -> str:
    if _cells(text) <= width:
        return text
    head, tail = (width - 1) // 2, width - 1 - (width - 1) // 2
    while True:
        cut = f"{text[:head]}…{text[len(text) - tail :]}"
        if _cells(cut) <= width or not head + tail:
            return cut
        if head >= tail:  # wide characters
            head -= 1
        else:
            tail -= 1
