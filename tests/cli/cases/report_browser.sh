#!/bin/bash
# The report's page in a browser: it shows what its JSON has; on a phone and a desktop screen nothing leaves its place
# or overlaps, and dark and light differ. Needs Debian's chromium ('tools/setup.sh test-all').
command -v chromium >/dev/null || { echo "skip: chromium is not installed"; exit 77; }
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
cp eight.gr 'rather-long-<name>&.gr'
fringe bench kronecker:scale=10 path:n=3000 'rather-long-<name>&.gr' --backend cpu --report page.html >/dev/null ||
    exit 1
# The page is in a frame as wide as the screen in question; a script next to it measures.
python3 - <<'END'
import html
page = open("page.html").read()
open("frames.html", "w").write("""<!DOCTYPE html><meta charset="utf-8"><body>
<iframe id="phone" style="width:360px;height:800px;border:0" srcdoc="%s"></iframe>
<iframe id="desktop" style="width:1200px;height:800px;border:0" srcdoc="%s"></iframe>
<pre id="out"></pre><script>
function boxes(svg) { return [...svg.querySelectorAll("text")].map(t => t.getBoundingClientRect()); }
function apart(a, b) {
  return a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 6 || b.bottom <= a.top + 6;
}
function short(ns) {
  let unit = 0;
  while (ns >= 1000 && unit < 3) { ns /= 1000; unit++; }
  return ns.toFixed(unit == 0 || ns >= 100 ? 0 : ns >= 10 ? 1 : 2) + " " + ["ns", "us", "ms", "s"][unit];
}
const sum = (list, of) => list.reduce((all, x) => all + of(x), 0);
/* What the page says of its JSON. */
function shown(doc) {
  const graphs = JSON.parse(doc.getElementById("data").textContent).graphs;
  const sections = [...doc.querySelectorAll("section")];
  const cells = (rows, at) => [...rows].slice(1).map(row => row.cells[at].textContent);
  const right = graphs.every((graph, i) => {
    const [numbers, ...spans] = sections[i].querySelectorAll("table"), link = doc.querySelectorAll("th a")[i];
    return sections[i].querySelector("h2").textContent === graph.name && doc.querySelector(link.getAttribute("href")) === sections[i] &&
      cells(numbers.rows, 3).join() === graph.rows.map(row => short(row.traverse_ns.median)).join() &&
      spans.length === graph.rows.length && spans.every((table, k) => sum(cells(table.rows, 2), x => Number(x.replace(/,/g, ""))) ===
        sum(graph.rows[k].profile.spans, span => span[3])) &&
      sections[i].querySelectorAll("polyline").length === 2 * graph.rows.length;
  });
  return sections.length + (right ? " graphs as measured" : " graphs, not as measured");
}
function look(name) {
  const view = document.getElementById(name), doc = view.contentDocument, said = [];
  doc.querySelectorAll("details").forEach(d => d.open = true);
  const wide = doc.documentElement.scrollWidth - view.clientWidth;
  said.push(wide > 0 ? "wider than its screen by " + wide : "as wide as its screen");
  const all = [...doc.querySelectorAll("svg")];
  const outside = all.filter(s => { const o = s.getBoundingClientRect();
    return o.width < 300 || boxes(s).some(b => b.left < o.left - 1 || b.right > o.right + 1 || b.bottom > o.bottom + 1); });
  const overlap = all.filter(s => { const b = boxes(s);
    return b.some((x, i) => b.some((y, k) => k > i && !apart(x, y))); });
  said.push(shown(doc), all.length + " drawings", outside.length + " with text outside", overlap.length + " with text on text");
  const small = Math.min(...all.flatMap(s => boxes(s).map(b => b.height)));
  said.push(small > 10 ? "text can be read" : "text of " + small + " pixels");
  const paper = view.contentWindow.getComputedStyle(doc.body).backgroundColor;
  return name + ": " + said.join(", ") + " PAPER " + paper;
}
addEventListener("load", () => {
  document.getElementById("out").textContent = look("phone") + "\\n" + look("desktop") + "\\n";
});
</script>""" % ((html.escape(page),) * 2))
END
show() { # ARGS: what the browser holds once the script has run
    timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --user-data-dir="$PWD/profile" --virtual-time-budget=5000 "$@" --dump-dom "file://$PWD/frames.html" 2>browser.log
}
show >light.txt || { tail -3 browser.log; exit 1; }
show --blink-settings=preferredColorScheme=0 >dark.txt || { tail -3 browser.log; exit 1; }
grep -E '(phone|desktop): ' light.txt | sed -E 's/<pre[^>]*>//; s/ PAPER.*//'
paper() { grep -oE 'PAPER rgb\([0-9, ]*\)' "$1" | sort -u; }
paper light.txt
paper dark.txt
