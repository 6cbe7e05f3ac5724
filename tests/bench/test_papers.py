"""papers/lab: the list of jobs, what is run for one, and what the pages have of the lines. With the executor of kernels
(ON_HOST names its program) also kernels that count."""

import fnmatch
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from types import SimpleNamespace
from unittest import mock

from bench_case import FRINGE, ROOT, BenchCase, quietly, read

LAB = os.path.join(ROOT, "papers", "lab")
sys.path.insert(0, LAB)
import graphs  # noqa: E402  # from papers/lab
import jobs  # noqa: E402
import lines as joins  # noqa: E402
import rules  # noqa: E402
import run  # noqa: E402
import study  # noqa: E402
import xbfs  # noqa: E402
from graphs import PUBLISHED, Surrogate  # noqa: E402

PROGRAM = os.path.join(os.path.dirname(FRINGE), "bench", "bench_papers")
ON_HOST = os.environ.get("ON_HOST")
TOY = Surrogate("toy", "kronecker:scale=8,seed=1", graphs.UNDIRECTED)


def line(name="a", graph="1", sources=(1, 2), ns=(100, 110, 120)):
    runs = [{"source": source, "traverse_ns": each * 10000} for source in sources for each in ns]
    return {"job": name, "graph": {"name": "g", "hash": graph}, "device": {"kind": "cuda"}, "runs": runs}


class Joining(BenchCase):
    """What must not be divided is not."""

    def test_other_graphs_and_sources_are_refused(self):
        for other, why in ((line("b", graph="2"), "different graphs"), (line("b", sources=(2, 3)), "different sources")):
            with self.assertRaisesRegex(joins.Mixed, why):
                joins.ratio(line(), other)

    def test_fewer_sources_are_compared_over_those_alone(self):
        slow, both = line(sources=(1,), ns=(400,)), line("b", sources=(1,), ns=(100,))
        both["runs"].append({"source": 2, "traverse_ns": 10**9})
        self.assertEqual((joins.ratio(slow, both), joins.ratio(both, slow)), (4, 1 / 4))

    def test_ties(self):
        found = {"a": line(ns=(100, 100, 100)), "b": line(ns=(101, 101, 101)), "c": line(ns=(300, 300, 300))}
        self.assertEqual(joins.ranking(found), "a = b < c")
        self.assertEqual(joins.fastest(found), ["a", "b"])
        self.assertTrue(joins.is_tie(line(ns=(100, 104, 108)), line(ns=(103, 107, 111))))
        self.assertFalse(joins.is_tie(line(ns=(100, 100, 100)), line(ns=(105, 105, 105))))
        once = line(ns=(100,)), line(ns=(103,)), line(ns=(105,))  # 2 % of noise each, as they were not repeated
        self.assertEqual([joins.faster(once[0], other) for other in once[1:]], [None, True])
        swapped = line(sources=(1,), ns=(100, 100, 100))["runs"] + line(sources=(2,), ns=(300, 300, 300))["runs"]
        self.assertIsNone(joins.faster(line(ns=(200, 200, 200)), {**line(), "runs": swapped}))  # the sources disagree

    def test_several_commits_or_drivers_are_refused(self):
        lines = read(os.path.join(LAB, "papers.jsonl")).splitlines(True)[:20]
        with self.assertRaisesRegex(joins.Mixed, "several drivers"):
            joins.Lines([self.path("x.jsonl", "".join(lines) + lines[0].replace("580.159.04", "590"))])
        commit = json.loads(lines[0])["commit"]
        found = joins.Lines([self.path("x.jsonl", "".join(lines[1:]) + lines[0].replace(commit, "fedcba987654"))])
        for text in lines[:2]:
            found.job(json.loads(text)["job"])
        with self.assertRaisesRegex(joins.Mixed, f"several commits: {commit}, fedcba987654"):
            found.machines()
        with self.assertRaisesRegex(joins.Mixed, "different commits"):
            joins.ratio({**line(), "commit": "1"}, {**line(), "commit": "2"})
        older = ({**line(), "device": {"kind": "cuda", "name": name}, "commit": name} for name in ("H1", "H2"))
        self.assertEqual(joins.ratio(*older), 1)  # another GPU's

    def test_a_page_names_the_machines_of_its_own_lines(self):
        of_page = {"kind": "paper", "commit": "1", "date": "2026-01-02", "runs": []}
        cuda, cpu = ({"kind": kind, "name": kind.upper(), "driver": "1", "cuda": "2"} for kind in ("cuda", "cpu"))
        text = [json.dumps({**of_page, "job": job, "device": device}) + "\n" for job, device in (("a/x", cuda), ("b/x", cuda), ("b/y", cpu))]
        found, named = joins.Lines([self.path("x.jsonl", "".join(text))]), {}
        for page in ("a/", "b/", ""):
            found.turn_to(page)
            named[page] = "one core of an CPU" in found.machines()
        self.assertEqual(named, {"a/": False, "b/": True, "": True})

    def test_end_to_end_every_run_has_every_upload(self):
        def setting(upload, more):
            each = {**line(sources=(1,), ns=(100, 100, 100)), "prepare_ns": upload + more, "upload_ns": upload}
            return {**each, "runs": [{**one, "transfer_ns": upload + 5000} for one in each["runs"]]}

        uploads = (2000000, 4000000, 9000000)
        found = study.end_to_end({short: setting(upload, more) for short, upload, more in zip("abc", uploads, (0, 0, 700000))})
        self.assertEqual(joins.times(found["a"]), [1.005 + upload * 1e-6 for upload in uploads] * 3)
        self.assertAlmostEqual(joins.median_ms(found["c"]) - joins.median_ms(found["a"]), 0.7)  # its own, without the upload
        self.assertIsNone(joins.faster(found["a"], found["c"]))  # by the spread of the uploads


class Rules(BenchCase):
    """The thresholds of papers/pages/README.md."""

    def test_count(self):
        for held, published, verdict in (("TTTT", None, "reproduced"), ("TTFF", None, "weaker"), ("TTTt", None, "weaker"),
                                         ("TFFF", None, "contradicted"), ("TTFF", 2, "reproduced"), ("t", None, "contradicted")):  # fmt: skip
            judged = rules.count([{"T": True, "F": False, "t": None}[x] for x in held], published=published)
            self.assertEqual(judged[2], verdict, held)

    def test_gain_and_amount(self):
        for value, unsure, verdict in ((2.0, 0, "reproduced"), (2.0, 0.01, "weaker"), (1.21, 0, "weaker"), (1.21, 0.02, "contradicted"),
                                       (0.9, 0, "contradicted"), (5.0, 0, "reproduced")):  # fmt: skip
            self.assertEqual(rules.gain(value, 3.0, unsure)[2], verdict, value)
        self.assertEqual(rules.gain(1.015, 1.02, 0)[2], "contradicted")  # below 2 % nothing is a gain
        self.assertEqual(rules.gain([2.0, 1.1], [3.0, 3.0], 0)[2], "contradicted")
        for value, better, verdict in ((12, 0, "reproduced"), (13, 0, "weaker"), (21, 0, "contradicted"), (21, 1, "reproduced"),
                                       (4.9, 1, "contradicted"), (4.9, -1, "reproduced")):  # fmt: skip
            self.assertEqual(rules.amount(value, 10, better=better)[2], verdict, value)


    def test_an_extreme_is_no_tie(self):
        values = {"a": 2.0, "b": 1.98, "c": 1.0, "d": 1.5}
        self.assertEqual([xbfs.extremes(values, *names)[0] for names in ("ac", "bd", "ex")], [[None, True], [None, False], [False, False]])
        self.assertEqual(xbfs.extremes({**values, "b": 1.5}, "a", "c")[0], [True, True])


class Pages(BenchCase):
    """That the committed pages are what the committed lines give is a lint check: draw.py --check."""

    def changed(self, *options, **replaced):
        """What draw.py --check prints for the pages with {page: (text, other text)}; the lines: papers.jsonl."""
        pages = self.path("pages")
        shutil.copytree(os.path.join(ROOT, "papers", "pages"), pages, dirs_exist_ok=True)
        for name, (old, new) in replaced.items():
            text = read(os.path.join(pages, name + ".md"))
            self.assertIn(old, text)
            self.path(f"pages/{name}.md", text.replace(old, new, 1))
        return self.script("../papers/lab/draw.py", "--check", "--pages", pages, *options)

    def test_what_is_typed_into_a_verdict_does_not_survive(self):
        for old, new in (("**contradicted**", "**reproduced**"), ("**weaker**", "**reproduced**"), ("holds on", "fails on"),
                         ("count: ", "count: about "), ("Of 25 claims: 1 repro", "Of 25 claims: 9 repro")):  # fmt: skip
            done = self.changed("--page", "xbfs", xbfs=(old, new))
            diff = [(new in row, row[0]) for row in done.stdout.splitlines() if row[:1] in "+-" and row[:3] not in ("+++", "---")]
            self.assertEqual(diff, [(True, "-"), (False, "+")], done.stdout)
        done = self.changed(xbfs=("| XBFS is faster than E", "| a | b | c | d | **reproduced** | e |\n| XBFS is faster than E"))
        self.assertIn("25 claims are judged, 26 are in its table", done.stderr)  # a row without a rule

    def test_reasons_name_a_measurement_or_say_probably(self):
        rows = [row.split(" | ") for row in read(os.path.join(ROOT, "papers", "pages", "README.md")).splitlines() if "** | " in row]
        self.assertGreater(len(rows), 60)
        self.assertTrue(all(fnmatch.filter([job.name for job in jobs.jobs()], glob) for row in rows for glob in re.findall("`(.*?)`", row[5])))
        for row in rows:
            self.assertRegex(row[5], r"^(`[-a-z0-9]+/\w+/\*`(, )?|\[rivals\]\(rivals.md\))+$")
            if row[6].strip("*") in ("reproduced", "weaker", "contradicted"):
                self.assertTrue(re.search(r"[Pp]robably|Tables? \d|Figs?[.] \d|Section \d|[Rr]ow above", row[7]), row)

    def test_one_paper_leaves_the_other_pages_alone(self):
        have = [json.dumps({"job": job.name}) + "\n" for job in jobs.jobs() if "h-bf" not in job.name]
        self.assertEqual(run.complete_pages(self.path("some.jsonl", "".join(have))), ["uiuc-bfs", "bfs-4k", "study", "xbfs"])
        self.assertEqual(run.complete_pages(self.path("some.jsonl", "".join(have[:-1]))), ["uiuc-bfs", "bfs-4k", "study"])
        done = self.changed("--from", self.path("x.jsonl", ""), "--page", "xbfs")
        self.assertEqual({row.split("/")[-1].split()[0] for row in done.stdout.splitlines() if row.startswith("--- ")}, {"xbfs.md"})

    def test_nothing_measured_is_said_not_invented(self):
        done = self.changed("--from", self.path("x.jsonl", ""))
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        new = [row for row in done.stdout.splitlines() if row.startswith("+")]
        self.assertGreater(len(new), 40)
        for row in new:
            self.assertNotRegex(row, r"\*\*(reproduced|weaker|contradicted)\*\*")

    def test_every_figure_is_drawn(self):
        if not importlib.util.find_spec("matplotlib"):
            self.skipTest("Python has no matplotlib")
        done = self.script("../papers/lab/draw.py", "--check", "--plots", self.path("plots"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        texts = "".join(read(os.path.join(ROOT, "papers", "pages", name)) for name in os.listdir(os.path.join(ROOT, "papers", "pages")))
        for name in os.listdir(self.path("plots")):
            self.assertIn(f"<!-- {name} -->", texts)
            self.assertRegex(read(self.path(f"plots/{name}")), "|".join(joins.Lines([os.path.join(LAB, "papers.jsonl")]).days))
        self.assertEqual(texts.count(".svg -->"), len(os.listdir(self.path("plots"))))


class Listing(BenchCase):
    def test_names_are_unique(self):
        names = [job.name for job in jobs.jobs()]
        self.assertEqual(len(names), len(set(names)))

    def test_every_published_graph_has_a_surrogate(self):
        for surrogates, tables in ((graphs.BFS4K, ("bfs4k_t1", "bfs4k_t2")), (graphs.HBF, ("hbf_t2",)), (graphs.HBF_NEGATIVE, ("hbf_t3",)),
                                   (graphs.STUDY, ("study_t1", "study_t2", "study_t3")), (graphs.XBFS, ("xbfs_t1", "xbfs_t2"))):  # fmt: skip
            for table in tables:
                self.assertEqual({surrogate.original for surrogate in surrogates}, set(PUBLISHED[table]), table)

    def test_lanes_share_the_groups_and_the_cores(self):
        with mock.patch.object(os, "sched_getaffinity", lambda _: range(32)):
            lanes = run.lanes_of(jobs.jobs(), ["0", "3"])
        self.assertEqual([(lane.gpu, len(lane.cores)) for lane in lanes], [("0", 12), ("3", 12), (None, 4), (None, 4)])
        self.assertEqual(len({core for lane in lanes for core in lane.cores}), 32)
        self.assertEqual(lanes[1].environment["CUDA_VISIBLE_DEVICES"], "3")
        named = [job.name for lane in lanes for group in lane.groups for job in group.jobs]
        self.assertEqual(sorted(named), sorted(job.name for job in jobs.jobs()))
        for a, b in (lanes[:2], lanes[2:]):
            self.assertLess(abs(a.seconds - b.seconds), 0.05 * a.seconds)
        profiles = [[group.tool == "ncu" for group in lane.groups] for lane in lanes]
        self.assertEqual(profiles, [sorted(each) for each in profiles])  # the last of each lane
        alone = run.lanes_of([job for job in jobs.jobs() if job.tool == "ncu"], ["0"])[0]
        self.assertEqual(alone.seconds, run.NCU_SECONDS * len(alone.groups))
        with mock.patch.object(os, "sched_getaffinity", lambda _: range(8)):
            self.assertEqual([len(lane.cores) for lane in run.lanes_of(jobs.jobs(), ["0"])], [8, 8])

    def test_published_forms_have_the_texts_settings(self):
        for name, k1 in (("roadNet-CA", 4), ("web-Google", 4), ("kkt_power", 4), ("random.2Mv.128Me", 32), ("com-youtube", 32)):
            self.assertTrue(jobs.bfs4k_published(name).startswith(f"k1={k1},k3=16,"), name)  # section 7 names them

    def test_dry_run(self):
        done = subprocess.run([sys.executable, "-B", os.path.join(LAB, "run.py"), "--dry-run", "--only", "h-bf/fig9/*", "--only", "h-bf/t3/wiki-talk/*"],
                              capture_output=True, text=True, env={**os.environ, "BUILD": "B", "COUNTING": "C"}, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("B/bench/bench_papers -s -w 0,255,200"), 2)  # two lanes
        program = ""
        for text in done.stdout.splitlines():
            if not text.startswith("    "):
                program = text.split("/")[0]
            elif "| cuda |" in text:
                self.assertEqual("c" in text.split(" | ")[7], program == "C", text)
        self.assertEqual(self.script("../papers/lab/run.py", "--dry-run", "--only", "nothing").returncode, 2)

    def test_profile(self):
        names = ["ID", "Kernel Name", *run.METRICS.values()]
        units = ["", "", "register/thread", "usecond", "%", "%", "%"]
        rows = [names, units, ["0", "void simple_kernel<unsigned>(int)", "22", "3.5", "5.1", "0.9", "41"],
                ["1", "void simple_kernel<unsigned>(int)", "22", "1,000.0", "6", "1", "60"]]  # fmt: skip
        text = "==PROF== Connected\n{}\n" + "\n".join(",".join(f'"{x}"' for x in row) for row in rows)
        self.assertEqual(run.profile_of(text), [{"name": "simple_kernel", "registers": 22,
                                                 "launches": [[3500, 5.1, 0.9, 41.0], [1000000, 6.0, 1.0, 60.0]]}])  # fmt: skip


class Running(BenchCase):
    def run_jobs(self, *parts, limit=0, program=PROGRAM):
        os.makedirs(self.path("bench"), exist_ok=True)
        if not os.path.exists(self.path("bench/bench_papers")):
            os.symlink(program, self.path("bench/bench_papers"))
        options = SimpleNamespace(build=self.folder, counting=self.folder, output=self.path("out.jsonl"), limit=limit,
                                  commit="c0ffee", on_host=True)  # fmt: skip
        code, text = quietly(run.run, options, list(parts))
        lines = []
        if os.path.exists(options.output):
            lines = [json.loads(line) for line in read(options.output).splitlines()]
        return code, lines, text

    def job(self, name, row="serial", surrogate=TOY, **more):
        return jobs.Job(name, surrogate, row, backend="cpu", **more)

    def test_lines_of_a_graph(self):
        weighted = TOY.weighted("0,255,200")
        code, lines, text = self.run_jobs(self.job("a", repeat=2), self.job("b", sources=1), self.job("c", "bellman-ford", weighted, problem="sssp"))
        self.assertEqual(code, 0, text)
        found = {line["job"]: line for line in lines}
        self.assertEqual((found["a"]["original"], found["a"]["graph"]["name"], found["a"]["commit"], len(found["a"]["runs"])),
                         ("toy", "kronecker:scale=8,seed=1", "c0ffee", 8))  # fmt: skip
        sources = {name: joins.sources_of(line) for name, line in found.items()}
        self.assertEqual((sources["a"][:1], sources["a"]), (sources["b"], sources["c"]))
        self.assertEqual({line["verification"] for line in lines}, {"right"})
        self.assertEqual(found["a"]["graph"]["hash"], found["b"]["graph"]["hash"])
        self.assertNotEqual(found["a"]["graph"]["hash"], found["c"]["graph"]["hash"])

    def test_paths_for_edges_and_self_loops(self):
        command = [PROGRAM, "-x", "-k", "3", "-l", "grid2d:rows=4,cols=5"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        stats = json.loads(done.stdout.splitlines()[0])
        edges = 4 * 4 + 3 * 5
        self.assertEqual((stats["n"], stats["m"]), (20 + 2 * edges, 2 * 3 * edges + 20 + 2 * edges))
        self.assertEqual((stats["self_loops"], stats["diameter_lower_bound"]), (stats["n"], 3 * 7))

    def test_what_is_there_is_not_run_again(self):
        self.run_jobs(self.job("a"))
        code, lines, text = self.run_jobs(self.job("a"), self.job("b"))
        self.assertEqual((code, [line["job"] for line in lines]), (0, ["a", "b"]))
        self.assertIn("1 were there", text)

    def test_no_graph_is_made_while_one_is_measured(self):
        told = []

        def noting(what, function):
            return lambda *values: [told.append("+" + what), function(*values), told.append("-" + what)][1]

        others = [Surrogate(seed, f"kronecker:scale=9,seed={seed}", graphs.UNDIRECTED) for seed in "123"]
        with mock.patch.multiple(run, WAITING=1, gpus_of=lambda: ["0", "1"]), mock.patch.multiple(
            run.Run, start=noting("make", run.Run.start), call=noting("measure", run.Run.call)
        ):
            code, lines, text = self.run_jobs(*(self.job(other.original, surrogate=other) for other in others))
        self.assertEqual((code, {line["job"] for line in lines}), (0, {"1", "2", "3"}), text)
        for i in range(len(told)):
            running = {what: told[: i + 1].count("+" + what) - told[: i + 1].count("-" + what) for what in ("make", "measure")}
            self.assertEqual(min(running.values()), 0, told)
        self.assertEqual(told[:4].count("+make"), 2, told)  # of both lanes, and one graph of each waits

    def test_nsight_compute_runs_when_all_else_is_measured(self):
        told, measure = [], run.Run.measure

        def noting(work, group, *values):
            told.append(group.tool)
            return measure(work, group, *values)

        units = dict.fromkeys(run.METRICS.values(), "%")
        rows = [["Kernel Name", *units], ["", *units.values()], ["k(int)", *("1" for _ in units)]]
        text = "\n".join(",".join(f'"{x}"' for x in row) for row in rows)
        command, others = run.command_of, [Surrogate(seed, f"kronecker:scale=8,seed={seed}", graphs.UNDIRECTED) for seed in "123"]
        with mock.patch.multiple(run, WAITING=1, gpus_of=lambda: ["0", "1"]), mock.patch.multiple(
            run, NCU_SECONDS=1e3, command_of=lambda options, group: ["echo", text] if group.tool else command(options, group)
        ), mock.patch.object(run.Run, "measure", noting):
            code, lines, text = self.run_jobs(self.job("profile", tool="ncu"), *(self.job(x.original, surrogate=x) for x in others))
        self.assertEqual((code, {line["job"] for line in lines}), (0, {"profile", "1", "2", "3"}), text)
        self.assertEqual(told, [None, None, None, "ncu"])  # its lane has nothing else, and waits

    def test_committed_statistics_are_taken_if_the_graph_is_the_same(self):
        _, lines, _ = self.run_jobs(jobs.Job("a", TOY, "queue"))
        self.assertEqual([line["job"].split("/")[0] for line in lines], ["facts", "a"])
        for hash, told in ((lines[0]["graph"]["hash"], False), ("0", True)):
            known = {**lines[0], "degree_max": 7, "graph": {"hash": hash}}
            os.remove(self.path("out.jsonl"))
            with mock.patch.object(run, "committed", lambda known=known: ({}, {known["job"]: known})):
                _, found, text = self.run_jobs(jobs.Job("a", TOY, "queue"))
            self.assertEqual([line.get("degree_max") for line in found], [7, None])
            self.assertEqual("a: the graph is another than in papers.jsonl" in text, told, text)

    def test_limit(self):
        code, lines, text = self.run_jobs(self.job("late"), limit=1e-9)
        self.assertEqual((code, lines), (3, []))
        self.assertIn("1 jobs were left out", text)

    def test_a_failure_is_told_and_the_others_go_on(self):
        code, lines, text = self.run_jobs(self.job("bad", "no-such-row"), self.job("good"))
        self.assertEqual((code, lines[1]["job"]), (1, "good"))
        self.assertIn("no-such-row", lines[0]["skipped"])
        self.assertIn("failed: bad", text)

    @unittest.skipUnless(ON_HOST, "this build has no executor of kernels")
    def test_the_work_is_counted(self):
        found = [job for job in jobs.jobs() if job.name in ("uiuc-bfs/work/1M", "bfs-4k/work/as-skitter")]
        for job in found:
            job.surrogate, job.sources = TOY, "1"
        code, lines, text = self.run_jobs(*found, program=ON_HOST)
        self.assertEqual((code, len(lines)), (0, 2), text)
        self.assertTrue(1 <= joins.work_table(lines)[1] < 2)  # with duplicates
        self.assertEqual(joins.work_table(lines[:1])[1], 1)  # atomic claims: each edge once

    @unittest.skipUnless(ON_HOST, "this build has no executor of kernels")
    def test_a_graph_is_uploaded_again(self):
        found = [jobs.Job(f"{i}{flags}", TOY, "queue", sources=1, flags=flags) for i, flags in enumerate(("w", "wf", "w", "wf", "w"))]
        code, lines, text = self.run_jobs(*found, program=ON_HOST)
        self.assertEqual((code, {line["graph"]["hash"] for line in lines[1:]}), (0, {lines[0]["graph"]["hash"]}), text)
        self.assertEqual([line["upload_ns"] > 0 for line in lines if line["job"][1:] == "wf"], [True, True])
        self.assertTrue(all(line["verification"] == "right" for line in lines[1:]))

    @unittest.skipUnless(ON_HOST, "this build has no executor of kernels")
    def test_the_pass_of_xbfs_is_counted(self):
        job = next(job for job in jobs.jobs() if job.name == "xbfs/pass/LJ")
        job.surrogate = Surrogate("LJ", "rmat:n=600,edges=4000,directed=0,seed=1", graphs.UNDIRECTED)
        code, lines, text = self.run_jobs(job, program=ON_HOST)
        self.assertEqual(code, 0, text)
        line = lines[0]
        self.assertEqual(line["next_level"], line["frontiers"][line["pass"] + 2])
        self.assertTrue(0 < line["early"] <= line["next_level"])
        unvisited = sum(line["frontiers"][line["pass"] + 1 :])
        self.assertGreaterEqual(sum(count for _, _, count in line["checks"]), unvisited)


if __name__ == "__main__":
    unittest.main()
