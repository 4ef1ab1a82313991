"""Aggregates by groups: of rows that an independent reader finds, grouped here, and combined by the plain rules."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import darrow
import made
import pytest
from corpus import DATA, SPEC, few, mount_of, shown
from hypothesis import given, settings
from hypothesis import strategies as st
from made import row
from plain import PlainLog, read_plain
from plain_rules import COMBINING, END, FLAG, MAXIMUM, NOT_ALONE, SAME, START, Combined, Row, columns_of, differs
from test_aggregate_corpus import cases
from test_aggregate_random import TIES, random_rows

FOLDERS = ("data", "small", "synthetic")
DATASETS = ("H5D", "PNETCDF_VAR")  # their names have the file in front

# Keys, as they are meant ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Record:
    """A row of a module with what its name says."""

    row: Row
    name: str | None = None
    mount: str | None = None
    fs_type: str | None = None
    of_dataset: bool = False

    @property
    def file(self) -> str | None:
        """The name without the dataset."""
        return self.name.split(":")[0] if self.name is not None and self.of_dataset else self.name


def directory(file: str | None, depth: int) -> str | None:
    """So many components of the path above a file; "/" right under the root."""
    if file is None or "/" not in file:
        return None
    above = file[: file.rindex("/")]
    return re.match(rf"(/*[^/]+){{0,{depth}}}", above)[0] or "/"  # type: ignore[index]


def extension(file: str | None) -> str | None:
    """What stands behind the last dot of the last component, if something stands on both sides."""
    found = re.search(r"[^/]\.([^./]+)\Z", file or "")
    return found[1] if found else None


Patterns = dict[str, str]
Derive = Callable[[Record], list[Any]]
"""The values of a key that a record has, each a tuple: one, or with patterns several."""


def key(by: str | Patterns) -> tuple[tuple[str, ...], Derive]:
    """The columns that tell a key, and its values."""
    if isinstance(by, dict):

        def matching(record: Record) -> list[Any]:
            text = record.name
            return [(p,) for p, e in by.items() if text is not None and re.search(e, text, re.S)] or [(None,)]

        return ("pattern",), matching
    depth = int(by[4:]) if by.startswith("dir:") else 0
    known: dict[str, tuple[tuple[str, ...], Callable[[Record], Any]]] = {
        "file": (("id", "name"), lambda r: (r.row["id"], r.name)),
        "mount": (("mount",), lambda r: (r.mount,)),
        "fs": (("fs_type",), lambda r: (r.fs_type,)),
        "ext": (("ext",), lambda r: (extension(r.file),)),
        "name": (("name",), lambda r: (r.name,)),
        f"dir:{depth}": (("dir",), lambda r: (directory(r.file, depth),)),
    }
    columns, value = known.get(by, ((by,), lambda r: (plain_number(r.row[by]),)))
    return columns, lambda record: [value(record)]


def plain_number(value: Any) -> Any:
    """All NaN are one value."""
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


def listed(by: Any) -> list[Any]:
    return [by] if isinstance(by, (str, dict)) else [*by]


def grouped(records: Iterable[Record], by: Any) -> tuple[tuple[str, ...], dict[tuple[Any, ...], list[Row]]]:
    """The columns that tell the groups, and the rows of each."""
    keys = [key(part) for part in listed(by)]
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for record in records:
        values: list[tuple[Any, ...]] = [()]
        for _, derive in keys:
            values = [left + right for left in values for right in derive(record)]
        for value in values:
            groups.setdefault(value, []).append(record.row)
    return tuple(name for columns, _ in keys for name in columns), groups


# Comparing ------------------------------------------------------------------------------------------------------------


def by_key(table: darrow.Table, columns: Sequence[str]) -> dict[tuple[Any, ...], Row]:
    """The rows of an aggregate by their keys, which tell them apart."""
    rows = table.to_pylist()
    found = {tuple(plain_number(row[name]) for name in columns): row for row in rows}
    assert len(found) == len(rows), "two rows of one key"
    return found


def unlike(agg: darrow.Aggregate, module: str, records: Iterable[Record], by: Any) -> tuple[list[str], int]:
    """What differs in an aggregate from the plain rules applied to groups; how many values were compared.

    With patterns, where records tie is left to `test_ties_with_overlapping_patterns`.
    """
    loose = TIES if any(isinstance(part, dict) for part in listed(by)) else ()
    columns, groups = grouped(records, by)
    ours, missing = by_key(agg, columns), by_key(agg.missing, columns)
    if not set(ours) == set(missing) == set(groups):
        return [f"{by}: groups {set(ours) ^ set(groups)} are not on both sides"], 0
    assert tuple(agg.columns[: len(columns)]) == columns
    wrong, compared = [], 0
    for values, rows in groups.items():
        plain = Combined(module, rows)
        keys = dict(zip(columns, values, strict=True))
        expected = plain.values | plain.lists
        assert set(ours[values]) == set(expected) | set(keys)
        for mine, theirs in ((ours[values], expected), (missing[values], plain.missing)):
            for name, value in theirs.items():
                if name in keys or name in plain.rough or (loose and name.endswith(loose)):
                    continue
                compared += 1
                if differs(name, mine[name], value):
                    wrong.append(f"{by} {values} {name}: ours {mine[name]!r}, theirs {value!r}")
    return wrong, compared


Case = tuple[str, darrow.Records, str, list[Record]]


@cache
def known(folder: str) -> list[Case]:
    """The records of each log and module, and as the plain reader sees them."""
    return [
        (name, log[module], module, as_records(plain, module, rows)) for name, log, plain, module, rows in cases(folder)
    ]


def some(every: int, first: int = 0) -> Iterator[Case]:
    """Those of tests/data, and of other logs every so many."""
    yield from known("data")
    for folder in FOLDERS[1:]:
        yield from known(folder)[first % every :: every]


def as_records(plain: PlainLog, module: str, rows: Iterable[Row]) -> list[Record]:
    lines = [line.decode("utf-8", "surrogateescape").partition("\t") for line in plain.mount_lines]
    mounts = [(path, kind) for kind, tab, path in lines if tab]
    found = []
    for values in rows:
        stored = plain.names.get(values["id"])
        name = None if stored is None else stored.decode("utf-8", "surrogateescape")
        mount, kind = (None, None) if name is None else mount_of(name, mounts)
        texts = [None if text is None else shown(text) for text in (name, mount, kind)]
        found.append(Record(values, *texts, of_dataset=module in DATASETS))
    return found


# Every log ------------------------------------------------------------------------------------------------------------

OVERLAPPING = {"file": r"\.(h5|nc|dat|txt)", "many": "a", "starts": r"^/", "nothing": r"^\b$x", "all but empty": "."}
KEYS: list[Any] = [
    *("file", "rank", "mount", "fs", "dir:1", "dir:2", "dir:3", "dir:99", "ext", "id", "name"),
    OVERLAPPING,
    ["file", "rank"],
    ["fs", "ext"],
    ["rank", "dir:2", "mount"],
    [OVERLAPPING, "rank"],
    ["ext", OVERLAPPING, "dir:1"],
]


@pytest.mark.parametrize("by", KEYS, ids=str)
def test_groups_of_every_log(by: Any) -> None:
    """Every value of every group in every digit (variances up to rounding), and how often each counter was missing.

    Each key with every third log, and all keys with those of tests/data.
    """
    compared, modules, wrong = 0, set(), []
    for name, ours, module, records in some(6, KEYS.index(by)):
        differing, count = unlike(ours.aggregate(by), module, records, by)
        wrong += [f"{name} {module} {text}" for text in differing]
        compared += count
        modules.add(module)
    assert not wrong, few(wrong)
    assert compared > 8_000, compared
    assert modules >= set(COMBINING) - {"NULL"}


def test_groups_of_counters() -> None:
    """Any column is a key: here some of each module, and its groups tell their values where the rule has none."""
    wrong, rows = [], Counter[str]()
    for number, (name, ours, module, records) in enumerate(some(8)):
        names = [column for column in columns_of(module)[2:] if not column.endswith("_uuid")]
        for column in (names[number % len(names)], names[(5 * number + 3) % len(names)]):
            agg = ours.aggregate([column, "rank"])
            differing, _ = unlike(agg, module, records, [column, "rank"])
            wrong += [f"{name} {module} {text}" for text in differing]
            rows[module] += len(agg)
    assert not wrong, few(wrong)
    assert set(rows) >= set(COMBINING) - {"NULL"}


def test_records_of_all_groups_are_all_records() -> None:
    """Without patterns each record is in one group; with patterns in at least one."""
    for name, ours, module, records in some(8, 1):
        for by in KEYS:
            counts = ours.aggregate(by).column("records")
            if OVERLAPPING in listed(by):
                assert sum(counts) >= len(records), (name, module, by)
            else:
                assert sum(counts) == len(records), (name, module, by)
            assert 0 not in counts


def parts_of(agg: darrow.Aggregate) -> Iterator[tuple[str, str, list[Any]]]:
    """The counters that combine from those of parts: how, and the values of the parts that have one."""
    for name in agg.columns:
        if not name.isupper() and "_F_" not in name:
            continue
        if NOT_ALONE.fullmatch(name) or SAME.fullmatch(name):
            continue
        how = "max" if FLAG.fullmatch(name) or MAXIMUM.fullmatch(name) or END.fullmatch(name) else "sum"
        how = "start" if START.fullmatch(name) else "max" if re.search("_MAX_|MAX_DAT", name) else how
        yield name, how, [value for value in agg.column(name) if value is not None]


@pytest.mark.parametrize("by", ["file", "rank", "ext", ["dir:2", "rank"]], ids=str)
def test_groups_together_are_the_module(by: Any) -> None:
    """Sums, extremes, and how much is missing, from the groups: those of all records."""
    count = 0
    for where, ours, module, _ in some(3, len(by)):
        whole, groups = ours.aggregate(), ours.aggregate(by)
        if not len(groups):
            continue
        for name, how, values in parts_of(groups):
            if whole[name] is None:  # nothing there, or the sum does not fit
                assert not values or how == "sum", (where, module, name)
            elif how == "sum" and "_F_" in name:
                assert math.isclose(whole[name], math.fsum(values), rel_tol=1e-13, abs_tol=1e-50), (where, name)
            elif how == "start":
                assert whole[name] == min((value for value in values if value > 0), default=0.0), (where, name)
            else:
                assert whole[name] == (sum if how == "sum" else max)(values), (where, module, name)
            assert whole.missing.column(name) == [sum(groups.missing.column(name))], (where, module, name)
            count += 1
        for column in ("accesses", "strides"):
            if column in whole:
                assert united(whole.column(column)) == united(groups.column(column)), (where, module)
    assert count > 1_500, count


def united(lists: Iterable[list[Row]]) -> Counter[Any]:
    """Common values of several groups, with their counts added."""
    total: Counter[Any] = Counter()
    for entries in lists:
        for entry in entries:
            total[tuple(value for name, value in entry.items() if name != "count")] += entry["count"] or 0
    return total


def test_files_aggregated_again_are_the_module() -> None:
    """The aggregate by files is a table of records again, so far as sums, extremes and common values go."""
    count = 0
    for where, ours, module, _ in some(6):
        if module in ("BG/Q", "MDHIM") or not len(ours):
            continue
        whole, groups = ours.aggregate(), ours.aggregate("file")
        again = darrow.aggregate(groups.to_arrow(), module=module)
        assert again.records == len(groups)
        for name, how, _values in parts_of(groups):
            if how == "sum" and "_F_" in name and whole[name] is not None:
                assert math.isclose(whole[name], again[name], rel_tol=1e-13, abs_tol=1e-50), (where, name)
            elif whole[name] is not None:
                assert whole[name] == again[name], (where, module, name)
            count += 1
    assert count > 1_500, count


def test_selections_before_groups() -> None:
    """Only selected records are grouped: by id, by rank, by name, and by several of them."""
    source, wrong, compared = random.Random(3), [], 0
    for name, ours, module, records in some(12):
        ids = {record.row["id"] for record in source.sample(records, len(records) // 2)}
        ranks = {record.row["rank"] for record in records[:1]}
        letter = "t"
        for options, keep in (
            ({"ids": ids}, lambda r, ids=ids: r.row["id"] in ids),
            ({"ranks": ranks}, lambda r, ranks=ranks: r.row["rank"] in ranks),
            ({"names": letter}, lambda r, letter=letter: r.name is not None and letter in r.name),
            ({"ids": ids, "ranks": ranks}, lambda r, i=ids, k=ranks: r.row["id"] in i and r.row["rank"] in k),
        ):
            kept = [record for record in records if keep(record)]
            for by in (["ext", "rank"], OVERLAPPING):
                differing, count = unlike(ours.select(**options).aggregate(by), module, kept, by)  # type: ignore[arg-type]
                wrong += [f"{name} {module} {options} {text}" for text in differing]
                compared += count
    assert not wrong, few(wrong)
    assert compared > 10_000, compared


def test_tables_that_were_read_and_logs_that_were_not() -> None:
    """Records that are there already, with all columns or some, and those read in batches have one aggregate."""
    for name, ours, module, _ in known("data"):
        for by in ("file", ["ext", "rank"], OVERLAPPING):
            log_path = DATA / name
            unread = darrow.open(log_path)[module].aggregate(by).to_pylist()
            assert str(unread) == str(ours.aggregate(by).to_pylist())
            read = darrow.open(log_path)[module]
            assert len(read) == len(read.column("id"))  # reads it
            assert str(read.aggregate(by).to_pylist()) == str(unread), (name, module)
            some = darrow.open(log_path)[module].select(["rank"])
            assert some.column("rank") == ours.column("rank")
            assert str(some.aggregate(by).to_pylist()) == str(unread), (name, module)


# Random records -------------------------------------------------------------------------------------------------------

NAMES = {1: b"/scratch/a/x.h5", 2: b"out.dat"}  # the third id of random rows has no name


@pytest.mark.parametrize("module", COMBINING)
@given(seed=st.integers(0, 2**32), count=st.integers(1, 12), by=st.sampled_from(KEYS))
@settings(max_examples=20, deadline=None, database=None)
def test_random_records(module: str, seed: int, count: int, by: Any) -> None:
    rows = random_rows(module, seed, count)
    data = made.log_bytes({module: rows}, names=NAMES.items())
    log, plain = darrow.open(data, strict=False), read_plain(data)
    records = as_records(plain, module, made.combined_rows(module, rows))
    wrong, _ = unlike(log[module].aggregate(by), module, records, by)
    assert not wrong, few(wrong)


# Directories, extensions, patterns, by hand ---------------------------------------------------------------------------


def named(*names: bytes | None, module: str = "POSIX") -> darrow.Records:
    """A record for each name, with ids 1, 2, 3, ...; None: without a name."""
    rows = [row(module, number + 1) for number in range(len(names))]
    known = [(number + 1, name) for number, name in enumerate(names) if name is not None]
    return made.records_of(module, rows, names=known)


def value_of(name: bytes | None, by: str, module: str = "POSIX") -> Any:
    agg = named(name, module=module).aggregate(by)
    assert (len(agg), agg.records) == (1, 1)
    return agg[by.partition(":")[0]]


@pytest.mark.parametrize(
    ("name", "one", "two", "all_of_it"),
    [
        (b"/a/b/c/f.h5", "/a", "/a/b", "/a/b/c"),
        (b"/f", "/", "/", "/"),
        (b"f.nc", None, None, None),
        (b"<STDOUT>", None, None, None),
        (b"rel/x/y/f", "rel", "rel/x", "rel/x/y"),
        (b"./f", ".", ".", "."),
        (b"../../f", "..", "../..", "../.."),
        (b"/a//b/f", "/a", "/a//b", "/a//b"),
        (b"/a//f", "/a", "/a", "/a"),
        (b"//a/f", "//a", "//a", "//a"),
        (b"//f", "/", "/", "/"),
        (b"/a/b/", "/a", "/a/b", "/a/b"),
        (b"/", "/", "/", "/"),
        (b"/a.d/f", "/a.d", "/a.d", "/a.d"),
        (b"/\xff/\xe4/f", "/\\xff", "/\\xff/\\xe4", "/\\xff/\\xe4"),
        (b"/a b/new\nline/f", "/a b", "/a b/new\nline", "/a b/new\nline"),
        (b"/12:30/b/f", "/12:30", "/12:30/b", "/12:30/b"),
        (None, None, None, None),
    ],
)
def test_directories(name: bytes | None, one: Any, two: Any, all_of_it: Any) -> None:
    assert (value_of(name, "dir:1"), value_of(name, "dir:2"), value_of(name, "dir:99")) == (one, two, all_of_it)
    assert directory(None if name is None else name.decode("utf-8", "backslashreplace"), 2) == two


@pytest.mark.parametrize(
    ("name", "ext"),
    [
        (b"/a/f.h5", "h5"),
        (b"f.tar.gz", "gz"),
        (b"/a/F.H5", "H5"),
        (b"/a/f", None),
        (b"/a/.bashrc", None),
        (b"/a/f.", None),
        (b"/a/f..", None),
        (b"/a/..f", "f"),
        (b"/a.d/f", None),
        (b"/a/f.h5/", None),
        (b"<STDERR>", None),
        (b"/a/f.\xff", "\\xff"),
        (b"\xff.dat", "dat"),
        (b"/a/f.h 5", "h 5"),
        (b"/a/at 12:30.log", "log"),
        (b"ufs:f.h5", "h5"),
        (None, None),
    ],
)
def test_extensions(name: bytes | None, ext: Any) -> None:
    assert value_of(name, "ext") == ext
    assert extension(None if name is None else name.decode("utf-8", "backslashreplace")) == ext


@pytest.mark.parametrize("module", DATASETS)
def test_datasets_go_by_their_file(module: str) -> None:
    name = b"/d/e/file.h5:/group.x/set.y"
    assert (value_of(name, "ext", module), value_of(name, "dir:9", module)) == ("h5", "/d/e")
    assert (value_of(b"file.nc:var", "ext", module), value_of(b"file.nc:var", "dir:1", module)) == ("nc", None)
    assert value_of(b"/d/e/file.h5", "ext", module) == "h5"  # no dataset


@pytest.mark.parametrize("module", sorted({*COMBINING} - {*DATASETS, "BG/Q"}))
def test_other_names_have_no_datasets(module: str) -> None:
    """A colon in a name of a file means nothing."""
    name = b"/d/12:30/f.h5:/group/set.y"
    assert (value_of(name, "ext", module), value_of(name, "dir:2", module)) == ("y", "/d/12:30")


@pytest.mark.parametrize(
    ("module", "name"),
    [("H5D", b"/runs/2024-01-01T12:30/f.h5:/g/s"), ("PNETCDF_VAR", b"/runs/2024-01-01T12:30/f.h5:v")],
)
def test_datasets_of_files_with_a_colon(module: str, name: bytes) -> None:
    """Directories are often named by a time of day."""
    assert value_of(name, "ext", module) == "h5"
    assert value_of(name, "dir:9", module) == "/runs/2024-01-01T12:30"


def test_patterns_look_at_the_whole_name_of_a_dataset() -> None:
    agg = named(b"/d/f.h5:/group/set", b"/d/f.h5:/other/set", module="H5D").aggregate({"group": ":/group/"})
    assert by_number(agg) == {"group": 1, None: 1}


def by_number(agg: darrow.Aggregate) -> dict[Any, int]:
    """Number of records by pattern."""
    return dict(zip(agg.column("pattern"), agg.column("records"), strict=True))


def test_patterns() -> None:
    """A record may be in several; those of none are in a row of null, as are those without a name."""
    rec = named(b"/a/x.h5", b"/a/y.h5", b"/b/x.nc", b"<STDIN>", None)
    assert by_number(rec.aggregate({"h5": r"\.h5$", "a": "^/a/", "x": "x"})) == {"h5": 2, "a": 2, "x": 2, None: 2}
    assert by_number(rec.aggregate({"no": "nothing"})) == {None: 5}
    assert by_number(rec.aggregate({"all": "", "some": "x"})) == {"all": 4, "some": 2, None: 1}
    assert by_number(named(b"a", b"b").aggregate({"all": "."})) == {"all": 2}
    assert by_number(named(b"a").aggregate({"": "a", "same": "a"})) == {"": 1, "same": 1}
    both = rec.aggregate([{"h5": "h5", "x": "x"}, "ext"])
    found = Counter(zip(both.column("pattern"), both.column("ext"), both.column("records"), strict=True))
    assert found == Counter([("h5", "h5", 2), ("x", "h5", 1), ("x", "nc", 1), (None, None, 2)])


def test_ties_with_overlapping_patterns() -> None:
    """Of equally long calls the first record's size counts, whatever other patterns there are."""
    sizes = [("a", 10), ("ab", 20), ("a", 30), ("b", 40)]
    rows = [
        row("POSIX", number + 1, 0, F_MAX_READ_TIME=0.5, MAX_READ_TIME_SIZE=size)
        for number, (_, size) in enumerate(sizes)
    ]
    for turned in (False, True):
        order = [*reversed(range(4))] if turned else [*range(4)]
        names = [(number + 1, b"/" + sizes[number][0].encode()) for number in range(4)]
        rec = made.records_of("POSIX", [rows[number] for number in order], names=names)
        agg = rec.aggregate({"a": "a", "b": "b", "all": "/"})
        found = dict(zip(agg.column("pattern"), agg.column("POSIX_MAX_READ_TIME_SIZE"), strict=True))
        for letter in "ab":
            assert found[letter] == next(sizes[number][1] for number in order if letter in sizes[number][0])
        assert found["all"] == rec.aggregate().POSIX_MAX_READ_TIME_SIZE == sizes[order[0]][1]


@pytest.mark.parametrize("many", [61, 64, 65, 200])
def test_many_patterns(many: int) -> None:
    rec = named(*(b"/f%d." % i for i in range(many)), b"/none")
    agg = rec.aggregate({f"p{i}": rf"f{i}\." for i in range(many)} | {"every": "/"})
    assert by_number(agg) == {f"p{i}": 1 for i in range(many)} | {"every": many + 1}


def test_patterns_that_need_much_memory_together() -> None:
    """Found one by one if they cannot be found at once."""
    patterns = {f"p{i}": rf"(\pL{{1,40}}|[0-9a-f]{{2,60}}x).{{0,90}}{i}z" for i in range(30)}
    agg = named(*(b"/" + b"abc" * 20 + b"x%dz" % i for i in range(30))).aggregate(patterns)
    expected: Counter[str | None] = Counter()
    for i in range(30):
        text = "/" + "abc" * 20 + f"x{i}z"
        expected.update([f"p{k}" for k in range(30) if text.endswith(f"{k}z")])
    assert by_number(agg) == expected


@pytest.mark.parametrize("escaped", [b"/a/\xff.h5", b"/a/\xc3\xa4.h5"])
def test_patterns_see_names_as_they_are_shown(escaped: bytes) -> None:
    rec = named(escaped)
    text = escaped.decode("utf-8", "backslashreplace")
    assert by_number(rec.aggregate({"it": f"^{re.escape(text)}$"})) == {"it": 1}


def test_compiled_patterns() -> None:
    rec = named(b"/a/X.H5", b"/a/x.h5", b"/a/\xc3\x84", b"line\nfeed")
    assert by_number(rec.aggregate({"h5": re.compile(r"\.h5$")})) == {"h5": 1, None: 3}
    assert by_number(rec.aggregate({"h5": re.compile(r"\.h5$", re.IGNORECASE)})) == {"h5": 2, None: 2}
    assert by_number(rec.aggregate({"h5": re.compile(r"(?i)\.h5$")})) == {"h5": 2, None: 2}
    assert by_number(rec.aggregate({"a": re.compile("ä", re.IGNORECASE)})) == {"a": 1, None: 3}


@pytest.mark.parametrize(
    ("expression", "found"), [(re.compile("^f", re.MULTILINE), 1), (re.compile(" x . h5 # comment", re.VERBOSE), 1)]
)
def test_flags_of_compiled_patterns(expression: re.Pattern[str], found: int) -> None:
    """They mean what they mean in Python, or are refused: nothing is silently found otherwise."""
    assert sum(expression.search(name) is not None for name in ("x.h5", "line\nfeed")) == found
    try:
        agg = named(b"x.h5", b"line\nfeed").aggregate({"it": expression})
    except ValueError:
        return
    assert by_number(agg) == {"it": 1, None: 1}


@pytest.mark.parametrize(
    ("by", "error", "texts"),
    [
        ({"good": "a", "bad one": "(x"}, darrow.AggregationError, ("bad one", "(x", ")")),
        ({"back": r"(a)\1"}, darrow.AggregationError, ("back", r"\1")),
        ({}, ValueError, ("without patterns",)),
        ([{"a": "a"}, {"b": "b"}], ValueError, ("patterns are given twice",)),
        ("pattern", ValueError, ("mapping",)),
        ({1: "a"}, TypeError, ("names of text", "1")),
        ({"a": 1}, TypeError, ("regular expression", "1")),
        ({"a": re.compile(b"a")}, TypeError, ("regular expression", "b'a'")),
        (["file", "rank", "file"], ValueError, ("the same key twice", "file, rank, file")),
        ("nothing", darrow.AggregationError, ("no column", "nothing", "POSIX")),
        ("", darrow.AggregationError, ("nothing given",)),
        ("dir", darrow.AggregationError, ("dir:2",)),
        ("dir:", darrow.AggregationError, ("dir:2",)),
        ("dir:0", darrow.AggregationError, ("dir:0",)),
        ("dir:-1", darrow.AggregationError, ("dir:-1",)),
        ("dir:2x", darrow.AggregationError, ("dir:2x",)),
        ("dir:99999999999", darrow.AggregationError, ("dir:99999999999",)),
        (["file", 3], TypeError, ("names of keys", "3")),
        (3, TypeError, ("names of keys", "3")),
        (b"file", TypeError, ("names of keys", "b'file'")),
    ],
    ids=str,
)
def test_keys_that_are_none(by: Any, error: type[Exception], texts: tuple[str, ...]) -> None:
    for group in (named(b"/a").aggregate, lambda by: darrow.aggregate(named(b"/a").to_arrow(), by)):
        with pytest.raises(error) as caught:
            group(by)
        for text in texts:
            assert text in str(caught.value), str(caught.value)


@pytest.mark.parametrize(
    "by", [["dir:1", "dir:2"], ["file", "id"], ["file", "name"], ["fs", "fs_type"], ["mount", "file", "name"]], ids=str
)
def test_no_two_columns_of_one_name(by: list[str]) -> None:
    """Keys that tell the same column: refused, or the column is there once."""
    try:
        agg = named(b"/a/b/c", b"/a/d/e").aggregate(by)
    except ValueError:
        return
    assert len(set(agg.columns)) == len(agg.columns)


@pytest.mark.parametrize("module", [module for module in SPEC.modules if module not in (*COMBINING, "HEATMAP")])
def test_what_does_not_combine_is_not_grouped(module: str) -> None:
    path = next((p for p in sorted(DATA.glob("*.darshan")) if has(p, module)), None)
    if path is None:
        pytest.skip(f"no small log of {module}")
    with pytest.raises(darrow.AggregationError, match=f"{module} do not combine"):
        darrow.open(path, strict=False)[module].aggregate("rank")


def has(path: Path, module: str) -> bool:
    try:
        return module in darrow.open(path, strict=False)
    except darrow.DarrowError:
        return False


def test_heat_maps_are_not_grouped() -> None:
    with pytest.raises(darrow.AggregationError, match="by layer"):
        darrow.open(DATA / "heatmap-25s.darshan")["HEATMAP"].aggregate("rank")


# No records, missing values, many groups ------------------------------------------------------------------------------


@pytest.mark.parametrize("by", KEYS, ids=str)
@pytest.mark.parametrize("module", ["POSIX", "H5D", "MDHIM"])
def test_no_records_no_groups(module: str, by: Any) -> None:
    """No row, but every column."""
    rec = made.records_of(module, [row(module, 1)], names=[(1, b"/a/b.c")])
    none = rec.select(ids=[7])
    agg = none.aggregate(by)
    assert (len(agg), agg.to_pylist(), agg.missing.to_pylist(), agg.problems) == (0, [], [], [])
    assert agg.columns == rec.aggregate(by).columns
    assert "0 records" in repr(agg)


def test_missing_values_of_each_group() -> None:
    rec = made.records_of(
        "POSIX",
        [
            row("POSIX", 1, 0, FILENOS=-1, DUPS=2),
            row("POSIX", 1, 1, FILENOS=4, DUPS=-1),
            row("POSIX", 2, 0, FILENOS=-1, DUPS=-1),
        ],
    )
    agg = rec.aggregate("file")
    assert agg.column("id") == agg.missing.column("id") == [1, 2]
    assert agg.column("POSIX_FILENOS") == [4, None]
    assert agg.missing.column("POSIX_FILENOS") == [1, 1]
    assert agg.missing.column("POSIX_DUPS") == [1, 1]
    assert agg.missing.column("POSIX_READS") == [0, 0]
    assert rec.aggregate("rank").missing.column("POSIX_FILENOS") == [2, 0]


def test_a_sum_that_does_not_fit_spoils_only_its_group() -> None:
    most = 2**63 - 1
    rows = [row("POSIX", key, rank, BYTES_READ=value) for key, rank, value in ((1, 0, most), (1, 1, 1), (2, 0, most))]
    agg = made.records_of("POSIX", rows).aggregate("file")
    assert agg.column("POSIX_BYTES_READ") == [None, most]
    assert [(problem.kind, problem.count) for problem in agg.problems] == [("sum_overflow", 1)]


def test_many_groups() -> None:
    """More groups than a batch has rows; the values of each from its own records."""
    rows = [row("STDIO", 1 + number % 5000, number % 3, OPENS=number) for number in range(15_000)]
    agg = made.records_of("STDIO", rows).aggregate("file")
    opens: Counter[int] = Counter()
    for values in rows:
        opens[values["id"]] += values["STDIO_OPENS"]
    assert dict(zip(agg.column("id"), agg.column("STDIO_OPENS"), strict=True)) == opens


def test_one_row_is_had_by_name_and_several_are_not() -> None:
    rec = made.records_of("POSIX", [row("POSIX", 1, READS=3), row("POSIX", 2, READS=4)])
    one = rec.aggregate("rank")
    assert (one.rank, one["POSIX_READS"], one.records) == (0, 7, 2)
    with pytest.raises(ValueError, match="2 rows"):
        rec.aggregate("file")["POSIX_READS"]
    assert rec.aggregate("file").schema["POSIX_READS"].rule == "sum"


def test_damage_stays_what_it_is() -> None:
    """Of a strict log: no aggregate of half the records."""
    data = made.log_bytes({"POSIX": [row("POSIX", 1), row("POSIX", 2)]})
    log = darrow.open(data[:-100])
    with pytest.raises(darrow.CorruptLogError):
        log["POSIX"].aggregate("file")


def test_a_closed_log_is_no_aggregation_error() -> None:
    log = made.log_of({"POSIX": [row("POSIX", 1)]})
    rec = log["POSIX"]
    log.close()
    with pytest.raises(ValueError, match="closed") as caught:
        rec.aggregate("file")
    assert not isinstance(caught.value, darrow.AggregationError)
