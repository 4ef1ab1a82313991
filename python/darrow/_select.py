"""Filters of a scanned table, one upon the other."""

from __future__ import annotations

from operator import index

from darrow import _core
from darrow._scan_batches import Filters

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable
    from typing import Any

    Time = tuple[float | None, float | None]


def narrowed(
    table: str,
    filters: Filters,
    columns: str | Iterable[str] | None,
    ids: Iterable[int] | None,
    ranks: Iterable[int] | None,
    names: str | re.Pattern[str] | Iterable[str] | None,
    time: Time | None,
) -> Filters:
    """The filters that leave what the given ones and the new ones both leave.

    Raises
    ------
    KeyError
        The table has no such column.
    ValueError
        It has no such rows to select, or there is nothing to select.
    """
    pattern, exact = _names(names)
    chosen = _columns(table, filters, columns)
    asked = {"ids": ids, "ranks": ranks, "names": names, "time": time}
    there = selectable_by(table)
    for what, value in asked.items():
        if value is not None and what not in there:
            raise ValueError(f"{what}: rows of {table} cannot be selected so")
    if pattern is not None and filters.pattern is not None:
        raise ValueError("names are already selected by a regular expression: give one that stands for both")
    start, end = _window(time)
    return Filters(
        chosen,
        _both(filters.ids, _numbers("an id", ids, 0, 2**64 - 1)),
        _both(filters.ranks, _numbers("a rank", ranks, -(2**63), 2**63 - 1)),
        pattern if filters.pattern is None else filters.pattern,
        _both(filters.names, exact),
        start if filters.start is None else filters.start if start is None else max(start, filters.start),
        end if filters.end is None else filters.end if end is None else min(end, filters.end),
    )


def selectable_by(table: str) -> frozenset[str]:
    """By what rows of a table can be selected."""
    if any(one.name == table and one.part == "header" for one in _core.scan_tables()):
        return frozenset()  # a scan hands it out whichever records are asked for
    columns = _core.scan_schema(table, []).columns
    if "rank" in columns:
        return frozenset({"ids", "ranks", "names", *(["time"] if "segment" in columns else [])})
    return frozenset({"ids", "names"}) if table == "names" else frozenset()


def _columns(table: str, filters: Filters, columns: str | Iterable[str] | None) -> tuple[str, ...]:
    if columns is None:
        return filters.columns
    wanted = (columns,) if isinstance(columns, str) else tuple(columns)
    if not wanted:
        raise ValueError("select() needs at least one column")
    known = filters.columns or (*_core.scan_schema(table, []).columns, "name_bytes")
    for column in wanted:
        if column not in known:
            raise KeyError(f"no column {column!r} in {table}; there are: {', '.join(known)}")
    return tuple(dict.fromkeys(wanted))


def _both(one: frozenset[Any] | None, other: frozenset[Any] | None) -> frozenset[Any] | None:
    return other if one is None else one if other is None else one & other


def _numbers(what: str, values: Iterable[int] | None, least: int, most: int) -> frozenset[int] | None:
    if values is None:
        return None
    numbers = frozenset(map(index, values))
    for number in numbers:
        if not least <= number <= most:
            raise ValueError(f"{what} is {number}, which is not between {least} and {most}")
    return numbers


def _names(names: str | re.Pattern[str] | Iterable[str] | None) -> tuple[str | None, frozenset[str] | None]:
    """A regular expression, or names."""
    from darrow._aggregate import expression_of

    if names is None:
        return None, None
    if isinstance(names, str) or hasattr(names, "pattern"):
        expression = expression_of(names)
        _core.check_pattern(expression)  # before anything is read
        return expression, None
    exact = frozenset(names)
    for name in exact:
        if not isinstance(name, str):
            raise TypeError(f"names are text, not {name!r}")
    return None, exact


def _window(time: Time | None) -> tuple[float | None, float | None]:
    if time is None:
        return None, None
    start, end = time
    bounds = tuple(None if bound is None else float(bound) for bound in (start, end))
    if any(bound is not None and bound != bound for bound in bounds):
        raise ValueError("a bound of time is not a number")
    return bounds[0], bounds[1]
