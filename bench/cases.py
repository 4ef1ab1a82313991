"""What is measured: who does what with which log, and the figures to reach."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from measure import Case, Runs, Scenario, Spread

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DARROW = Path(sysconfig.get_path("scripts")) / "darrow"


@dataclass(frozen=True)
class Region:
    """A module of a log, its number, and a column whose sum tells that all readers saw the same."""

    module: str
    number: int
    column: str


POSIX = Region("POSIX", 1, "POSIX_BYTES_WRITTEN")
H5D = Region("H5D", 4, "H5D_BYTES_WRITTEN")
STDIO = Region("STDIO", 9, "STDIO_BYTES_WRITTEN")
DXT = Region("DXT_POSIX", 10, "length")


# What bench/generate.py makes: the file, its kind, how much of it.
GENERATED = {
    "posix": ("posix-1m.darshan", "posix", 1_000_000),
    "large": ("posix-2m.darshan", "posix", 2_000_000),
    "long": ("dxt-10m.darshan", "dxt", 10_000_000),
    "fleet": ("fleet", "fleet", 20_000),
}


def generated(programs: Path) -> dict[str, Path]:
    """Where those are."""
    return {name: programs / file for name, (file, *_) in GENERATED.items()}


def python(name: str, operation: str, *arguments: object) -> Case:
    return Case(name, [sys.executable, str(HERE / "operations.py"), operation, *map(str, arguments)])


def limits(programs: Path, log: Path, region: Region, names: bool = True) -> dict[str, Case]:
    """The inflate limit, and the stricter one: only what is read, with memory enough at once."""
    program = str(programs / "bench_inflate_limit")
    only = [*(["names"] if names else []), str(region.number)]
    what = f"names and {region.module} alone" if names else f"{region.module} alone"
    return {
        "limit": Case("inflate limit", [program, str(log)]),
        "strict": Case(f"inflating {what}, no retry", [program, str(log), "--guess", "32", *only]),
    }


def readers(programs: Path, log: Path, region: Region) -> dict[str, Case]:
    """Darrow's ways from a log to columns."""
    arguments = (log, region.module, region.column)
    return {
        "columns": Case("Darrow, C++ columns", [str(programs / "bench_columns"), *map(str, arguments)]),
        "arrow": python("Darrow, pyarrow table", "darrow_arrow", *arguments),
        "pandas": python("Darrow, pandas frame", "darrow_pandas", *arguments),
        "polars": python("Darrow, Polars frame", "darrow_polars", *arguments),
    }


def summary(log: Path) -> dict[str, Case]:
    """All metrics, categories, sizes, mounts and aggregates of every module."""
    return {"darrow": Case("darrow summary", [str(DARROW), "summary", "--format", "json", str(log)], reports=False)}


def accumulated(log: Path) -> dict[str, Case]:
    """What the peer has of it: its five modules' accumulators."""
    return {"pydarshan": python("PyDarshan, accumulated", "pydarshan_summary", log)}


def converted(log: Path, programs: Path) -> dict[str, Case]:
    """The whole log written again."""
    out = str(programs / "converted.darshan")
    command = [str(DARROW), "convert", "--force", str(log), out]
    return {"darrow": Case("darrow convert", command, reports=False), "sizes": python("sizes", "sizes", log)}


def told(command: str, log: Path) -> dict[str, Case]:
    """The text of a log; nobody reads it."""
    script = 'exec "$0" "$1" "$2" > /dev/null'
    return {
        "darrow": Case(f"darrow {command}", ["/bin/sh", "-c", script, str(DARROW), command, str(log)], reports=False)
    }


def written(log: Path, programs: Path) -> dict[str, Case]:
    """A table of many records written as a log, from C++ and from pyarrow."""
    encode = Case("Darrow, C++ table", [str(programs / "bench_encode"), str(log), POSIX.module])
    return {"encode": encode, "arrow": python("Darrow, pyarrow table", "darrow_write", log, POSIX.module)}


def grouped(log: Path) -> dict[str, Case]:
    """The records of a log in one group, by rank, by three patterns, and with a group a record."""
    ways = {
        "module": ["--by", "module"],
        "rank": ["--by", "rank"],
        "patterns": [f"--pattern={name}={expression}" for name, expression in (("a", "1"), ("b", "2"), ("c", "3"))],
        "file": ["--by", "file"],
    }
    command = [str(DARROW), "summary", str(log)]
    return {key: Case(f"darrow summary {' '.join(way)}", [*command, *way], reports=False) for key, way in ways.items()}


def jobs(folder: Path) -> dict[str, Case]:
    """A row a job of a folder of logs."""
    command = [str(DARROW), "summary", "--by", "job", "--module", "posix", "--threads", "1", str(folder)]
    return {"one": Case("darrow summary --by job", command, reports=False)}


def came_back(log: Path) -> dict[str, Case]:
    """A million records aggregated: as Darrow's own table, and as frames of others."""
    forms = {"native": "Darrow's table", "pyarrow": "pyarrow", "polars": "Polars", "pandas": "pandas"}
    return {
        key: python(f"aggregate(), {name}", "darrow_aggregate", log, POSIX.module, key) for key, name in forms.items()
    }


def scenarios(logs: Path, programs: Path) -> list[Scenario]:
    made = generated(programs)
    names = ("posix-100k", "h5d-20k", "stdio-50k", "dxt-1m", "dxt-1m-v2")
    posix, h5d, stdio, dxt, dxt2 = (logs / f"{name}.darshan" for name in names)
    small = ROOT / "tests" / "data" / "example.darshan"
    frame = python("PyDarshan, to_df()", "pydarshan_frame", posix, POSIX.module, POSIX.column)
    segments = ("pydarshan_segments", dxt, DXT.module, DXT.column)
    peers = {
        "pydarshan": python("PyDarshan, to_df()", *segments),
        "pydarshan_dtype": python('PyDarshan, dtype="pandas"', *segments, "pandas"),
    }
    return [
        Scenario("import", "Start-up", None, {"darrow": python("import darrow", "darrow_import")}),
        Scenario("small", "Summary of a small log", small, summary(small) | accumulated(small)),
        Scenario(
            "summary",
            "Summary",
            posix,
            limits(programs, posix, POSIX, names=False) | summary(posix) | accumulated(posix),
        ),
        Scenario(
            "summary-h5d",
            "Summary of HDF5 datasets (PyDarshan has none)",
            h5d,
            limits(programs, h5d, H5D, names=False) | summary(h5d),
        ),
        Scenario(
            "summary-stdio",
            "Summary of streams",
            stdio,
            limits(programs, stdio, STDIO, names=False) | summary(stdio) | accumulated(stdio),
        ),
        Scenario(
            "posix",
            "Records to columns and frames",
            posix,
            limits(programs, posix, POSIX) | readers(programs, posix, POSIX) | {"pydarshan": frame},
        ),
        Scenario(
            "dxt",
            "Trace to a flat table",
            dxt,
            limits(programs, dxt, DXT) | readers(programs, dxt, DXT) | peers,
        ),
        Scenario(
            "dxt-v2",
            "Trace with thread ids to a flat table (PyDarshan cannot read it)",
            dxt2,
            limits(programs, dxt2, DXT) | readers(programs, dxt2, DXT),
        ),
        Scenario(
            "convert",
            "A log written again",
            posix,
            limits(programs, posix, POSIX) | converted(posix, programs),
        ),
        Scenario(
            "parse",
            "The text of darshan-parser (1.03 GB)",
            posix,
            limits(programs, posix, POSIX) | told("parse", posix),
        ),
        Scenario("dxt-text", "The text of darshan-dxt-parser", dxt, limits(programs, dxt, DXT) | told("dxt", dxt)),
        Scenario("groups", "Records by groups", posix, limits(programs, posix, POSIX, names=False) | grouped(posix)),
        Scenario("jobs", "A table of 20,000 jobs", made["fleet"], jobs(made["fleet"]), most=3),
        Scenario("back", "Dataframes aggregated", made["posix"], came_back(made["posix"]), most=3),
        Scenario("write", "A million records written", made["posix"], written(made["posix"], programs), most=2),
    ]


# The figures to reach -------------------------------------------------------------------------------------------------

Value = Callable[[dict[str, Runs]], Spread]


@dataclass(frozen=True)
class Figure:
    scenario: str
    text: str
    value: Value
    unit: str = "×"
    at_most: float | None = None
    at_least: float | None = None

    def reached(self, value: Spread) -> bool:
        """Whether the median is within the bounds."""
        return (self.at_most is None or value.median <= self.at_most) and (
            self.at_least is None or value.median >= self.at_least
        )


def over_limit(case: str, what: str = "cpu") -> Value:
    return lambda runs: runs[case].ratio(runs["limit"], what)


def peer_over(case: str) -> Value:
    return lambda runs: runs["pydarshan"].ratio(runs[case])


def peak_over_table(case: str) -> Value:
    return lambda runs: runs[case].spread("peak").scaled(1 / runs["columns"].facts["bytes"])


def over(case: str, other: str, what: str = "cpu") -> Value:
    return lambda runs: runs[case].ratio(runs[other], what)


def jobs_a_second(runs: dict[str, Runs]) -> Spread:
    """Of 20,000, by processor time; start-up counts."""
    return Spread.of([20_000 / seconds for seconds in runs["one"].values("process_cpu")])


def beyond_region(case: str = "darrow") -> Value:
    """Peak of a summary less the inflated region, which the strict limit inflates alone."""

    def megabytes(runs: dict[str, Runs]) -> Spread:
        region = runs["strict"].facts["inflated"]
        return Spread.of([(peak - region) / 1e6 for peak in runs[case].values("peak")])

    return megabytes


def peak_over_region(runs: dict[str, Runs]) -> Spread:
    """Peak memory over the inflated region."""
    return runs["darrow"].spread("peak").scaled(1 / runs["strict"].facts["inflated"])


def megabytes(case: str) -> Value:
    return lambda runs: runs[case].spread("peak").scaled(1e-6)


def size_over_zlib(runs: dict[str, Runs]) -> Spread:
    return Spread.of([runs["sizes"].facts["size"] / runs["sizes"].facts["zlib"]])


def encoding_over_compression(runs: dict[str, Runs]) -> Spread:
    return runs["encode"].ratio(runs["encode"], "encode", "compress").scaled(100)


def milliseconds(case: str, what: str) -> Value:
    return lambda runs: runs[case].spread(what).scaled(1000)


# Whole processes are compared with the whole process of the limit, operations without start-up with its loop.
FIGURES = [
    Figure("import", "import darrow: wall time", milliseconds("darrow", "wall"), "ms", at_most=50),
    Figure(
        "small", "darrow summary: wall time of the process", milliseconds("darrow", "process_wall"), "ms", at_most=10
    ),
    *(
        figure
        for scenario in ("summary", "summary-h5d", "summary-stdio")
        for figure in (
            Figure(scenario, "darrow summary over the inflate limit", over_limit("darrow", "process_cpu"), at_most=1.5),
            Figure(
                scenario, "darrow summary: peak memory beyond the largest region", beyond_region(), "MB", at_most=30
            ),
        )
    ),
    Figure("posix", "C++ columns over the inflate limit", over_limit("columns", "process_cpu"), at_most=2),
    Figure("posix", "pyarrow table over the inflate limit", over_limit("arrow"), at_most=2),
    Figure("posix", "times faster than PyDarshan: pyarrow table", peer_over("arrow"), at_least=15),
    Figure("posix", "times faster than PyDarshan: pandas frame", peer_over("pandas"), at_least=15),
    Figure("posix", "times faster than PyDarshan: Polars frame", peer_over("polars"), at_least=15),
    Figure("dxt", "times faster than PyDarshan: pyarrow table", peer_over("arrow"), at_least=30),
    Figure("dxt", "times faster than PyDarshan: pandas frame", peer_over("pandas"), at_least=30),
    Figure("dxt", "times faster than PyDarshan: Polars frame", peer_over("polars"), at_least=30),
    Figure("dxt", "C++ columns: peak memory over the table's bytes", peak_over_table("columns"), at_most=3),
    Figure("dxt", "pyarrow table: peak memory over the table's bytes", peak_over_table("arrow"), at_most=3),
    # darshan-convert took 14 times the limit of this log: 1.7 times faster is 8.2 times the limit.
    Figure("convert", "darrow convert over the inflate limit", over_limit("darrow", "process_cpu"), at_most=14 / 1.7),
    Figure("convert", "size over that of zlib, level 6", size_over_zlib, at_most=1.02),
    # darshan-parser took 35 times the limit of this log, darshan-dxt-parser 9.3 times that of the trace.
    Figure("parse", "darrow parse over the inflate limit", over_limit("darrow", "process_cpu"), at_most=35 / 4),
    Figure("parse", "darrow parse: peak memory", megabytes("darrow"), "MB", at_most=150),
    Figure("dxt-text", "darrow dxt over the inflate limit", over_limit("darrow", "process_cpu"), at_most=9.3 / 2),
    Figure("dxt-text", "darrow dxt: peak memory over the region", peak_over_region, at_most=2),
    Figure("groups", "by file over by module", over("file", "module", "process_cpu"), at_most=1.6),
    Figure("groups", "by three patterns over by module", over("patterns", "module", "process_cpu"), at_most=2),
    Figure("groups", "by rank: peak memory beyond the region", beyond_region("rank"), "MB", at_most=20),
    Figure("jobs", "jobs a second of one core", jobs_a_second, "", at_least=5000),
    *(
        Figure("back", f"aggregate() of {form} over Darrow's own table", over(form, "native"), at_most=most)
        for form, most in (("pyarrow", 1.3), ("polars", 1.3), ("pandas", 4))
    ),
    Figure("write", "C++ table: encoding, of the compression", encoding_over_compression, "%", at_most=20),
]
