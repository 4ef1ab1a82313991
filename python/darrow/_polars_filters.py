"""What a condition of Polars says of the rows that can meet it."""

from __future__ import annotations

import json
import math
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import polars as pl

    # For each column the only values, or for times the bounds, that rows can have.
    Bounds = dict[str, Any]

_MIRRORED = {"Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq", "Eq": "Eq"}


def filters_of(predicate: pl.Expr, able: frozenset[str]) -> dict[str, Any]:
    """Filters of `ScannedTable.select()` that leave all rows which meet the condition, and maybe more.

    `able`: the filters that the table knows. What is not understood filters nothing: rows are looked at once more
    behind it.
    """
    values: Bounds = {}
    times, patterns = [-math.inf, math.inf], []
    for part in _parts(predicate):
        try:
            column, what, value = _simple(part)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            continue
        if what == "in":
            values[column] = values[column] & value if column in values else value
        elif what == "from":
            times[0] = max(times[0], value)
        elif what == "until":
            times[1] = min(times[1], value)
        elif what == "pattern":
            patterns.append(value)
    filters: dict[str, Any] = {"ids": values.get("id"), "ranks": values.get("rank")}
    filters["names"] = values.get("name") if "name" in values else patterns[0] if patterns else None
    if times != [-math.inf, math.inf]:
        filters["time"] = tuple(None if math.isinf(bound) else bound for bound in times)
    return {name: value for name, value in filters.items() if value is not None and name in able}


def _parts(predicate: pl.Expr) -> list[pl.Expr]:
    """The conditions that all have to be met."""
    kind, node = _node(predicate)
    if kind == "BinaryExpr" and node["op"] in ("And", "LogicalAnd"):
        return [part for side in predicate.meta.pop() for part in _parts(side)]
    return [predicate]


def _node(expression: pl.Expr) -> tuple[str, Any]:
    tree = json.loads(expression.meta.serialize(format="json"))
    (kind,) = tree
    return kind, tree[kind]


def _simple(part: pl.Expr) -> tuple[str, str, Any]:
    """A condition on one column: the column, what it says, and of which values. Exceptions for all others."""
    kind, node = _node(part)
    if kind == "BinaryExpr":
        right, left = part.meta.pop()
        op = node["op"]
        if op in ("Or", "LogicalOr"):
            (column, what, value), (other, _, more) = _values(left), _values(right)
            if column != other:
                raise ValueError("of two columns")
            return column, what, value | more
        if not left.meta.root_names():
            left, right, op = right, left, _MIRRORED[op]
        return _compared(_column(left), op, _literal(right)[0])
    if kind != "Function":
        raise ValueError("not understood")
    second, first = part.meta.pop()
    column = _column(first)
    function = node["function"]
    if "Boolean" in function:
        function["Boolean"]["IsIn"]
        return column, "in", _allowed(column, _literal(second)[0])
    if column != "name":
        raise ValueError("a text of no use")
    text = re.escape(_literal(second)[0])
    how = function["StringExpr"]
    if how == "StartsWith":
        return column, "pattern", f"^{text}"
    if how == "EndsWith":
        return column, "pattern", rf"{text}\z"
    if how["Contains"]["literal"]:
        return column, "pattern", text
    raise ValueError("Polars has expressions of its own")


def _values(part: pl.Expr) -> tuple[str, str, Any]:
    column, what, value = _simple(part)
    if what != "in":
        raise ValueError("not a set of values")
    return column, what, value


def _column(expression: pl.Expr) -> str:
    kind, name = _node(expression)
    if kind != "Column":
        raise ValueError("not a column")
    return str(name)


def _literal(expression: pl.Expr) -> list[Any]:
    """The value of what no column is part of."""
    import polars

    kind, _ = _node(expression)
    if kind != "Literal":
        raise ValueError("not a literal")
    return polars.select(expression).to_series().to_list()


def _compared(column: str, op: str, value: Any) -> tuple[str, str, Any]:
    if op == "Eq":
        return column, "in", _allowed(column, [value])
    if column not in ("start", "end") or op not in ("Lt", "LtEq", "Gt", "GtEq"):
        raise ValueError("no bound of a time")
    value = float(value)
    if op in ("Gt", "GtEq"):  # the window begins with what ends behind it
        return column, "from", value if op == "Gt" or column == "start" else math.nextafter(value, -math.inf)
    if column == "start":
        return column, "until", value if op == "Lt" else math.nextafter(value, math.inf)
    raise ValueError("an end says nothing of the start")


def _allowed(column: str, values: list[Any]) -> frozenset[Any]:
    """The values that the column can have, of these."""
    kinds = {"id": int, "rank": int, "name": str}
    kind = kinds[column]
    if any(value is None or type(value) is not kind for value in values):
        raise ValueError("of another type")
    low, high = (0, 2**64) if column == "id" else (-(2**63), 2**63)
    return frozenset(value for value in values if kind is str or low <= value < high)
