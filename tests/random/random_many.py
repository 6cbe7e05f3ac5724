#!/usr/bin/env python3
"""Runs the random test of the public interface in several processes with seeds of their own, and adds up their counts.

usage: tests/random/random_many.py PROGRAM [--jobs J] [--seconds S] [--seed N] [--counts FILE] [-- ARGS of PROGRAM]
The exit status is from the first process that found a mismatch. FILE gets a line for each call, strategy and
backend: calls, refused calls, name; then the calls with each option.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1, help="of the first process; the next ones follow")
    parser.add_argument("--counts", type=pathlib.Path)
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:end])
    args.rest = words[end + 1:]
    return args


def read_counts(path, calls, options):
    for line in path.read_text().splitlines()[1:]:
        if line.startswith("options:"):
            words = line.split()[1:]
            for name, number in zip(words[::2], words[1::2]):
                options[name] += int(number)
        else:
            number, refused, what = line.split("\t")[:3]
            calls[what][0] += int(number)
            calls[what][1] += int(refused)


def main():
    args = arguments()
    calls, options = collections.defaultdict(lambda: [0, 0]), collections.Counter()
    status = 0
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for job in range(args.jobs):
            counts, log = pathlib.Path(folder, f"counts{job}"), pathlib.Path(folder, f"log{job}")
            command = [args.program, "--seconds", str(args.seconds), "--seed", str(args.seed + job), "--counts", str(counts),
                       *args.rest]
            with open(log, "w") as out:
                running.append((subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT), counts, log))
        for process, counts, log in running:
            code = process.wait()
            status = status or code
            lines = log.read_text().splitlines()
            print("\n".join(lines if code else lines[-2:]), flush=True)
            if counts.exists():
                read_counts(counts, calls, options)
    total = sum(number for number, _ in calls.values())
    print(f"{total} calls, {sum(refused for _, refused in calls.values())} of them refused as the header says")
    if args.counts:
        lines = [f"{number}\t{refused}\t{what}" for what, (number, refused) in sorted(calls.items())]
        words = " ".join(f"{name} {number}" for name, number in sorted(options.items()))
        args.counts.write_text("\n".join(["calls\trefused\twhat", *lines, f"options: {words}", ""]))
    return status if status >= 0 else 1


if __name__ == "__main__":
    sys.exit(main())
