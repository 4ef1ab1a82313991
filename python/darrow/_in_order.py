"""Logs worked on by several threads; what comes of them is handed out in their order."""

from __future__ import annotations

import atexit
import os
from queue import SimpleQueue
from threading import Thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    # Of some logs that follow one another, and the position of the first of them among all, the results; None is none,
    # but says that the work may end here.
    Work = Callable[[int, list[bytes]], Iterator[Any]]

# Logs that one thread takes at a time, and results of them that may wait.
_MOST_LOGS = 1024
_AHEAD = 3


class InOrder:
    """What a function gives for logs, to be gone through once; whoever goes no further ends the work.

    With several threads, parts of the logs are worked on at the same time: as many ahead of the one whose results are
    taken, and as many results of each, as keep the threads busy. An error comes where it would come without threads,
    and ends the work.
    """

    def __init__(self, logs: list[bytes], threads: int, work: Work) -> None:
        self._logs = logs
        self._work = work
        self._threads = min(threads, len(logs))
        self._workers: list[Thread] = []
        self._parts: list[_Part] = []
        self._turns: SimpleQueue[_Part | None] = SimpleQueue()  # parts that a thread may begin; None: there are no more
        self._stopped = False

    def __iter__(self) -> Iterator[Any]:
        if self._threads > 1:
            return self._in_threads()
        return (result for result in self._work(0, self._logs) if result is not None)

    def _in_threads(self) -> Iterator[Any]:
        size = max(1, min(_MOST_LOGS, -(-len(self._logs) // (4 * self._threads))))
        self._parts = [_Part(first, self._logs[first : first + size]) for first in range(0, len(self._logs), size)]
        self._workers = [Thread(target=self._run, daemon=True) for _ in range(self._threads)]
        _running.add(self)
        try:
            for thread in self._workers:
                thread.start()
            ahead = 2 * self._threads
            for part in self._parts[:ahead]:
                self._turns.put(part)
            for number, part in enumerate(self._parts):
                while (result := self._next_of(part)) is not None:
                    yield result
                self._turns.put(self._parts[number + ahead] if number + ahead < len(self._parts) else None)
        finally:
            self.stop()

    def stop(self) -> None:
        """Ends the work of the threads, and waits for them."""
        self._stopped = True
        for part in self._parts:
            part.room.put(None)
        for _ in self._workers:
            self._turns.put(None)
        for thread in self._workers:
            if thread.is_alive():
                thread.join()
        self.without_threads()
        _running.discard(self)

    def without_threads(self) -> None:
        """There are no threads (any more): whoever waits for results is told."""
        self._workers = []  # one that was not started would hold this object for ever
        for part in self._parts:
            part.results.put(
                _End(RuntimeError("reading was ended: by the end of Python, or by a fork, which leaves threads behind"))
            )

    def _next_of(self, part: _Part) -> Any:
        result = part.results.get()
        if not isinstance(result, _End):
            part.room.put(None)
            return result
        error, result = result.error, None
        try:
            if error is not None:
                raise error
        finally:
            del error  # its traceback holds this frame: a ring otherwise
        return None

    def _run(self) -> None:
        """Works on one part after the other until there is none."""
        while (part := self._turns.get()) is not None and not self._stopped:
            end = _End()
            try:
                for result in self._work(part.first, part.logs):
                    if result is not None:
                        part.room.get()
                        part.results.put(result)
                    if self._stopped:
                        return
            except BaseException as error:  # of this thread; raised again in the one that waits
                end.error = error.with_traceback(None)  # which would hold this frame, and so itself
            part.results.put(end)


class _Part:
    """Some logs that follow one another, what waits of them, behind which stands an end, and room for more of it.

    Queues, and not a Condition: an interrupt while that is taken or given back would leave it taken for ever.
    """

    def __init__(self, first: int, logs: list[bytes]) -> None:
        self.first = first
        self.logs = logs
        self.results: SimpleQueue[Any] = SimpleQueue()
        self.room: SimpleQueue[None] = SimpleQueue()
        for _ in range(_AHEAD):
            self.room.put(None)


class _End:
    """No results follow, because of an error or because there are no more."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


# Threads that still work when Python ends would end the process with an abort: they are stopped before. No weak
# references, whose callbacks swallow interrupts.
_running: set[InOrder] = set()


@atexit.register
def _stop_all() -> None:
    for one in list(_running):
        one.stop()


def _after_fork() -> None:
    for one in list(_running):
        one.without_threads()
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
