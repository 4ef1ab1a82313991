"""What is measured of many logs and of tables that are kept, and the figures to reach."""

from __future__ import annotations

from pathlib import Path

from cases import DARROW, POSIX, Figure, Value, limits, megabytes, over, over_limit, python
from measure import Case, Runs, Scenario, Spread


def size(what: str) -> Value:
    """Of an export over that of its log."""
    return lambda runs: Spread.of([runs["export"].facts[what] / runs["export"].facts["log"]])


def logs_a_second(case: str, what: str) -> Value:
    def rate(runs: dict[str, Runs]) -> Spread:
        return Spread.of([runs[case].facts["logs"] / seconds for seconds in runs[case].values(what)])

    return rate


def scenarios(logs: Path, programs: Path, made: dict[str, Path]) -> list[Scenario]:
    posix = logs / "posix-100k.darshan"
    names, alone = limits(programs, posix, POSIX), limits(programs, posix, POSIX, names=False)
    of_name = {
        # Of the two regions that must be read.
        "limit": Case("inflating names and POSIX", [*names["limit"].command, "names", str(POSIX.number)]),
        "name": python("four columns of a name", "darrow_selected", posix, "name"),
    }
    of_rank = {
        "limit": Case("inflating POSIX", [*alone["limit"].command, str(POSIX.number)]),
        "rank": python("four columns of a rank", "darrow_selected", posix, "rank"),
    }
    ways = [("four", "parquet"), ("four", "log"), ("all", "parquet"), ("all", "log")]
    ingest = {f"{c}-{r}": python(f"{c} columns from {r}", "parquet_read", posix, c, r) for c, r in ways}
    frame = python("PyDarshan, to_df()", "pydarshan_frame", posix, POSIX.module, POSIX.column)
    return [
        Scenario(
            "export",
            "A log as Parquet",
            posix,
            {
                "export": python("Darrow, all tables", "darrow_export", posix),
                "pyarrow": python("pyarrow, POSIX from memory", "pyarrow_write", posix, "own"),
                "same": python("the same with Darrow's encodings", "pyarrow_write", posix, "same"),
            },
        ),
        Scenario("name", "Records of one name", posix, of_name),
        Scenario("rank", "Records of one rank", posix, of_rank),
        Scenario("ingest", "From Parquet and from the log", posix, ingest | {"pydarshan": frame}, most=3),
        Scenario(
            "lake",
            "A lake of 20,000 logs",
            made["fleet"],
            {
                "new": python("all are new", "lake_update", made["fleet"]),
                "again": python("none is new", "lake_update", made["fleet"], "again"),
            },
            most=2,
        ),
        Scenario(
            "large",
            "Two million records and names",
            made["large"],
            {"summary": Case("darrow summary", [str(DARROW), "summary", str(made["large"])], reports=False)},
            most=2,
        ),
        Scenario(
            "long",
            "Ten million segments",
            made["long"],
            {"scan": python("all columns in batches", "dxt_scan", made["long"])},
            most=2,
        ),
    ]


FIGURES = [
    Figure("export", "POSIX table over the log, bytes", size("posix"), at_most=0.70),
    Figure("export", "all tables over the log, bytes", size("all"), at_most=0.90),
    Figure("export", "export over pyarrow writing the table", over("export", "pyarrow"), at_most=2),
    Figure("export", "the same with Darrow's encodings", over("export", "same"), at_most=2),
    Figure("name", "four columns of a name over the limit", over_limit("name"), at_most=1.2),
    Figure("rank", "four columns of a rank over the limit", over_limit("rank"), at_most=1.2),
    Figure("lake", "new logs a second of one core", logs_a_second("new", "cpu"), "", at_least=1000),
    Figure("lake", "known logs a second", logs_a_second("again", "wall"), "", at_least=20_000),
    Figure("large", "darrow summary: peak memory", megabytes("summary"), "MB", at_most=400),
    Figure("long", "scan: peak memory", megabytes("scan"), "MB", at_most=300),
]
