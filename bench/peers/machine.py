"""Machine and commit of a measurement, as reported by the fringe that ran."""

import datetime
import json
import os

from .common import command


def facts(fringe, backend="cpu"):
    """cpu or gpu, cores or driver, commit and date of a measurement, as a line of results has them."""
    words = [fringe, "bench", "--suite", "smoke", "--only", "path-200", "--backend", backend]
    words += ["--strategies", "serial" if backend == "cpu" else "auto", "--sources", "1"]
    lines = command(words).splitlines()
    line = json.loads(lines[0]) if lines else {}
    device = line.get("device", {})
    found = {"commit": line.get("commit", "unknown"), "date": datetime.date.today().isoformat()}
    if backend == "cpu":
        found["cpu"] = device.get("name", "unknown")
        found["cores"] = len(os.sched_getaffinity(0))
    else:
        found["device"] = device
    return found
