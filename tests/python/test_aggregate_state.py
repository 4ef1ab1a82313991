"""States of accumulators: taken back as they are, and refused when damaged, never more than that."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import darrow
import made
import pytest
from corpus import DATA
from darrow import _core
from made import row
from plain_rules import COMBINING
from test_aggregate_random import compare, random_rows, values_of

KINDS = [_core.Accumulator, _core.Activity]


@functools.cache
def small_log(module: str) -> darrow.Log:
    return made.log_of({module: random_rows(module, 1, 4)}, strict=False)


def results(state: Any) -> str:
    """All that an accumulator tells, as text."""
    parts = state.parts()[:2] if isinstance(state, _core.Accumulator) else state.tables()
    return str([[part.column(name, False) for name in part.columns] for part in parts])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("module", COMBINING)
def test_round_trip(module: str, kind: Any) -> None:
    made_of = kind.of(small_log(module)._source.core, module)
    again = kind.from_state(made_of.state())
    assert again.state() == made_of.state()
    assert results(again) == results(made_of)


def survives(kind: Any, state: bytes) -> bool:
    """Whether the bytes are taken for a state. If so it must answer; else the error must be a ValueError."""
    try:
        taken = kind.from_state(state)
    except ValueError:
        return False
    results(taken)
    return True


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("module", ["STDIO", "MDHIM", "H5F", "POSIX"])
def test_truncated_states_are_refused(module: str, kind: Any) -> None:
    state = kind.of(small_log(module)._source.core, module).state()
    for length in range(0, len(state), max(1, len(state) // 1500)):
        assert not survives(kind, state[:length]), length
    assert not survives(kind, state + b"\0")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("module", ["STDIO", "MDHIM", "H5F", "POSIX"])
@pytest.mark.parametrize("damage", [lambda b: b ^ 0xFF, lambda b: b ^ 0x01, lambda b: 0x80])
def test_damaged_states(module: str, kind: Any, damage: Callable[[int], int]) -> None:
    state = kind.of(small_log(module)._source.core, module).state()
    for at in range(len(state)):
        damaged = bytearray(state)
        damaged[at] = damage(state[at])
        survives(kind, bytes(damaged))
    for mark in range(20):  # what it is and in which form
        damaged = bytearray(state)
        damaged[mark] ^= 0xFF
        assert not survives(kind, bytes(damaged))


def test_states_of_one_kind_only() -> None:
    log = darrow.open(DATA / "example.darshan")._source.core
    accumulator, activity = (kind.of(log, "POSIX") for kind in KINDS)
    for kind, state in ((_core.Activity, accumulator.state()), (_core.Accumulator, activity.state())):
        with pytest.raises(ValueError, match="state"):
            kind.from_state(state)
    with pytest.raises(ValueError, match="cannot be merged"):
        accumulator.merge(_core.Accumulator.of(log, "STDIO"))


@pytest.mark.parametrize("module", ["POSIX", "STDIO", "DFS", "H5D"])
def test_activity_in_parts(module: str) -> None:
    """By ranks, by ids and in batches: the same metrics."""
    for seed in range(30):
        rows = random_rows(module, seed, 8)
        log = made.log_of({module: rows}, strict=False)._source.core
        whole = results(_core.Activity.of(log, module))
        assert results(_core.Activity.of(log, module, batch_rows=1)) == whole
        for option, key in (("ranks", "rank"), ("ids", "id")):
            first, *others = (
                _core.Activity.of(log, module, **{option: [value]}) for value in sorted({row[key] for row in rows})
            )
            for other in others:
                first.merge(_core.Activity.from_state(other.state()))
            assert results(first) == whole, (seed, option)


@pytest.mark.parametrize("path", sorted(DATA.glob("*.darshan")), ids=lambda path: path.stem)
def test_parts_of_logs(path: Any) -> None:
    """Records one by one and merged are what they are together."""
    try:
        log = darrow.open(path, strict=False)
    except darrow.DarrowError:
        return
    for module in log:
        if module not in COMBINING:
            continue
        core = log._source.core
        ids = sorted({*log[module].column("id")})[:40]
        whole = values_of(_core.Accumulator.of(core, module, ids=ids).parts())
        first, *others = (_core.Accumulator.of(core, module, ids=[record_id]) for record_id in ids or [0])
        for other in others:
            first.merge(other)
        merged = values_of(first.parts())
        assert merged[1] == whole[1]
        assert not compare(merged[0], whole[0], ("_MAX_READ_TIME_SIZE", "_MAX_WRITE_TIME_SIZE"))


def test_a_sum_that_comes_round_to_zero() -> None:
    """Four times 2^62 is 2^64, which 64 bits show as 0: it stays a sum that does not fit, in states and merges too."""
    rows = [row("POSIX", key, 0, BYTES_READ=2**62) for key in (1, 2, 3, 4)] + [row("POSIX", 5, 0, BYTES_READ=1)]
    core = made.log_of({"POSIX": rows})._source.core
    for kind, value in (
        (_core.Accumulator, lambda a: a.parts()[0].column("POSIX_BYTES_READ", False)),
        (_core.Activity, lambda a: a.tables()[0].column("bytes_read", False)),
    ):
        whole = kind.of(core, "POSIX", ids=[5])
        whole.merge(kind.from_state(kind.of(core, "POSIX", ids=[1, 2, 3, 4]).state()))
        assert value(whole) == [None]
        assert value(kind.from_state(whole.state())) == [None]
