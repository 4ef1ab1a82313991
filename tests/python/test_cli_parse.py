"""The commands `darrow parse` and `darrow dxt`: options, exit codes, old names, odd names, and who reads their text."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import darrow as package
import pytest
from corpus import LOGS as LOGS_OF_ALL
from corpus import NO_LOGS
from test_cli import (
    DATA,
    DONE,
    GOOD,
    LOGS,
    LOST,
    NO_LOG,
    NOTHING,
    PARTIAL,
    SOME_LOST,
    USAGE,
    command,
    complaints,
    darrow,
)

ODD_NAMES = DATA / "names-odd.darshan"
UTIL_FAILURE, UTIL_USAGE = 255, 1
ENVIRONMENT = os.environ | {"TZ": "UTC"}


def lines(*arguments: Any) -> list[str]:
    run = darrow(*arguments, env=ENVIRONMENT)
    assert run.returncode in (DONE, SOME_LOST), run.stderr
    return run.stdout.decode("utf-8", "surrogateescape").split("\n")


def data_lines(*arguments: Any) -> list[str]:
    return [line for line in lines("parse", *arguments) if line and not line.startswith("#")]


# Options --------------------------------------------------------------------------------------------------------------


def test_base_is_what_is_shown_without_a_choice():
    assert lines("parse", GOOD) == lines("parse", "--base", GOOD)
    assert not data_lines("--file", "--perf", GOOD)
    totals = data_lines("--total", GOOD)
    assert totals
    assert all(line.startswith("total_") for line in totals)
    assert len(lines("parse", "--all", GOOD)) > len(lines("parse", "--base", GOOD)) + len(totals)


@pytest.mark.parametrize("name", ["parse", "dxt"])
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "LOG is missing"),
        (["--compat=2.3", GOOD], "2.3"),
        ([GOOD, GOOD], "one LOG expected"),
        (["--nonsense", GOOD], "--nonsense"),
    ],
)
def test_wrong_usage(name: str, arguments: list[Any], told: str):
    run = darrow(name, *arguments)
    assert (run.returncode, run.stdout) == (USAGE, b"")
    assert told in complaints(run)[0]


def test_lists_of_files_belong_to_old_builds():
    run = darrow("parse", "--file-list", "--compat=main", GOOD)
    assert (run.returncode, run.stdout) == (USAGE, b"")


@pytest.mark.parametrize("name", ["parse", "dxt"])
def test_help(name: str):
    text = darrow(name, "--help").stdout.decode()
    assert "\nExamples:\n  darrow " in text
    assert all(option in text for option in ("--compat", "--show-incomplete", "--raw", "--strict", "--fail-partial"))
    assert max(map(len, text.splitlines())) <= 80


# Exit codes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["parse", "dxt"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [([GOOD], DONE), ([NO_LOG], NOTHING), ([PARTIAL], DONE), ([PARTIAL, "--fail-partial"], SOME_LOST)],
)
def test_exit_codes(name: str, arguments: list[Any], code: int):
    assert darrow(name, *arguments).returncode == code


def test_damage_is_told_and_the_rest_is_shown():
    run = darrow("parse", LOST)
    assert run.returncode == SOME_LOST
    assert b"HEATMAP module data" in run.stdout
    assert "604 of 704 bytes" in complaints(run)[0]
    assert len(complaints(run)) == 1


def test_strict_refuses_before_anything_is_written():
    run = darrow("parse", "--strict", LOST)
    assert (run.returncode, run.stdout) == (NOTHING, b"")


def test_exit_codes_of_the_old_program():
    assert darrow("parse", "--compat", LOST).returncode == DONE
    assert darrow("parse", "--compat", NO_LOG).returncode == UTIL_FAILURE
    run = darrow("parse", "--compat", PARTIAL)
    assert run.returncode == UTIL_FAILURE
    assert "--show-incomplete" in complaints(run)[0]
    assert b"POSIX\t" not in run.stdout
    assert darrow("parse", "--compat", "--show-incomplete", PARTIAL).returncode == DONE


def test_a_partial_module_does_not_hide_the_others():
    text = "\n".join(lines("parse", PARTIAL))
    modules = re.findall("^# (.*) module data$", text, re.MULTILINE)
    assert modules == [name for name in package.open(PARTIAL).modules if not name.startswith("DXT_")]
    assert text.count("*WARNING*") == 1


def test_a_reader_that_goes_away_is_no_error():
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run([*command(), "parse", "--all", str(GOOD)], stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert run.stderr == b""


def test_standard_input():
    with GOOD.open("rb") as file:
        run = darrow("parse", "-", stdin=file, env=ENVIRONMENT)
    assert run.stdout.decode().split("\n") == lines("parse", GOOD)


# Old names ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def old_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bin")
    for name in ("darshan-parser", "darshan-dxt-parser"):
        (folder / name).symlink_to(command()[0])
    return folder


def old(folder: Path, name: str, *arguments: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [folder / name, *map(str, arguments)], capture_output=True, check=False, timeout=60, env=ENVIRONMENT
    )


def test_old_names_are_compatible(old_programs: Path):
    for name, new in (("darshan-parser", "parse"), ("darshan-dxt-parser", "dxt")):
        run = old(old_programs, name, GOOD)
        assert run.returncode == DONE
        assert run.stdout == darrow(new, "--compat", GOOD, env=ENVIRONMENT).stdout


def test_old_names_take_abbreviations_and_more_files(old_programs: Path):
    run = old(old_programs, "darshan-parser", "--tot", "--show", PARTIAL, GOOD)
    assert run.returncode == DONE
    assert run.stdout == darrow("parse", "--compat", "--total", "--show-incomplete", PARTIAL, env=ENVIRONMENT).stdout


@pytest.mark.parametrize("arguments", [[], ["--help"], ["--nonsense", GOOD], ["--file-list", GOOD], ["--raw", GOOD]])
def test_usage_of_old_names(old_programs: Path, arguments: list[Any]):
    run = old(old_programs, "darshan-parser", *arguments)
    assert (run.returncode, run.stdout) == (UTIL_USAGE, b"")
    assert run.stderr


def test_version_of_old_names(old_programs: Path):
    run = old(old_programs, "darshan-dxt-parser", "--version")
    assert (run.returncode, run.stdout) == (DONE, b"3.5.0\n")


# Odd names ------------------------------------------------------------------------------------------------------------


def test_names_break_no_line():
    rows = data_lines(ODD_NAMES)
    assert all(line.count("\t") == 7 for line in rows)
    assert any(r"\x09" in line for line in rows)
    assert any(r"\x0a" in line for line in rows)
    text = darrow("parse", ODD_NAMES).stdout
    text.decode()  # all of it is UTF-8


@pytest.mark.parametrize("option", ["--raw", "--compat"])
def test_raw_names(option: str):
    raw = darrow("parse", option, ODD_NAMES).stdout
    log = package.open(ODD_NAMES)
    names = [log.names[key].encode("utf-8", "surrogateescape") for key in log["POSIX"].column("id")]
    assert any(b"\t" in name for name in names)
    assert all(b"\t" + name + b"\t" in raw for name in names)


# Programs that read the text ------------------------------------------------------------------------------------------

HEAD = {
    "darshan log version": str,
    "compression method": str,
    "exe": str,
    "uid": int,
    "jobid": int,
    "start_time": int,
    "start_time_asci": str,
    "end_time": int,
    "end_time_asci": str,
    "nprocs": int,
    "run time": float,
}
NOT_READABLE = {NO_LOG.name}


CRASHED = LOGS_OF_ALL / "large"
"""Holds logs of a run that died."""


def readable_logs() -> list[Path]:
    return [log for log in LOGS if log.name not in NOT_READABLE and darrow("info", log).returncode != NOTHING]


def sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Modules with their data lines, as programs find them: a heading, the line of columns, rows up to a blank line."""
    module, rows = "", None
    for line in text.split("\n"):
        if heading := re.match(r"^# ([A-Z0-9_\-/]+) module data$", line):
            module = heading[1]
        elif line.startswith("#<module>"):
            rows = []
        elif rows is not None and (line == "" or line.startswith("#")):
            yield module, rows
            rows = None
        elif rows is not None:
            rows.append(line)


@pytest.mark.parametrize("option", [(), ("--compat", "--show-incomplete")], ids=["corrected", "compat"])
def test_programs_can_read_the_text(option: tuple[str, ...]):
    """Head by prefixes; sections; eight fields between TABs; integers, floats with six digits, or words."""
    compared = 0
    for path in readable_logs():
        if option and path == ODD_NAMES:
            continue  # its names break lines
        run = darrow("parse", "--all", *option, path, env=ENVIRONMENT)
        if run.returncode == UTIL_FAILURE:
            continue  # of damaged logs
        text = run.stdout.decode("utf-8", "surrogateescape")
        if option and "_asci: (null)#" in text:
            continue  # darshan-util loses a line end after a time beyond all calendars
        log = package.open(path, strict=False)
        if log.job:
            found = dict(re.findall(r"^# ([a-z_ ]+): (.*)$", text.partition("\n\n")[0], re.MULTILINE))
            for key, kind in HEAD.items():
                if found[key] != "unknown":
                    kind(found[key])
            assert int(found["nprocs"]) == log.job.nprocs
        for module, rows in sections(text):
            for row in csv.reader(io.StringIO("\n".join(rows), newline=""), delimiter="\t", quoting=csv.QUOTE_NONE):
                assert len(row) == 8, (path, row)
                assert row[0] == module
                int(row[1])
                assert int(row[2]) >= 0
                assert re.fullmatch(r"-?\d+|-?\d+\.\d{6}|-?(nan|inf)|[\w,/.\-]*", row[4]), row
                compared += 1
            assert {row.split("\t", 1)[0] for row in rows} <= {module}
    assert compared > 20000


def test_unfinished_runs_have_no_end():
    unfinished = sorted(CRASHED.glob("mmap-crash-rank*.darshan"))
    if not unfinished:
        pytest.skip(NO_LOGS)
    for log in unfinished:
        text = lines("parse", log)
        assert "# end_time_asci: unknown" in text
        assert "# run time: unknown" in text
        assert [line for line in lines("parse", "--compat", log) if line.startswith("# run time: -")]


# Totals ---------------------------------------------------------------------------------------------------------------


def shown_value(value: Any, is_float: bool) -> str:
    if value is None:
        value = -1
    if is_float:
        return f"{float(value):f}"
    return str(value - (1 << 64) if value >= 1 << 63 else value)


def test_totals_are_those_of_the_library():
    """--total, --file and --perf tell the same numbers as the summary, -1 where it has none."""
    compared = 0
    for path in readable_logs():
        log = package.open(path, strict=False)
        if not log.job:
            continue
        text = "\n".join(lines("parse", "--total", "--file", "--perf", path))
        parts = re.split(r"^# (\S+) module data$", text, flags=re.MULTILINE)
        summary = log.summary()
        for module, body in zip(parts[1::2], parts[2::2], strict=True):
            if module not in summary:
                continue
            metrics = summary[module]
            totals = dict(re.findall(r"^total_(\w+): (\S+)$", body, re.MULTILINE))
            for counter, value in totals.items():
                assert value == shown_value(metrics.record[counter], "." in value), (path, module, counter)
                compared += 1
            if "# performance" not in body:
                continue
            files = metrics.categories["all"]
            numbers = (shown_value(value, False) for value in (files.files, files.bytes, files.max_offset))
            assert f"# total: {' '.join(numbers)}\n" in body
            assert f"# total_bytes: {shown_value(metrics.bytes, False)}\n" in body
            assert f"# agg_time_by_slowest: {shown_value(metrics.time_by_slowest, True)} # seconds" in body
            rate = None if metrics.rate is None else metrics.rate / 2**20
            assert f"# agg_perf_by_slowest: {shown_value(rate, True)} # MiB/s" in body
    assert compared > 3000
