"""A progress bar; tqdm is imported when one is made."""

from __future__ import annotations

from typing import Any


class Bar:
    """Shows one bar for each phase of a call."""

    def __init__(self) -> None:
        from tqdm.auto import tqdm

        self._make: Any = tqdm
        self._bar: Any = None
        self._phase: str | None = None

    def __call__(self, phase: str, done: int, total: int) -> None:
        if phase != self._phase:
            if self._bar is not None:
                self._bar.close()
            self._phase, self._bar = phase, self._make(total=total or None, desc=phase)
        self._bar.n = done
        self._bar.refresh()
