"""What each damaged or odd log must give, worked out by hand from its bytes: header fields, what zlib inflates, and a
walk over the records. No value here was taken from the library's output.

Severities: a note tells of something that costs nothing, a warning of something contradictory that is delivered all the
same, an error of something lost or untrusted. Only errors change the exit code of `darrow info` (to 3).

Offsets: "file" counts bytes of the file and points to the start of the region, or of the stream or surplus inside it;
"inflated" counts inflated bytes of the region and points to the start of the entry that is wrong. What concerns many
places, or none, has no offset.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True, order=True)
class Problem:
    severity: str
    kind: str
    region: str
    offset: int | None = None
    offset_of: str | None = None
    count: int | None = None


def _problem(severity, kind, region, *, file=None, inflated=None, count=None) -> Problem:
    offset = file if inflated is None else inflated
    return Problem(severity, kind, region, offset, offset_of(file, inflated), count)


def offset_of(file, inflated) -> str | None:
    return "file" if file is not None else "inflated" if inflated is not None else None


def note(*args, **kwargs) -> Problem:
    return _problem("note", *args, **kwargs)


def warning(*args, **kwargs) -> Problem:
    return _problem("warning", *args, **kwargs)


def error(*args, **kwargs) -> Problem:
    return _problem("error", *args, **kwargs)


@dataclass(frozen=True)
class Job:
    uid: int
    start: tuple[int, int]  # seconds, nanoseconds
    end: tuple[int, int]
    nprocs: int
    jobid: int
    exe: str
    metadata: tuple[tuple[str, str], ...]
    mounts: tuple[tuple[str, str], ...]  # path, file system type; file order


@dataclass(frozen=True)
class Opens:
    """A log that can be opened."""

    job: Job | None
    names: int
    modules: dict[str, int | str]  # rows of its table, or the status of a module that has none
    problems: tuple[Problem, ...] = ()
    partial: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        return 3 if any(p.severity == "error" for p in self.problems) else 0


@dataclass(frozen=True)
class Refused:
    """A file of which nothing can be read."""

    code: str
    region: str = "header"
    offset: int | None = None
    exit_code: int = field(default=4, init=False)


# Two hand-made jobs are behind all logs. HAND: one record of one file on rank 0, or what the row says.
HAND = Job(
    uid=1000,
    start=(1700000000, 250000000),
    end=(1700000010, 750000000),
    nprocs=4,
    jobid=4242,
    exe="/bin/app -x 1",
    metadata=(("lib_ver", "9.9"), ("h", "a=b;c=d")),
    mounts=(("/", "ext4"), ("/scratch", "lustre"), ("/home", "nfs")),
)
# RUN: a shared file written by 4 ranks, each with a heat map.
RUN = Job(
    uid=40001,
    start=(1740988800, 311928525),
    end=(1740988800, 363800035),
    nprocs=4,
    jobid=700001,
    exe="/scratch/project/bin/ior -a POSIX -w -b 1m",
    metadata=(("lib_ver", "3.5.0"), ("h", "romio_no_indep_rw=true;cb_nodes=4")),
    mounts=(("/", "ext4"), ("/scratch", "lustre"), ("/home", "nfs4"), ("/apps", "nfs")),
)
POSIX1 = {"POSIX": 1}
SHARED = {"POSIX": 1, "HEATMAP": 4}
UNKNOWN, REFUSED = "unknown_module", "unknown_version"

MALFORMED: dict[str, Opens | Refused] = {
    # Module versions: the module is refused by name and version, all else is read. `count` is the version.
    "badver_mod": Opens(HAND, 1, {"POSIX": REFUSED}, (error("module_version", "POSIX", file=1469, count=9),)),
    "ver0_mod": Opens(HAND, 1, {"POSIX": REFUSED}, (error("module_version", "POSIX", file=1469, count=0),)),
    "bgqver5": Opens(HAND, 1, {"BG/Q": REFUSED}, (error("module_version", "BG/Q", file=1469, count=5),)),
    "mdhimver7": Opens(HAND, 1, {"MDHIM": REFUSED}, (error("module_version", "MDHIM", file=1469, count=7),)),
    "null": Opens(HAND, 1, {"NULL": 1}),  # 48 bytes, all zero: a record of id 0
    # Modules without a meaning: a note, their bytes stay available. No count: the note is there before anything
    # inflates, and does not change when it does.
    "mod_unknown": Opens(RUN, 2, {**SHARED, "module 40": UNKNOWN}, (note("module_unknown", "module 40", file=1891),)),
    # Slot 20 points to the very bytes of POSIX. Both are read; the later one is told to overlap.
    "unk": Opens(
        HAND,
        1,
        {**POSIX1, "module 20": UNKNOWN},
        (
            warning("region_overlap", "module 20", file=1469),
            note("module_unknown", "module 20", file=1469),
        ),
    ),
    # Only a partial bit, no bytes: there is no place to point to and nothing to count.
    "unkp": Opens(
        HAND,
        1,
        {**POSIX1, "module 20": UNKNOWN},
        (note("module_unknown", "module 20"), note("module_partial", "module 20")),
        partial=("module 20",),
    ),
    # Names.
    "bigname": Opens(HAND, 1, POSIX1),
    "nm_empty": Opens(RUN, 3, SHARED),
    "nm_long": Opens(RUN, 3, SHARED),
    "nm_many": Opens(RUN, 20002, SHARED),
    "nm_dup": Opens(RUN, 2, SHARED, (note("name_duplicate", "names", count=2),)),
    "nm_badutf8": Opens(RUN, 3, SHARED, (note("text_not_utf8", "names", count=1),)),
    # An entry whose id is whole but whose name has no end cannot be told from a table that was cut inside the name.
    # Either way the id is left without a name, and `count` is the bytes behind the id.
    "noterm": Opens(RUN, 0, SHARED, (error("name_unterminated", "names", inflated=0, count=3145728),)),
    "nm_trunc": Opens(RUN, 1, SHARED, (error("name_unterminated", "names", inflated=22, count=42),)),
    # Here the name region also stands behind POSIX, so the job's end, which is the start of the names, would take in
    # POSIX: it has to be guessed, and the smallest region offset is right.
    "names_trunc": Opens(
        HAND,
        0,
        POSIX1,
        (
            warning("job_bounds", "job", file=1328),
            error("name_unterminated", "names", inflated=0, count=12),
        ),
    ),
    # 61 of 81 compressed bytes are there and inflate to 57: an entry of 22 and the first 35 of the next.
    "nm_cutz": Opens(
        RUN,
        1,
        SHARED,
        (
            error("stream_truncated", "names", file=1502, count=57),
            error("name_unterminated", "names", inflated=22, count=27),
        ),
    ),
    # Regions.
    # The length 2^64 - 1 passes the end of the file by more than an int64 can tell; the stream itself is whole.
    "hugelen": Opens(HAND, 1, POSIX1, (error("region_outside_file", "POSIX", file=1469, count=2**63 - 1),)),
    # 10 of 30 compressed bytes are left and inflate to 7: less than a record.
    "trunc": Opens(
        HAND,
        1,
        {"POSIX": 0},
        (
            error("region_outside_file", "POSIX", file=1469, count=20),
            error("stream_truncated", "POSIX", file=1469, count=7),
            error("record_fragment", "POSIX", inflated=0, count=7),
        ),
    ),
    "nameoff_small": Opens(
        HAND,
        0,
        POSIX1,
        (
            warning("job_bounds", "job", file=1328),
            error("region_in_header", "names", file=100),
        ),
    ),
    "hdronly": Refused("corrupt"),  # the header is whole, but nothing that it points to is in the file
    # Records.
    "short_rec": Opens(HAND, 1, POSIX1, (error("record_fragment", "POSIX", inflated=704, count=300),)),
    "px_short": Opens(RUN, 2, {"POSIX": 0, "HEATMAP": 4}, (error("record_fragment", "POSIX", inflated=0, count=604),)),
    "dxtneg": Opens(HAND, 1, {"DXT_POSIX": 0}, (error("record_malformed", "DXT_POSIX", inflated=0, count=104),)),
    "hmneg": Opens(HAND, 1, {"HEATMAP": 0}, (error("record_malformed", "HEATMAP", inflated=0, count=48),)),
    "hmbig": Opens(HAND, 1, {"HEATMAP": 1}),
    "hm_mis8": Opens(RUN, 2, SHARED, (warning("heatmap_uneven", "HEATMAP", count=3),)),  # 6, 14, 14, 14 bins
    "hm_neg": Opens(RUN, 2, SHARED, (warning("negative_bins", "HEATMAP", count=48),)),  # all of 4 x (6 + 6)
    "lus0": Opens(HAND, 1, {"LUSTRE": 2}),
    "lus0dxt": Opens(HAND, 1, {"LUSTRE": 1, "DXT_POSIX": 0}),  # the only DXT record has no segments
    "mdh": Opens(HAND, 1, {"MDHIM": 2}),
    "noz_big": Opens(HAND, 1, {"POSIX": 3000}),
    "z_big": Opens(HAND, 1, {"POSIX": 3000}),
    # Ranks: delivered as stored.
    "rank_ge_nprocs": Opens(HAND, 1, POSIX1, (warning("rank_beyond_nprocs", "POSIX", count=1),)),
    "px_rank4": Opens(RUN, 2, SHARED, (warning("rank_beyond_nprocs", "POSIX", count=1),)),
    "px_rankbig": Opens(RUN, 2, SHARED, (warning("rank_beyond_nprocs", "POSIX", count=1),)),
    "rank_minus5": Opens(HAND, 1, POSIX1, (warning("rank_below_minus_one", "POSIX", count=1),)),
    "px_rankneg2": Opens(RUN, 2, SHARED, (warning("rank_below_minus_one", "POSIX", count=1),)),
    # Without a number of processes there is none to compare rank 0 with: one problem, not one more for each module.
    "nprocs_0": Opens(replace(HAND, nprocs=0), 1, POSIX1, (warning("nprocs_invalid", "job"),)),
    "nprocs_neg": Opens(replace(HAND, nprocs=-1), 1, POSIX1, (warning("nprocs_invalid", "job"),)),
    # Job.
    "nomnt": Opens(replace(HAND, mounts=()), 1, POSIX1),
    "mntspace": Opens(replace(HAND, mounts=(("/mnt/my share", "cifs"), ("/", "ext4"))), 1, POSIX1),
    "md": Opens(replace(HAND, metadata=(("k", "v" * 1021),)), 1, POSIX1),
    # Absurd, but neither reversed nor unfinished: 2^62 seconds.
    "ctime": Opens(replace(HAND, start=(2**62, 250000000), end=(2**62 + 3, 750000000)), 0, {}),
    # Headers.
    "comp9": Refused("unsupported_compression", offset=16),
    "ver340": Refused("unsupported_version", offset=0),
    "ver341x": Opens(HAND, 1, POSIX1),
    "empty": Refused("not_a_log", offset=0),
}

# Damaged copies of logs of a fleet.
FLEET_BAD: dict[str, Opens | Refused] = {
    "empty": Refused("not_a_log", offset=0),
    "not-a-log": Refused("not_a_log", offset=8),
    "wrong-magic": Refused("not_a_log", offset=8),
    "short-header": Refused("truncated", offset=700),
    "future-version": Refused("unsupported_version", offset=0),
    "unknown-compression": Refused("unsupported_compression", offset=16),
    # The job's stream breaks at its 78th byte; 93 bytes inflate, 1080 make a job record.
    "corrupt-job-stream": Opens(
        None,
        34,
        {"POSIX": 33, "HEATMAP": 8},
        (
            error("stream_damaged", "job", file=1328, count=93),
            error("job_unreadable", "job", count=93),
        ),
    ),
    # 14 of 74 compressed bytes of the heat map are left and inflate to 16; a record has 48 and its bins.
    "truncated-module": Opens(
        Job(
            uid=41001,
            start=(1752418299, 70663250),
            end=(1752418504, 85516801),
            nprocs=1,
            jobid=810543,
            exe="/scratch/user01/bin/stat_tool --case=case4 ",
            metadata=(("lib_ver", "3.5.0"),),
            mounts=(("/", "ext4"), ("/scratch", "lustre"), ("/projects", "gpfs"), ("/home", "nfs4")),
        ),
        10,
        {"STDIO": 6, "HEATMAP": 0},
        (
            error("region_outside_file", "HEATMAP", file=2003, count=60),
            error("stream_truncated", "HEATMAP", file=2003, count=16),
            error("record_fragment", "HEATMAP", inflated=0, count=16),
        ),
    ),
}
