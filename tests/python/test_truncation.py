"""Logs cut anywhere: an error, or what is left with a problem; never a crash, never wrong records."""

from __future__ import annotations

from pathlib import Path

import darrow
import pytest
from logwriter import read_header
from robustness import Content, Watch, in_child, intact_logs, is_prefix, log_bytes, readable, stored, summary

STEP = 97


def complaint(log: bytes, whole: Content, cut: int) -> str | None:
    """What is wrong with reading the first `cut` bytes of a log."""
    header = read_header(log)
    try:
        part = darrow.open(log[:cut], strict=False)
    except darrow.DarrowError as e:
        if cut < header.layout.size and e.code not in ("not_a_log", "truncated"):
            return f"code {e.code} for a cut header"
        return None
    if cut < header.layout.size:
        return "opened without a whole header"
    content = Content.of(part)
    if not content.errors and not content.same(whole):
        return "something is missing and no error is reported"
    if content.job and not is_part_of_job(content, whole):
        return "another job"
    if not content.names.items() <= whole.names.items():
        return "names that the log does not have"
    for name, table in content.tables.items():
        if not table.schema.equals(whole.tables[name].schema):
            return f"{name}: columns that the whole log does not have, or lacking ones"
        if not is_prefix(table, whole.tables[name]):
            return f"{name}: records that the log does not have"
        region = header.modules[name]
        if region.offset + region.length <= cut and table.num_rows != whole.tables[name].num_rows:
            return f"{name}: records are missing though its region is whole"
    return None


def is_part_of_job(part: Content, whole: Content) -> bool:
    """The numbers and the metadata are whole, or there is no job; the text behind them may end anywhere."""

    def numbers(job: darrow.Job) -> tuple:
        return (job.uid, job.jobid, job.nprocs, job.run_time, job.metadata)

    def text(content: Content) -> str:
        return "\n".join([content.job.exe, *(f"{mount.fs_type}\t{mount.path}" for mount in content.mounts)])

    return numbers(part.job) == numbers(whole.job) and text(whole).startswith(text(part))


def cut_everywhere(files: list[str], borders: bool) -> dict[str, list[str]]:
    """Complaints, and where the logs were cut."""
    watch, complaints = Watch(), {}
    for file in map(Path, files):
        log = file.read_bytes()
        try:
            whole = Content.of(darrow.open(log, strict=False))
        except darrow.DarrowError:
            continue  # a log without a header
        for cut in cuts_at_borders(log) if borders else range(0, len(log), STEP):
            watch(f"{file.stem}, {cut} of {len(log)} bytes")
            if text := complaint(log, whole, cut):
                complaints.setdefault(f"{file.stem}: {text}", []).append(f"{cut} of {len(log)} bytes")
    return complaints


@pytest.mark.slow
def test_cut_at_every_97th_byte():
    complaints = in_child(cut_everywhere, [str(file) for file in intact_logs()], False)
    assert not complaints, summary(complaints)


def cuts_at_borders(log: bytes) -> list[int]:
    """Some bytes before and behind the start of each region and the end of the last."""
    borders = [region.offset for region in read_header(log).regions] + [len(log)]
    return sorted({cut for border in borders for cut in range(border - 6, border + 4) if cut < len(log)})


def test_cut_around_each_border():
    chosen = ("synth-all-modules", "lustre-apmpi-all", "bzip2-lustre", "nocomp-hdf5-parallel", "merge-fork")
    complaints = in_child(cut_everywhere, [str(file) for file in intact_logs() if file.stem in chosen], True)
    assert not complaints, summary(complaints)


def test_cut_in_the_last_stream_of_many():
    """Streams before the cut are whole: the records of those ranks are all there."""
    log = log_bytes("small/many-shared-per-rank")
    last = max(read_header(log).modules.values(), key=lambda region: region.offset)
    whole = darrow.open(log, strict=False)
    part = darrow.open(log[: last.offset + last.length - 8], strict=False)
    assert last.name == "HEATMAP"
    assert len(part[last.name]) == len(whole[last.name]) - 1
    assert is_prefix(stored(part, last.name), stored(whole, last.name))
    assert {p.kind for p in part.verify()} >= {"region_outside_file", "stream_truncated"}
    assert readable(part) == readable(whole)
