/* The style of the report's page: one column, light or dark as the reader's system is. */
#ifndef CLI_REPORT_STYLE_H
#define CLI_REPORT_STYLE_H

static const char report_style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#5a6472;--line:#d8dde4;"
    "--bar:#8fb4dc;--best:#4c9a6d;--mark:#1b1f24;--front:#1f5fa8;--edge:#b8500f;--bad:#b3261e;"
    "--k0:#8fb4dc;--k1:#e0a45c;--k2:#7dbb94;--k3:#c79ac9;--k4:#b9b04d;--k5:#9aa3ad}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e8ed;--paper:#14181d;--soft:#9aa6b4;"
    "--line:#333b45;--bar:#3f6591;--best:#3c7d58;--mark:#e4e8ed;--front:#78b0ee;--edge:#f0985a;"
    "--bad:#f2938c;--k0:#3f6591;--k1:#96652a;--k2:#3c7d58;--k3:#7d5580;--k4:#77702a;"
    "--k5:#5b646e}}\n"
    "body{margin:0 auto;max-width:46rem;padding:1rem;background:var(--paper);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "h1{font-size:1.6rem;margin:.3rem 0}h2{font-size:1.25rem;margin:2.2rem 0 .3rem}"
    "h3{font-size:1rem;margin:1.2rem 0 .3rem}p{margin:.4rem 0}a{color:var(--front)}\n"
    ".soft{color:var(--soft)}.bad{color:var(--bad)}.wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .6rem;text-align:right;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}\n"
    "th:first-child,td:first-child,.left{text-align:left}th{font-weight:600}"
    "td.best{font-weight:700}\n"
    "td.say{white-space:normal;min-width:12rem;text-align:left}\n"
    "summary{cursor:pointer;padding:.35rem 0}"
    "details{border-bottom:1px solid var(--line)}\n"
    "svg{display:block;width:100%;max-width:32rem;height:auto}"
    "svg text{font:11px system-ui,sans-serif;fill:var(--ink)}\n"
    "svg text.soft{fill:var(--soft)}.end{text-anchor:end}.mid{text-anchor:middle}\n"
    ".grid{stroke:var(--line);stroke-width:1}.bar{fill:var(--bar)}.bar.best{fill:var(--best)}\n"
    ".all{stroke:var(--mark);stroke-width:1}.half{stroke:var(--mark);stroke-width:4}\n"
    "polyline{fill:none;stroke-width:2;stroke-linejoin:round}"
    "polyline.frontier{stroke:var(--front)}"
    "polyline.edges{stroke:var(--edge);stroke-dasharray:6 3}\n"
    "circle.frontier{fill:var(--front)}circle.edges{fill:var(--edge)}"
    "b.frontier{color:var(--front)}b.edges{color:var(--edge)}\n"
    ".k0{fill:var(--k0);background:var(--k0)}.k1{fill:var(--k1);background:var(--k1)}"
    ".k2{fill:var(--k2);background:var(--k2)}.k3{fill:var(--k3);background:var(--k3)}"
    ".k4{fill:var(--k4);background:var(--k4)}.k5{fill:var(--k5);background:var(--k5)}\n"
    ".swatch{display:inline-block;width:.7rem;height:.7rem;margin-right:.4rem}\n";

#endif
