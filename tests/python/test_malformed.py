"""Each damaged or odd log of the corpus gives exactly what the table says: content, problems and exit codes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import darrow
import pytest
from corpus import LOGS, NO_LOGS
from malformed_table import FLEET_BAD, MALFORMED, Job, Opens, Problem, Refused
from robustness import path_of

EXPECTED = {f"malformed/{name}": row for name, row in MALFORMED.items()}
EXPECTED |= {f"fleet-bad/{name}": row for name, row in FLEET_BAD.items()}
OPENED = [name for name, row in EXPECTED.items() if isinstance(row, Opens)]
REFUSED = [name for name, row in EXPECTED.items() if isinstance(row, Refused)]
CLASSES = {
    "not_a_log": darrow.NotALogError,
    "truncated": darrow.CorruptLogError,
    "corrupt": darrow.CorruptLogError,
    "unsupported_version": darrow.UnsupportedVersionError,
    "unsupported_compression": darrow.DarrowError,
}


def job_of(log: darrow.Log) -> Job | None:
    if (job := log.job) is None:
        assert not log.mounts
        return None
    return Job(
        uid=job.uid,
        start=(job.start_time_sec, job.start_time_nsec),
        end=(job.end_time_sec, job.end_time_nsec),
        nprocs=job.nprocs,
        jobid=job.jobid,
        exe=job.exe,
        metadata=tuple(job.metadata.items()),
        mounts=tuple((mount.path, mount.fs_type) for mount in log.mounts),
    )


def problems_of(found: list[darrow.Problem]) -> list[Problem]:
    return sorted((Problem(p.severity, p.kind, p.region, p.offset, p.offset_of, p.count) for p in found), key=str)


@pytest.mark.skipif(not LOGS.exists(), reason=NO_LOGS)
@pytest.mark.parametrize(("folder", "table"), [("malformed", MALFORMED), ("fleet-bad", FLEET_BAD)])
def test_table_has_a_row_for_each_log(folder, table):
    assert sorted(table) == sorted(path.stem for path in (LOGS / folder).glob("*.darshan"))


@pytest.mark.parametrize("name", OPENED)
def test_problems(name):
    found = darrow.open(path_of(name), strict=False).verify()
    assert problems_of(found) == sorted(EXPECTED[name].problems, key=str)
    for problem in found:
        assert problem.module == ("" if problem.region in ("header", "job", "names") else problem.region)
        assert problem.message
        assert "\n" not in problem.message


@pytest.mark.parametrize("name", OPENED)
def test_content(name):
    row, log = EXPECTED[name], darrow.open(path_of(name), strict=False)
    assert job_of(log) == row.job
    assert len(log.names) == row.names
    assert set(log.modules) == set(row.modules)
    assert {module for module, info in log.modules.items() if info.partial} == set(row.partial)
    for module, expected in row.modules.items():
        info = log.modules[module]
        if isinstance(expected, str):
            assert info.status == expected
            with pytest.raises((KeyError, darrow.UnsupportedVersionError), match=module):
                log[module].to_arrow()
        else:
            assert info.status == "readable"
            assert len(log[module]) == expected
            assert log[module].to_arrow().num_rows == expected


@pytest.mark.parametrize("name", OPENED)
def test_problems_do_not_depend_on_the_order_of_reading(name):
    """What is read first, and how often, neither adds nor hides a problem."""
    forth, back = (darrow.open(path_of(name), strict=False) for _ in range(2))
    readable = [module for module, info in forth.modules.items() if info.status == "readable"]
    for module in readable * 2:
        forth[module].to_arrow()
    dict(forth.names)
    dict(back.names)
    for module in reversed(readable):
        back[module].to_arrow()
    assert problems_of(forth.problems) == problems_of(back.problems)
    found = forth.verify()
    assert found == back.verify() == forth.verify() == forth.problems


@pytest.mark.parametrize("name", OPENED)
def test_strict(name):
    """Strict mode raises where an error is met, and is no different otherwise."""
    row = EXPECTED[name]

    def read_all():
        log = darrow.open(path_of(name), strict=True)
        dict(log.names)
        for module, info in log.modules.items():
            if info.status == "readable":
                log[module].to_arrow()
            else:
                info.bytes()
        return log

    lost = [p for p in row.problems if p.severity == "error" and p.kind != "module_version"]
    if not lost:
        assert problems_of(read_all().verify()) == sorted(row.problems, key=str)
        return
    with pytest.raises(darrow.CorruptLogError) as error:
        read_all()
    assert error.value.region in {p.region for p in lost}
    assert error.value.file == str(path_of(name))


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("source", ["path", "bytes"])
@pytest.mark.parametrize("strict", [False, True])
def test_refused(name, source, strict):
    row, path = EXPECTED[name], path_of(name)
    with pytest.raises(CLASSES[row.code]) as error:
        darrow.open(path if source == "path" else path.read_bytes(), strict=strict)
    assert error.value.code == row.code
    assert error.value.region == row.region or row.code == "corrupt"
    assert error.value.offset == row.offset or row.offset is None
    assert "\n" not in str(error.value)
    if source == "path":
        assert error.value.file == str(path)


def command() -> str:
    beside = Path(sys.executable).with_name("darrow")
    found = os.environ.get("DARROW_COMMAND") or (str(beside) if beside.exists() else shutil.which("darrow"))
    return found or pytest.skip("no darrow command")


@pytest.mark.parametrize("name", EXPECTED)
def test_exit_code_of_info(name):
    path = path_of(name)
    run = subprocess.run([command(), "info", str(path)], capture_output=True, timeout=20, check=False)
    assert run.returncode == EXPECTED[name].exit_code, run.stderr.decode()
    if name in REFUSED:
        lines = run.stderr.decode().splitlines()
        assert len(lines) == 1
        assert lines[0].startswith(f"darrow: {path}: ")


@pytest.mark.parametrize("name", OPENED)
def test_exit_code_of_info_for_machines(name):
    run = subprocess.run(
        [command(), "info", "--format", "json", str(path_of(name))], capture_output=True, timeout=20, check=False
    )
    assert run.returncode == EXPECTED[name].exit_code, run.stderr.decode()
