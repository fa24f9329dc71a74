"""Runs a command and measures it as a whole: wall time, CPU time of all its processes, and their memory together."""

import os
import subprocess
import threading
import time

PAGE = os.sysconf("SC_PAGE_SIZE")


def descendants(root):
    parents = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                parents[int(entry)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue  # it ended meanwhile
    found = {root}
    while grown := {child for child, parent in parents.items() if parent in found} - found:
        found |= grown
    return found


def resident(process):
    """The memory of the process alone, and its share of memory common with others."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


class Measured:
    def __init__(self, command, environment=None):
        before, start = os.times(), time.monotonic()
        process = subprocess.Popen(
            command, env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.peak = 0
        self._ended = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(process.pid,))
        watcher.start()
        _, trouble = process.communicate()
        self._ended.set()
        watcher.join()
        self.wall = time.monotonic() - start
        after = os.times()
        self.cpu = after.children_user - before.children_user + after.children_system - before.children_system
        if process.returncode:
            raise RuntimeError(f"{command[0]} ended with {process.returncode}: {trouble.decode()[-2000:]}")

    def _watch(self, root):
        while not self._ended.wait(0.05):
            self.peak = max(self.peak, sum(map(resident, descendants(root))))
