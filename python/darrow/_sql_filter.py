"""What a filter of pyarrow asks of columns, as far as a scan can make use of it.

DuckDB hands over its filters as expressions of pyarrow. These cannot be looked into, but they can be pickled: as a
batch whose metadata are the tree, in the order of its text, and whose columns are its literals.
"""

from __future__ import annotations

import re
from math import inf, nextafter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    # ("field_ref", name), ("literal", value), or (function, arguments, options).
    Tree: TypeAlias = "tuple[str, Any] | tuple[str, list[Tree], Any]"

_LINE = re.compile(r"(call|field_ref|literal|options|end): '(.*)'")


def tree_of(expression: Any) -> Tree | None:
    """The expression as nested tuples; None if it is of a form that is not known."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    try:
        _, (buffer, *_) = expression.__reduce__()
        batch = pa.ipc.open_file(buffer).get_batch(0)
        text = batch.schema.to_string(truncate_metadata=False, show_schema_metadata=True)
        lines = text.partition("-- schema metadata --\n")[2].splitlines()
        tokens = [(match[1], match[2]) for line in lines if (match := _LINE.fullmatch(line))]
        if len(tokens) != len(lines):
            return None
        return _parsed(iter(tokens), batch)
    except (pa.ArrowException, ValueError, TypeError, LookupError, StopIteration, AttributeError):
        return None


def _parsed(tokens: Iterator[tuple[str, str]], batch: Any) -> Tree:
    kind, value = next(tokens)
    tree = _tree(kind, value, tokens, batch)
    if next(tokens, None) is not None:
        raise ValueError("more than one expression")
    return tree


def _tree(kind: str, value: str, tokens: Iterator[tuple[str, str]], batch: Any) -> Tree:
    if kind == "field_ref":
        return kind, value
    if kind == "literal":
        return kind, batch.column(int(value))[0].as_py()
    if kind != "call":
        raise ValueError(kind)
    arguments: list[Tree] = []
    options = None
    for inner, text in tokens:
        if inner == "end":
            return value, arguments, options
        if inner == "options":
            options = batch.column(int(text))[0].as_py()
        else:
            arguments.append(_tree(inner, text, tokens, batch))
    raise ValueError("no end")


def columns_of(tree: Tree) -> set[str]:
    """The columns that it looks at."""
    if tree[0] == "field_ref":
        return {str(tree[1])}
    if tree[0] == "literal":
        return set()
    return set().union(*map(columns_of, tree[1]))


def _conditions(tree: Tree) -> Iterator[Tree]:
    """Conditions that all hold in every row that is wanted."""
    if tree[0] in ("and_kleene", "and"):
        for argument in tree[1]:
            yield from _conditions(argument)
    else:
        yield tree


def values_of(tree: Tree, column: str) -> frozenset[Any] | None:
    """The only values that the column may have; None: no such limit is known."""
    values: frozenset[Any] | None = None
    for condition in _conditions(tree):
        if (these := _values(condition, column)) is not None:
            values = these if values is None else values & these
    return values


def _values(condition: Tree, column: str) -> frozenset[Any] | None:
    match condition:
        case "equal", [("field_ref", name), ("literal", value)], _ if name == column:
            return frozenset([value])
        case "is_in", [("field_ref", name)], {"value_set": values} if name == column:
            return frozenset(value for value in values if value is not None)
        case "if_else", [("is_valid", [("field_ref", name)], _), inner, ("literal", None)], _ if name == column:
            return _values(inner, column)
        case (("or_kleene" | "or"), arguments, _):
            parts = [_values(argument, column) for argument in arguments]
            return None if None in parts else frozenset().union(*(part or () for part in parts))
    return None


def least(tree: Tree, column: str) -> float | None:
    """A number that every wanted value of the column is above."""
    return max(_bounds(tree, column, "greater", -inf), default=None)


def most(tree: Tree, column: str) -> float | None:
    """A number that every wanted value of the column is below."""
    return min(_bounds(tree, column, "less", inf), default=None)


def _bounds(tree: Tree, column: str, comparison: str, away: float) -> Iterator[float]:
    """What the column is compared with; if it may be equal, the next number that it may not."""
    for condition in _conditions(tree):
        match condition:
            case operator, [("field_ref", name), ("literal", float(bound))], _ if name == column:
                if operator == comparison:
                    yield bound
                elif operator == f"{comparison}_equal":
                    yield nextafter(bound, away)
