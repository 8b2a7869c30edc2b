"""How far long work is, on standard error, with a terminal or without."""

import logging
import time
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

_log = logging.getLogger(__name__)

_EVERY = 30.0
"""Seconds between two lines where there is no terminal."""


def timed(*more: ProgressColumn) -> tuple[ProgressColumn, ...]:
    """Return the columns of what takes long: how far it is, its time, what is left; then more."""
    return (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        *more,
    )


class Shown(Progress):
    """A progress bar that vanishes; without a terminal, a line now and then."""

    def __init__(self, *columns: ProgressColumn, console: Console | None = None) -> None:
        """Take the columns of the bar."""
        super().__init__(*columns, console=console or Console(stderr=True), transient=True)
        self._said = time.monotonic()

    def stop(self) -> None:
        """Leave nothing: where there is no terminal, rich would leave an empty line."""
        if self.console.is_interactive:
            super().stop()
        else:
            self.live.stop()

    def begin(self, task: TaskID, text: str) -> None:
        """Say what begins."""
        self.update(task, description=text)
        if not self.console.is_terminal:
            self._line(text)

    def update(self, task_id: TaskID, **changes: Any) -> None:  # noqa: ANN401
        """Take what changed."""
        super().update(task_id, **changes)
        self._now_and_then(task_id)

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Take that a part is done."""
        super().advance(task_id, advance)
        self._now_and_then(task_id)

    def _now_and_then(self, task_id: TaskID) -> None:
        if self.console.is_terminal or time.monotonic() < self._said + _EVERY:
            return
        task = next(task for task in self.tasks if task.id == task_id)
        if task.total and not task.finished:
            left = (task.elapsed or 0) * (task.total / task.completed - 1) if task.completed else 0
            more = f", about {left:.0f} s left" if left >= 1 else ""
            self._line(f"{task.description}: {task.percentage:.0f} %{more}")

    def _line(self, text: str) -> None:
        self._said = time.monotonic()
        _log.info("%s", text)
