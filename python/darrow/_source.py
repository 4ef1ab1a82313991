"""The open log behind everything that reads later."""

from __future__ import annotations

from darrow import _core
from darrow.info import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


class Source:
    """Holds the C++ log until it is closed. Tables and names that were read live on."""

    __slots__ = ("_core", "_problems", "nprocs", "path", "readable")

    def __init__(self, core: _core.Log) -> None:
        self._core: _core.Log | None = core
        self._problems: list[Problem] = []  # once closed
        self.path = core.path
        job = core.job()
        self.nprocs = job[2] if job else 0
        # Names of the modules that have records.
        self.readable = frozenset(
            name for _, name, *_, length, status in core.modules() if length and status == "readable"
        )

    @property
    def core(self) -> _core.Log:
        """The C++ log; ValueError if closed."""
        if self._core is None:
            raise ValueError(f"the log {self.path} is closed")
        return self._core

    def ids_of(self, pattern: str | re.Pattern[str]) -> frozenset[int]:
        """Ids of the names that a regular expression finds."""
        import re

        search = re.compile(pattern).search
        names = self.core.names()
        return frozenset(names.id(i) for i in range(len(names)) if search(names.text(i)))

    def problems(self) -> list[Problem]:
        """Damage and oddities met so far."""
        return list(self._problems) if self._core is None else [Problem(*problem) for problem in self._core.problems()]

    @property
    def closed(self) -> bool:
        return self._core is None

    def close(self) -> None:
        self._problems, self._core = self.problems(), None


def plain_name(name: str) -> str:
    """What all spellings of a module's name have in common, as `find_module()` of the core takes them: "mpiio"."""
    return "".join(sign for sign in name if sign.isascii() and sign.isalnum()).lower()
