"""Where Darshan's own tools show wrong values on valid logs, as rules that foretell what they show.

A rule is keyed by module, versions, byte order and columns, and computes from the right values what upstream shows
instead. Tests demand that upstream shows exactly that, so a difference that no rule foretells is an error of one side,
and a rule that foretells differences that are not there is an error too. The numbers (A1, A2, …) are those of the
list of pitfalls. No rule stands here for what PyDarshan 3.5.0 does not show: A8 (threads of big-endian traces) and A9
(ids of DAOS pools); nor for A4 (repaired heat maps), of which it reads no log here. The expectations have the right
values of all three.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from corpus import SPEC, Columns, Difference, Values, differences
from plain import PlainLog

Shown = Callable[[PlainLog, str, Columns, str], Values]
"""From log, module, right columns and column name: what upstream shows."""


@dataclass(frozen=True)
class Rule:
    """One mistake of upstream's reader."""

    number: str
    what: str
    module: str
    versions: tuple[int, ...]
    order: str | None  # byte order of the logs it concerns; None: both
    columns: tuple[str, ...]
    shown: Shown

    def concerns(self, module: str, version: int, order: str) -> bool:
        """Whether it is about records of that module, version and byte order."""
        return module == self.module and version in self.versions and self.order in (None, order)

    def __str__(self) -> str:
        versions = "/".join(map(str, self.versions))
        return f"{self.number} {self.module} {versions} {self.order or 'any'}-endian"


def _zero(_log: PlainLog, _module: str, right: Columns, column: str) -> Values:
    return np.zeros_like(right[column])


def _swapped(_log: PlainLog, _module: str, right: Columns, column: str) -> Values:
    return np.asarray(right[column]).byteswap()


def _sum_before_swapping(log: PlainLog, module: str, _right: Columns, _column: str) -> Values:
    rows = log.stored(module)
    parts = [rows[name].view("<i8") for name in ("PNETCDF_INDEP_OPENS", "PNETCDF_COLL_OPENS")]
    return (parts[0] + parts[1]).byteswap()


def _swapped_like_h5f(log: PlainLog, _module: str, right: Columns, column: str) -> Values:
    # The test on the version of H5D looks at that of H5F, which is 0 in a log without H5F data.
    h5f = log.modules.get("H5F")
    return right[column] if h5f and h5f.version >= 2 else np.asarray(right[column]).byteswap()


RULES = (
    Rule(
        "A1",
        "the conversion of version 3 leaves out the last two floats",
        "POSIX",
        (3,),
        None,
        ("POSIX_F_VARIANCE_RANK_TIME", "POSIX_F_VARIANCE_RANK_BYTES"),
        _zero,
    ),
    Rule(
        "A1",
        "the conversion of version 2 leaves out the last four floats",
        "POSIX",
        (2,),
        None,
        (
            "POSIX_F_FASTEST_RANK_TIME",
            "POSIX_F_SLOWEST_RANK_TIME",
            "POSIX_F_VARIANCE_RANK_TIME",
            "POSIX_F_VARIANCE_RANK_BYTES",
        ),
        _zero,
    ),
    Rule(
        "A2",
        "three floats keep the byte order of the log",
        "POSIX",
        (1, 2, 3),
        "big",
        ("POSIX_F_META_TIME", "POSIX_F_MAX_READ_TIME", "POSIX_F_MAX_WRITE_TIME"),
        _swapped,
    ),
    Rule(
        "A5",
        "a sum is taken before swapping",
        "PNETCDF_FILE",
        (1, 2),
        "big",
        ("PNETCDF_FILE_OPENS",),
        _sum_before_swapping,
    ),
    Rule("A7", "the decision to swap looks at another module", "H5D", (2,), "big", ("file_rec_id",), _swapped_like_h5f),
)


def rules_for(module: str, version: int, order: str) -> list[Rule]:
    """The rules that concern records of a module."""
    return [rule for rule in RULES if rule.concerns(module, version, order)]


def foretell(log: PlainLog, module: str, right: Columns) -> tuple[Columns, dict[Rule, int]]:
    """What upstream shows instead of the right values, and in how many cells each rule makes a difference."""
    order = {"<": "little", ">": "big"}[log.order]
    shown, used = dict(right), {}
    for rule in rules_for(module, log.modules[module].version, order):
        for column in rule.columns:
            shown[column] = rule.shown(log, module, right, column)
            used[rule] = used.get(rule, 0) + len(list(differences({column: right[column]}, {column: shown[column]})))
    return shown, used


@dataclass(frozen=True)
class Kept:
    """Which of the records that one side shows the other side shows as well."""

    ours: np.ndarray
    theirs: np.ndarray


def rows_kept(log: PlainLog, module: str) -> Kept | None:
    """A6: of version 1 of POSIX, records with FOPENS > 0 are to be dropped; upstream tests it before swapping.

    So in a big-endian log 128 looks negative, and the record is kept. PyDarshan shows those with a name (B42).
    None: the test makes no difference.
    """
    if module != "POSIX" or log.modules[module].version != 1 or log.order == "<":
        return None
    rows = log.stored(module)
    right, seen = rows["POSIX_FOPENS"] <= 0, rows["POSIX_FOPENS"].view("<i8") <= 0
    named = np.isin(rows["id"], np.array(list(log.names), "u8"))
    return Kept(seen[right], right[seen & named])


def slot_bits(log: PlainLog) -> dict[int, bool]:
    """The partial bits as they lie in the file, by slot."""
    known = SPEC.formats[log.format_version]["slot_to_module"]
    return {known.index(name): module.partial for name, module in log.modules.items()}


def blank_mounts(log: PlainLog) -> list[tuple[str, str]]:
    """A11: mounts split at blanks, from the last line on; a line without a second word repeats the line behind it."""
    out: list[tuple[str, str]] = []
    for line in reversed(log.mount_lines):
        words = line.decode("utf-8", "surrogateescape").split()
        out.append((words[1], words[0]) if len(words) > 1 else out[-1])
    return out[::-1]


def partial_bits(log: PlainLog, slots: Mapping[int, bool]) -> set[int]:
    """A3: the slots whose partial bit upstream sees, from those that have it; it never swaps the bit set."""
    if log.order == "<":
        return {slot for slot, bit in slots.items() if bit}
    size = 4 if log.format_version != "3.41" else 8
    bits = sum(1 << slot for slot, bit in slots.items() if bit)
    seen = int.from_bytes(bits.to_bytes(size, "big"), "little")
    return {slot for slot in range(8 * size) if seen >> slot & 1}


def slot_id(log: PlainLog, slot: int) -> int:
    """The module id of a slot as upstream translates it, known or not."""
    known = SPEC.formats[log.format_version]["slot_to_module"]
    if slot < len(known):
        return int(SPEC.modules[known[slot]]["id"])
    return slot + {"3.00": 2, "3.10": 2, "3.20": 1, "3.21": 1, "3.41": 0}[log.format_version]


def unexplained(log: PlainLog, module: str, right: Columns, theirs: Columns) -> Iterator[Difference]:
    """Cells in which upstream shows neither the right value nor what the rules foretell; `ours` is the foretold one."""
    shown, _ = foretell(log, module, right)
    yield from differences(shown, theirs)
