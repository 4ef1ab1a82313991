"""What a job did, per module."""

from __future__ import annotations

from collections.abc import Mapping

from darrow import _core
from darrow._aggregate import Aggregate, aggregation_errors, problems_of
from darrow._metrics import Metrics, metrics_of
from darrow._source import plain_name
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from darrow.info import Job
    from darrow.log import Log


class Summary(Mapping[str, Metrics]):
    """What a job did: a mapping of modules (or "bottom") to their metrics.

    Attributes
    ----------
    layers : Table
        A row for each module, or one for "bottom": `module`, the metrics, `partial` (the run time left records out),
        `damaged` (the numbers are those of what could be read).
    categories : Table
        A row for each module and file category.
    access_sizes : Table
        A row for each module, operation and size bucket.
    common_accesses : Table
        A row for each module and common access size, and one for all others (size null).
    mounts : Table
        POSIX, STDIO and DFS by where their files lie: `mount`, `fs_type`, the metrics.
    records : dict of str to Aggregate
        The records of each module as one.
    missing : dict of str to Table
        In how many records each counter was missing.
    problems : list of Problem
        Damage of the log, values left out, sums that do not fit.
    path : str
        The log.
    job : Job or None
        Its job.
    """

    def __init__(self, path: str, job: Job | None, parts: Any) -> None:
        layers, categories, access_sizes, common_accesses, mounts, records, missing, problems = parts
        self.path = path
        self.job = job
        self.problems = problems_of(problems)
        self.layers = Table(Held(layers))
        self.categories = Table(Held(categories))
        self.access_sizes = Table(Held(access_sizes))
        self.common_accesses = Table(Held(common_accesses))
        self.mounts = Table(Held(mounts))
        self.records: dict[str, Aggregate] = {}
        for record, counts in zip(records, missing, strict=True):
            own = [problem for problem in self.problems if problem.module == record.name]
            self.records[record.name] = Aggregate(record, counts, own)
        self.missing = {name: aggregate.missing for name, aggregate in self.records.items()}
        self._layers = layers

    def __getitem__(self, name: str) -> Metrics:
        wanted = plain_name(name)
        for values in self.layers.to_pylist():
            if plain_name(values["module"]) == wanted:
                aggregate = self.records.get(values["module"])
                tables = self.categories, self.access_sizes, self.common_accesses
                return metrics_of(values, tables, aggregate, aggregate.problems if aggregate else self.problems)
        raise KeyError(f"no layer {name} in this summary; there are: {', '.join(self) or 'none'}")

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and plain_name(name) in map(plain_name, self)

    def __iter__(self) -> Iterator[str]:
        return iter(self.layers.column("module"))

    def __len__(self) -> int:
        return len(self.layers)

    def __repr__(self) -> str:
        job = f"job {self.job.jobid}, {self.job.nprocs} processes" if self.job else "no job"
        overview = _core.overview(self._layers).rstrip("\n") if len(self) else "  no module that can be summed up"
        return f"<darrow.Summary {self.path!r}: {job}>\n{overview}"


def summarize(log: Log, modules: str | Iterable[str] | None, layer: str) -> Summary:
    """The summary of a log; `Log.summary()`."""
    if layer not in ("module", "bottom"):
        raise ValueError(f'layer is "module" or "bottom", not {layer!r}')
    names = [modules] if isinstance(modules, str) else list(modules or ())
    if modules is not None and not names:
        raise ValueError("summary() needs at least one module")
    for name in names:
        log[name]  # there, and of a known version
    core = log._source.core
    with aggregation_errors():
        parts = _core.summary(core, names, layer == "bottom")
    return Summary(log.path, log.job, parts)
