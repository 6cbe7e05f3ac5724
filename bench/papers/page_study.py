"""The 2025 study: Tables 1 to 4, Figs. 5 to 8, occupancy."""

import statistics

from . import facts, graphs, plots
from .jobs import PROFILED, STUDY_ROWS
from .lines import Mixed, alike, fastest, geometric_mean, graph_of, machines, median_ms, provenance, ranking, ratio
from .page import NOT, Page, given, ms, timed, times_as_fast, verdict_of
from .published import STUDY_PROFILE, STUDY_TABLE1, STUDY_TABLE2, STUDY_TABLE3, STUDY_TABLE4

SHORT = ("simple", "queue", "scan", "fused", "WM", "CM")
NAMES = ("SimpleBFS", "QueueBFS", "ScanBFS", "Scanfused", "Scan_WM", "Scan_CM")
FOOTER = "Four random sources that reach a tenth of the graph. "


def found_of(lines, original):
    """{short name: line}, and `auto`."""
    found = {short: lines.job(f"study/t2/{original}/{row}") for short, row in zip(SHORT, STUDY_ROWS)}
    found["auto"] = lines.job(f"study/t2/{original}/auto")
    alike(found.values())
    return found


def end_to_end(lines, line):
    """Allocation and upload, traversal and download, in ms; without making the graph."""
    download = statistics.median(run["transfer_ns"] for run in line["runs"]) - line["upload_ns"]
    return median_ms(line) + (line["prepare_ns"] - line["upload_ns"] + lines.upload_ns(line) + max(download, 0)) * 1e-6


def table1(page, lines):
    page.heading("Table 1: the graphs")
    rows, used = [], []
    for surrogate in graphs.STUDY:
        line = facts.facts_of(lines, surrogate)
        used.append(line)
        vertices, edges, domain = STUDY_TABLE1[surrogate.original]
        rows.append([surrogate.original, vertices, edges, domain])
        if line:
            rows[-1] += [graph_of(line), f"{line['n'] * 1e-6:.3g}", f"{line['m'] * 1e-6:.3g}", f">= {line['diameter_lower_bound']}",
                         f"{line['degree_stddev']:.1f}", line["degree_max"]]  # fmt: skip
        else:
            rows[-1] += [NOT] + [""] * 5
    page.table(["graph", "vertices", "edges", "domain", "surrogate", "V, M", "E, M", "diameter", "deviation", "maximum degree"], rows)
    page.paragraph("""Columns 2 to 4 are published: the paper gives no degrees and no diameters, so that only vertices and
        edges can be near, and the kind of graph. Stored edges, an undirected one twice. """ + provenance(used))  # fmt: skip


def table_rows(everything, published, show):
    rows = []
    for name, found in everything.items():
        rows.append([name, "published"] + [given(x) for x in published[name]])
        rows.append(["", "measured"] + [show(found[short]) for short in SHORT])
    return rows


def table2(page, everything):
    page.heading("Table 2: kernel time")
    used = [line for found in everything.values() for line in found.values()]
    page.table(["graph", ""] + list(NAMES), table_rows(everything, STUDY_TABLE2, timed))
    page.paragraph("""Kernel time is the traversal on the device, including launches and waiting. The paper's 0.12 to
        0.46 ms on msdoor cannot be whole traversals: the graph has a diameter of 167 (H-BF, Table 1), so that 0.12 ms would
        be 0.7 microseconds for a level, less than a launch. """ + provenance(used))  # fmt: skip
    rows, same, ties, count = [], 0, 0, 0
    for name, found in everything.items():
        have = {short: found[short] for short in SHORT if found[short]}
        if len(have) < len(SHORT):
            continue
        text = sorted(zip(STUDY_TABLE2[name], SHORT))
        first = fastest(have)
        count += 1
        same += text[0][1] in first
        ties += len(first) > 1
        rows.append([name, " < ".join(short for _, short in text), ranking(have), "yes" if text[0][1] in first else "no"])
    page.table(["graph", "published", "measured; `=`: a tie", "the published fastest is among the fastest"], rows)
    page.paragraph(f"""The published fastest is among the fastest on {same} of {count} graphs; on {ties} several tie: their
        times differ by less than repeating changes them, or by less than 2 %.""")  # fmt: skip


def table3(page, lines, everything):
    page.heading("Table 3: end to end")
    used = [line for found in everything.values() for line in found.values()]
    page.table(["graph", ""] + list(NAMES), table_rows(everything, STUDY_TABLE3, lambda line: ms(end_to_end(lines, line)) if line else NOT))
    page.paragraph("""Allocation, upload, kernels and download. A graph is uploaded once and shared by the solvers on it: the time of that upload is in every column. The differences
        from Table 2 in the paper (15 ms for 182 M edges) are too small to include reading a file, which these times leave out,
        too. """ + provenance(used))  # fmt: skip


def figure5(page, lines, everything, folder):
    page.heading("Fig. 5: end to end")
    panels, used = {}, []
    for name, found in everything.items():
        have = {short: found[short] for short in SHORT if found[short]}
        if have:
            panels[name] = {short: (median_ms(line), end_to_end(lines, line)) for short, line in have.items()}
            used += have.values()
    if not panels:
        page.missing("Fig. 5", "no line `study/t2/...` is in the files.")
        return
    footer = f"Surrogates (Table 1). {FOOTER}{machines(used)}"
    plots.panels(folder, "study-fig5", "Kernel time (bars) and end to end (marks), log scale", "ms", panels, footer)
    page.figure("study-fig5", "Kernel and end-to-end time of each strategy on each graph, log scale")
    page.paragraph("""The paper stacks the two on a log scale, where heights do not add up; in this plot the kernels are
        the bar and the whole run is the mark above it. """ + provenance(used))  # fmt: skip


def figure6(page, everything, folder):
    page.heading("Fig. 6: speed relative to simple")
    have = {name: found for name, found in everything.items() if found["simple"]}
    if not have:
        page.missing("Fig. 6", "no line `study/t2/...` is in the files.")
        return
    series = {short: [ratio(found["simple"], found[short]) for found in have.values()] for short in SHORT[1:]}
    published = {short: [STUDY_TABLE2[name][0] / STUDY_TABLE2[name][i] for name in have] for i, short in enumerate(SHORT) if i}
    used = [line for found in have.values() for line in found.values()]
    plots.bars(folder, "study-fig6", "Kernel time of simple / kernel time of the strategy", "times as fast", list(have), series,
               f"Surrogates (Table 1). {FOOTER}{machines(used)}", log=True, line=1, published=published)  # fmt: skip
    page.figure("study-fig6", "Speed of each strategy relative to simple, by kernel time")
    page.table(["geometric mean over simple", "published", "measured"],
               [[short, times_as_fast(geometric_mean(published[short])), times_as_fast(geometric_mean(series[short]))] for short in SHORT[1:]])  # fmt: skip
    page.paragraph(provenance(used))


def table4(page, lines, everything):
    page.heading("Table 4: Gunrock and GSWITCH")
    rows, used = [], []
    for name, published in STUDY_TABLE4.items():
        line = everything.get(name, {}).get("auto")
        used.append(line)
        rows.append([name] + [given(x) for x in published] + [timed(line), ms(end_to_end(lines, line)) if line else NOT])
    page.table(["graph", "Gunrock kernel", "end to end", "GSWITCH kernel", "end to end", "`auto` kernel", "end to end"], rows)
    page.paragraph("""Published times, and those of fringe's `auto` on the surrogate. The paper's end-to-end times of Gunrock and
        GSWITCH include reading the file; its text on kron_g500-logn21 (92.3 ms) contradicts its table (74,159 ms). """ + provenance(used))  # fmt: skip


def main_kernel(row):
    """The kernel of a strategy that traverses."""
    return {"scan": "assign_vertices_kernel"}.get(row, row.replace("-", "_") + "_kernel")


def weighted(launches, i):
    """The mean of a metric over launches, weighted by their time."""
    whole = sum(launch[0] for launch in launches)
    return sum(launch[0] * launch[i] for launch in launches) / whole if whole else 0


def profile(page, lines):
    page.heading("Figs. 7 and 8: registers, throughput, occupancy")
    registers = lines.job("study/registers")
    rows, used, achieved = [], [registers], {}
    for short, row in zip(SHORT, STUDY_ROWS):
        line, bound = lines.job(f"study/ncu/{row}"), lines.job(f"study/occupancy/{row}")
        if line and bound and (line.get("surrogate", bound["graph"]["name"]), line["shape"]) != (bound["graph"]["name"], bound["shape"]):
            raise Mixed(f"{line['job']} and {bound['job']} are of different graphs")  # Nsight's lines have no hash
        used += [line, bound]
        published = STUDY_PROFILE[row]
        rows.append([short, "published", published[0], "-", published[1], published[2], "-", published[3]])
        limit = {kernel["name"]: kernel["occupancy"] for kernel in bound["kernel_list"]} if bound else {}
        for kernel in line["kernels"] if line else []:
            name = kernel["name"]
            if name not in limit or name in ("fill_kernel", "place_sources_kernel", "sum_degrees_kernel"):
                continue
            launches = kernel["launches"]
            rows.append([f"`{name}`", "measured", kernel["registers"], f"{min(x[0] for x in launches) / 1e3:.1f} to {max(x[0] for x in launches) / 1e3:.0f}",
                         f"{weighted(launches, 1):.1f} (peak {max(x[1] for x in launches):.1f})", f"{weighted(launches, 2):.1f} (peak {max(x[2] for x in launches):.1f})",
                         f"{limit[name] * 100:.0f}", f"{weighted(launches, 3):.0f} (peak {max(x[3] for x in launches):.0f})"])  # fmt: skip
            if name == main_kernel(row):
                achieved[short] = weighted(launches, 3)
    if not achieved:
        page.missing("Figs. 7 and 8", lines.skipped.get("study/ncu/simple", "no line `study/ncu/...` is in the files") + ".")
    if registers:
        found = {}
        for name, count in registers["registers"].items():
            for row in STUDY_ROWS:
                if main_kernel(row) in name:
                    found.setdefault(row, set()).add(count)
        if not achieved:
            rows += [[short, "compiled", ", ".join(map(str, sorted(found.get(row, [])))), "", "", "", "", ""] for short, row in zip(SHORT, STUDY_ROWS)]
    page.table(["kernel", "", "registers", "duration, us", "memory, %", "compute, %", "occupancy bound, %", "achieved, %"], rows)
    page.paragraph(f"""Nsight Compute's registers per thread, memory and compute throughput in percent of the peak, and achieved
        occupancy; means over the launches of one traversal of {PROFILED}'s surrogate, weighted by their time. The bound is that of registers, shared memory
        and block size. The paper's figures are screenshots without numbers in the text: the published rows are what its section 4.1 says;
        it does not name their graph. {provenance(used)}""")  # fmt: skip
    memory = {short: weighted(kernel["launches"], 1) for short, row in zip(SHORT, STUDY_ROWS)
              for kernel in (lines.job(f"study/ncu/{row}") or {"kernels": []})["kernels"] if kernel["name"] == main_kernel(row)}  # fmt: skip
    used_registers = {short: kernel["registers"] for short, row in zip(SHORT, STUDY_ROWS)
                      for kernel in (lines.job(f"study/ncu/{row}") or {"kernels": []})["kernels"] if kernel["name"] == main_kernel(row)}  # fmt: skip
    have = all(short in memory for short in ("simple", "WM", "CM"))
    page.claim("WM and CM use the memory better than simple", "section 4.1, Figs. 7 and 8", "above 10 % against below 6 %",
               f"WM {memory['WM']:.1f} %, CM {memory['CM']:.1f} %, simple {memory['simple']:.1f} % of the peak" if have else NOT,
               verdict_of(min(memory["WM"], memory["CM"]) > 1.5 * memory["simple"] if have else None, have and max(memory.values()) > memory["simple"]),
               "Lanes that share a row read neighbors side by side; the share of the peak is small, because the graph is small for this GPU.")  # fmt: skip
    page.claim("registers: 22 for simple and queue, 26 to 28 for WM and CM", "section 4.1", "22, 22, 26 to 28",
               ", ".join(f"{short} {count}" for short, count in used_registers.items()) or NOT,
               verdict_of(have and min(used_registers["WM"], used_registers["CM"]) > max(used_registers["simple"], used_registers["queue"]) if have else None,
                          have and used_registers["simple"] < used_registers["CM"]), {
                   "weaker": "The same order except WM; fringe also computes parents and uses 64-bit offsets."})  # fmt: skip
    low = achieved.get("simple"), achieved.get("queue")
    page.claim("simple and queue have an occupancy often well below 50 %", "section 4.1", "below 50 %, bound 66.67 %",
               f"simple {low[0]:.0f} %, queue {low[1]:.0f} %" if all(low) else NOT,
               verdict_of(max(low) < 50 if all(low) else None, all(low) and min(low) < 50),
               {"contradicted": "Few threads have work, but all of a block stay resident until its last one ends, and the launch is large."})  # fmt: skip
    high = achieved.get("WM"), achieved.get("CM")
    page.claim("WM is near the theoretical occupancy, CM slightly below", "section 4.1", "near 66.67 %",
               f"WM {high[0]:.0f} %, CM {high[1]:.0f} %" if all(high) else NOT,
               verdict_of(min(high) > 60 and high[0] >= high[1] - 2 if all(high) else None, all(high) and max(high) > 50),
               "On an H200 the bound is 100 %; blocks of the last levels find little to do.")  # fmt: skip


def claims(page, everything):
    complete = {name: {s: found[s] for s in SHORT} for name, found in everything.items() if all(found[s] for s in SHORT)}
    first = {name: fastest(found) for name, found in complete.items()}
    merged = sum(bool({"WM", "CM"} & set(each)) for each in first.values())
    count = len(complete)
    page.claim("the load-balanced fused kernels (WM or CM) are the fastest", "section 4, Table 2", "7 of 10 graphs",
               f"among the fastest on {merged} of {count}", verdict_of(merged >= 0.7 * count if count else None, count and merged >= count / 2),
               "Warps or blocks share the edges of hubs; on flat graphs there are no hubs.")  # fmt: skip
    order = {name: ratio(found["CM"], found["WM"]) for name, found in complete.items()}
    text = {name: STUDY_TABLE2[name][5] / STUDY_TABLE2[name][4] for name in order}
    agree = sum((order[name] > 1) == (text[name] > 1) for name in order)
    page.claim("WM before CM, except on the most skewed graphs", "section 4, Table 2", "WM first on 6 of 10",
               f"the published order of the two on {agree} of {count}; CM first on {sum(x < 1 for x in order.values())}",
               verdict_of(agree >= 0.8 * count if count else None, count and agree > count / 2), {
                   "weaker": "The block-wide sum costs little on a multiprocessor of 64 warps, so that CM is faster on all skewed graphs.",
                   "contradicted": "The block-wide sum costs little on a multiprocessor of 64 warps, so that CM is faster on all skewed graphs."})  # fmt: skip
    slowest = {name: max(found, key=lambda s: median_ms(found[s])) for name, found in complete.items()}
    queue = sum(each == "queue" for each in slowest.values())
    page.claim("queue is the slowest on large graphs", "section 4, Table 2", "slowest on 6 of 10",
               f"queue on {queue}, scan on {sum(each == 'scan' for each in slowest.values())} of {count}",
               verdict_of(queue >= 0.5 * count if count else None, queue > 0), {
                   "contradicted": "Two atomics for a vertex are cheap at this L2; scan's five launches a level are not.",
                   "weaker": "Two atomics for a vertex are cheap at this L2; scan's five launches a level are not."})  # fmt: skip
    flat = {name: first[name] for name in ("msdoor", "roadNet-CA") if name in first}
    page.claim("simple outperforms the more complex ones on msdoor and roadNet-CA", "section 4", "by its own Table 2 fifth and third of six",
               "; ".join(f"{name}: {' = '.join(each)}" for name, each in flat.items()) or NOT,
               verdict_of(all("simple" in each for each in flat.values()) if flat else None, any("simple" in each for each in flat.values())),
               "Even degrees leave nothing to balance, so that the fewest instructions win.")  # fmt: skip
    page.claim("the fused designs rival Gunrock and GSWITCH", "section 4, Table 4", "per graph", "-", "not testable",
               "Neither program was run; Table 4 also has fringe's `auto`.")  # fmt: skip
    fused = sum(ratio(found["scan"], found["fused"]) > 1 for found in complete.values())
    page.claim("fusing the kernels makes scan faster", "section 4, Table 2", "10 of 10 graphs", f"{fused} of {count}",
               verdict_of(fused == count if count else None, count and fused > count / 2), "One launch a level in place of five.")  # fmt: skip


def draw(lines, folder):
    page = Page("study", "The 2025 study: published and measured", """
        Performance Optimization of GPU Breadth-First Search Algorithm, 2025. Published on an RTX 4070,
        source 0, mean of five runs. SimpleBFS to Scan_CM are fringe's strategies `simple`, `queue`, `scan`,
        `scan-fused`, `warp-merge` and `coalesced-map`. Measured: medians over four random sources that
        reach a tenth of the graph, on surrogates: generated graphs of the paper's vertices and edges. So compare the strategies on one graph with
        each other, not with the paper's times. Milliseconds, ± half the distance between the quartiles of all runs. Written by `make bench-papers`.""")  # fmt: skip
    everything = {surrogate.original: found_of(lines, surrogate.original) for surrogate in graphs.STUDY}
    everything = {name: found for name, found in everything.items() if any(found.values())}
    claims(page, everything)
    table1(page, lines)
    table2(page, everything)
    table3(page, lines, everything)
    figure5(page, lines, everything, folder)
    figure6(page, everything, folder)
    table4(page, lines, everything)
    profile(page, lines)
    page.conclude("""The study's main result holds: sharing edges within a warp or a block (WM, CM) is the fastest of its six methods wherever degrees differ, and fusing the
        kernels gains everywhere. Its order of the two does not hold: a block's prefix sum is cheap on this GPU, and CM is faster on every skewed graph. On flat graphs
        all but the unfused scan tie, because a launch a level is what they wait for.""")  # fmt: skip
    page.knobs([(name, row, "") for name, row in zip(NAMES, STUDY_ROWS)] + [("`auto`", "auto", "")])
    page.missing("Figs. 1 to 4", "drawings of the method, without measurements.")
    page.missing("Gunrock and GSWITCH", "neither program was run; `make bench-peers` runs Gunrock if it is installed.")
    page.missing("SSSP and APSP", "the abstract names them; the text has no algorithm and no figure for either.")
    page.missing("Source 0", "four random sources: vertex 0 of a generated graph has no meaning.")
    return page
