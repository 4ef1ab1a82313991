"""What DuckDB says of a query, so that it helps."""

from __future__ import annotations

import re
from contextlib import contextmanager
from difflib import get_close_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from darrow._sql import Session


class QueryError(ValueError):
    """A query that cannot be answered. The message is one line.

    Attributes
    ----------
    is_usage : bool
        Whether the query is wrong, rather than that answering it failed.
    """

    def __init__(self, message: str, is_usage: bool = True) -> None:
        super().__init__(message)
        self.is_usage = is_usage


_NO_USAGE = ("IO", "HTTP", "Internal", "Fatal", "Connection")
_WITH_PLACE = ("Parser", "Binder", "Catalog", "Syntax")
_TABLE = re.compile(r"Table with name (\S+?) does not exist", re.IGNORECASE)
_COLUMNS = (
    re.compile(r'Referenced column "(.+?)" not found in FROM clause'),
    re.compile(r'does not have a column named "(.+?)"'),
    re.compile(r'Column "(.+?)" does not exist on'),
)
_KIND = re.compile(r"^\w[\w ]* Error: ")
_RESERVED = re.compile(r'^syntax error at or near "(end|offset|group|null)"$', re.IGNORECASE)
_PLACE = re.compile(r"^LINE (\d+): (.*)\n( *)\^", re.MULTILINE)


@contextmanager
def query_errors(session: Session) -> Iterator[None]:
    """What DuckDB raises becomes a QueryError; what reading a log raised comes through as it was."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.OutOfMemoryException as error:
        told = one_line(error).partition(" Possible solutions")[0]
        raise QueryError(f"out of memory: {told}; --memory SIZE, or memory=, allows more", False) from None
    except duckdb.Error as error:
        if (cause := session.cause()) is not None:
            raise cause from None
        kind = type(error).__name__
        told = _told(session, str(error), kind.startswith(_WITH_PLACE))
        raise QueryError(told, not kind.startswith(_NO_USAGE)) from None


def _told(session: Session, message: str, has_place: bool) -> str:
    if match := _TABLE.search(message):
        return f"no table {match[1]}{_near(match[1], session.names)}; there are: {_tables(session)}"
    for pattern in _COLUMNS:
        if match := pattern.search(message):
            return f"no column {match[1]}{_place(message)}{_columns(session, match[1])}"
    first = message.split("\n\n")[0].split("\nLINE ")[0]
    text = " ".join(_KIND.sub("", first).split())
    if has_place:
        quoted = _RESERVED.search(text)
        text += _place(message) + (
            f'; a column or table of this name takes double quotes: "{quoted[1]}"' if quoted else ""
        )
    return text


def _place(message: str) -> str:
    """Where in the query, if DuckDB tells."""
    match = _PLACE.search(message)
    if match is None:
        return ""
    line, text, blanks = match.groups()
    before = len(f"LINE {line}: ")
    column = len(blanks) - before + 1
    return f" (line {line})" if text.startswith("...") else f" (line {line}, column {column})"


def _tables(session: Session) -> str:
    """All tables and views; the two of each module in short."""
    modules = [name.removesuffix("_files") for name in session.views if name.endswith("_files")]
    others = [name for name in session.views if not name.endswith(("_files", "_jobs"))]
    return (
        f"{', '.join(session.tables)}; views {', '.join(others)}, and X_files, X_jobs where X is {', '.join(modules)}"
    )


def _near(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name.lower(), known, 1)
    return f" (did you mean {near[0]}?)" if near else ""


def _columns(session: Session, name: str) -> str:
    """The columns of the tables that the query uses."""
    told = ""
    for table in sorted(session.used):
        columns = session.columns(table)
        folded = {column.lower(): column for column in columns}
        near = [folded[match] for match in get_close_matches(name.lower(), folded, 3)]
        some = columns if len(columns) <= 20 else [*columns[:8], "..."]
        told += f"; {table} has {', '.join([*near, *(column for column in some if column not in near)])}"
    return told


def one_line(error: Exception) -> str:
    """What DuckDB says, without the kind of error."""
    return _KIND.sub("", " ".join(str(error).split()))
