"""Aggregates and metrics of every log of the corpus against plain implementations, and what must hold among them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import darrow
import plain_metrics
import pytest
from corpus import DATA, LOGS, NO_LOGS, UPSTREAM, few
from darrow import _core
from plain import PlainLog, read_plain
from plain_rules import COMBINING, PREFIX, Combined, Row, columns_of, differs, rows_of
from test_aggregate_random import TIES, compare, values_of

# How many values must be compared in a folder, at least: aggregates, metrics.
FOLDERS = {
    "data": (DATA, 1500, 1000),
    "small": (LOGS / "small", 15_000, 9_000),
    "synthetic": (LOGS / "synthetic", 23_000, 12_000),
    "fleet": (LOGS / "fleet", 25_000, 14_000),
    "upstream": (UPSTREAM / "logs", 20_000, 10_000),
}
BOTTOM = ("POSIX", "STDIO", "DFS")


@cache
def paths(folder: str) -> tuple[Path, ...]:
    """Logs that the plain reader can take: those without damage."""
    found = []
    for path in sorted(FOLDERS[folder][0].rglob("*.darshan")):
        log = _opened(path)
        if log is not None and not any(p.severity == "error" or p.kind == "module_version" for p in log.verify()):
            found.append(path)
    if not found:
        pytest.skip(NO_LOGS)
    return tuple(found)


def _opened(path: Path) -> darrow.Log | None:
    try:
        return darrow.open(path, strict=False)
    except darrow.DarrowError:
        return None


@pytest.fixture(scope="module", params=FOLDERS)
def folder(request: pytest.FixtureRequest) -> str:
    return request.param


Case = tuple[str, darrow.Log, PlainLog, str, list[Row]]


def cases(folder: str) -> Iterator[Case]:
    """Each log and module with the records that a plain reader finds."""
    for path in paths(folder):
        log, plain = darrow.open(path), read_plain(path)
        for module in log:
            if module in COMBINING:
                yield path.name, log, plain, module, rows_of(plain, module)


def test_aggregates(folder: str) -> None:
    """Every value in every digit (variances up to rounding), and in how many records each counter was missing."""
    compared, wrong = 0, []
    for name, log, _plain, module, rows in cases(folder):
        aggregate, there = log[module].aggregate(), Combined(module, rows)
        for ours, theirs in (
            (aggregate.to_pylist()[0], there.values | there.lists),
            (aggregate.missing.to_pylist()[0], there.missing),
        ):
            assert set(theirs) <= set(ours)
            wrong += [
                f"{name} {module} {key}: ours {ours[key]!r}, theirs {value!r}"
                for key, value in theirs.items()
                if differs(key, ours[key], value)
            ]
            compared += sum(len(value) if isinstance(value, list) else 1 for value in theirs.values())
        assert set(there.values) | set(there.lists) == set(aggregate.columns)
    assert not wrong, few(wrong)
    assert compared >= FOLDERS[folder][1], compared


def test_metrics(folder: str) -> None:
    """Times along the slowest ranks, files and bytes by category; of a module alone and in the summary."""
    compared, wrong = 0, []
    for name, log, plain, module, rows in cases(folder):
        ours = darrow.metrics(log[module])
        assert log.summary(module)[module] == ours
        if not rows:
            continue
        pairs = plain_metrics.pairs(ours, module, rows, plain.job["nprocs"])
        wrong += [f"{name} {module} {key}: ours {a!r}, theirs {b!r}" for key, a, b in pairs if differs(key, a, b)]
        compared += len(pairs)
    assert not wrong, few(wrong)
    assert compared >= FOLDERS[folder][2], compared


def summaries(folder: str) -> Iterator[tuple[str, darrow.Log, darrow.Summary]]:
    for path in paths(folder):
        log = darrow.open(path)
        yield path.name, log, log.summary()


def add(values: Iterator[Any] | list[Any]) -> Any:
    """The sum of what is known; None if nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def test_rates_are_bytes_by_time(folder: str) -> None:
    count = 0
    for name, _log, summary in summaries(folder):
        for module, metrics in summary.items():
            if metrics.rate is None:
                assert not metrics.time_by_slowest or metrics.bytes is None, (name, module)
                continue
            assert math.isclose(metrics.rate * metrics.time_by_slowest, metrics.bytes, rel_tol=1e-15), (name, module)
            count += 1
    assert count or folder == "synthetic"


def test_categories_are_parts_of_all(folder: str) -> None:
    count = 0
    for name, _log, summary in summaries(folder):
        for module, metrics in summary.items():
            parts = metrics.categories
            for column in ("files", "bytes_read", "bytes_written", "bytes"):
                whole = parts["all"][column]
                if parts["read_only"].files is not None:  # the module counts bytes
                    uses = [parts[c][column] for c in plain_metrics.USES]
                    assert add(uses) == whole, (name, module, column)
                    count += 1
                # A category without files has 0 bytes, also where nobody recorded them.
                sharings = [parts[c][column] for c in plain_metrics.SHARINGS if parts[c].files or not metrics.files]
                assert add(sharings) == whole, (name, module, column)
            assert parts["all"].files == metrics.files
            assert parts["all"].bytes == metrics.bytes or metrics.bytes is None
    assert count


def test_mounts_are_parts_of_the_bottom(folder: str) -> None:
    """POSIX, STDIO and DFS by mount add up to the three, and so does the bottom layer."""
    count = 0
    for name, log, summary in summaries(folder):
        layers = [summary[module] for module in BOTTOM if module in summary]
        if not layers:
            continue
        mounts, bottom = summary.mounts.to_pylist(), log.summary(layer="bottom")
        assert list(bottom) == ["bottom"]
        for column in ("records", "bytes_read", "bytes_written"):
            expected = add([layer[column] for layer in layers])
            assert add([mount[column] for mount in mounts]) == expected == bottom["bottom"][column], (name, column)
            count += 1
        for column in ("read_time", "write_time", "meta_time"):
            expected = add([layer[column] for layer in layers])
            for ours in (add([mount[column] for mount in mounts]), bottom["bottom"][column]):
                assert ours == expected or math.isclose(ours, expected, rel_tol=1e-12), (name, column)
    assert count


def test_histograms_and_common_sizes(folder: str) -> None:
    """Buckets are the sums of their counters; listed sizes and all others together are all accesses."""
    count = 0
    for name, _log, summary in summaries(folder):
        for module, metrics in summary.items():
            prefix = PREFIX.get(module, module)
            for op in ("read", "write"):
                buckets = [row["count"] for row in metrics.access_sizes if row["op"] == op]
                counters = [c for c in columns_of(module) if c.startswith(f"{prefix}_SIZE_{op.upper()}_")]
                assert len(counters) in (0, 10)
                if metrics.records == 0:  # the aggregate of nothing has no values
                    assert not any(buckets)
                    continue
                assert buckets == [metrics.record[counter] for counter in counters], (name, module)
                count += len(buckets)
            listed = [row for row in metrics.common_accesses if row["size"] is not None]
            by_size: Counter[int] = Counter()
            for entry in metrics.record.get("accesses", ()):  # tuples of some modules begin with the size
                by_size[entry["access"]] += entry["count"]
            expected = sorted(((n, size) for size, n in by_size.items()), reverse=True)[:4]
            assert [(row["count"], row["size"]) for row in listed] == expected, (name, module)
            others = [row["count"] for row in metrics.common_accesses if row["size"] is None]
            if others and others[0] is not None:
                assert sum(row["count"] for row in metrics.common_accesses) == metrics.reads + metrics.writes
    assert count


@pytest.mark.parametrize("by", ["rank", "id"])
def test_parts_add_up(folder: str, by: str) -> None:
    """Sums over parts of the records are those of all, exactly; extremes are extremes of the parts'."""
    count = 0
    for name, log, _plain, module, rows in cases(folder):
        values = sorted({row[by] for row in rows})
        if not 1 < len(values) <= 12:
            continue
        whole = log[module].aggregate().to_pylist()[0]
        option = {"rank": "ranks", "id": "ids"}[by]
        parts = [log[module].select(**{option: [value]}).aggregate().to_pylist()[0] for value in values]  # type: ignore[arg-type]
        for field in log[module].aggregate().schema:
            if not field.name.isupper() and "_F_" not in field.name:
                continue
            there = [part[field.name] for part in parts if part[field.name] is not None]
            ours = whole[field.name]
            if field.rule == "sum" and field.type == "int64" and ours is not None:
                assert ours == sum(there), (name, module, field.name)
            elif field.rule in ("max", "end") and there:
                assert ours == max(there), (name, module, field.name)
            elif field.rule == "start" and there:
                assert ours == min((value for value in there if value > 0), default=0.0), (name, module, field.name)
            elif field.rule == "flag" and there:
                assert ours == max(there), (name, module, field.name)
            else:
                continue
            count += 1
    assert count


def test_order_of_records(folder: str) -> None:
    """Accumulators of single ranks, merged from the last to the first: the same but for ties and rounded variances."""
    count = 0
    for name, log, _plain, module, rows in cases(folder):
        ranks = sorted({row["rank"] for row in rows}, reverse=True)
        if not 1 < len(ranks) <= 12:
            continue
        core = log._source.core
        whole, activity = _core.Accumulator.of(core, module), _core.Activity.of(core, module)
        merged, joined = (kind.of(core, module, ranks=ranks[:1]) for kind in (_core.Accumulator, _core.Activity))
        for rank in ranks[1:]:
            merged.merge(_core.Accumulator.of(core, module, ranks=[rank]))
            joined.merge(_core.Activity.of(core, module, ranks=[rank]))
        (ours, missing), (theirs, there) = values_of(merged.parts()), values_of(whole.parts())
        assert not compare(ours, theirs, TIES), (name, module)
        assert missing == there
        for a, b in zip(joined.tables(), activity.tables(), strict=True):
            assert [a.column(c, False) for c in a.columns] == [b.column(c, False) for c in b.columns], (name, module)
        count += len(theirs)
    assert count
