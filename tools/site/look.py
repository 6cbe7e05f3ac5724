#!/usr/bin/env python3
"""Looks at every page of the documentation site in headless chromium, at the widths of a desk and of a telephone.

usage: look.py FOLDER [--shots FOLDER]     FOLDER: the built site; --shots: pictures of some pages, to look at

A page may not be wider than its screen, its pictures must load, and nothing of its text may leave the screen. Exit 1
names what is wrong.
"""

import argparse
import contextlib
import functools
import http.server
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

WIDTHS = (390, 1280)
SHOTS = ("index.html", "migrate/from-scipy.html", "python-api/pyfringe.html", "notebooks/roads.html", "gallery.html")
LOOKER = """<!DOCTYPE html><meta charset="utf-8"><body><script>
const pages = %s, widths = %s;
function look(view, name, width) {
  const doc = view.contentDocument, found = [];
  const wide = doc.documentElement.scrollWidth - width;
  if (wide > 0) found.push("is " + wide + " pixels wider than its screen");
  if (!doc.querySelector("article h1")) found.push("has no heading");
  for (const image of doc.querySelectorAll("article img"))
    if (!image.naturalWidth) found.push("does not show " + image.getAttribute("src").slice(0, 60));
  for (const part of doc.querySelectorAll("article > p, article > ul, article h1, article h2, article h3")) {
    const box = part.getBoundingClientRect();
    if (box.width && (box.left < 0 || box.right > width + 1)) found.push("cuts off '" + part.textContent.slice(0, 40) + "'");
  }
  return found.map(words => name + " at " + width + " pixels " + words);
}
async function all() {
  const said = [];
  for (const width of widths) {
    const view = document.createElement("iframe");
    view.style = "border:0;height:800px;width:" + width + "px";
    document.body.append(view);
    for (const name of pages) {
      const late = await Promise.race([
        new Promise(done => { view.onload = () => done(false); view.src = "/" + name; }),
        new Promise(done => setTimeout(done, 20000, true))]);
      said.push(...(late ? [name + " does not load in 20 s"] : look(view, name, width)));
    }
  }
  await fetch("/answer", { method: "POST", body: JSON.stringify({ looked: pages.length * widths.length, said }) });
}
all();
</script>"""


class Server(http.server.SimpleHTTPRequestHandler):
    looker = b""
    answer: dict | None = None
    answered = threading.Event()

    def do_POST(self):
        Server.answer = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        Server.answered.set()

    def do_GET(self):
        if self.path != "/look":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.looker)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def chromium(*arguments):
    """A browser, ended with the block."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        words += [f"--user-data-dir={profile}", *arguments]
        running = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            yield running
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path)
    options = parser.parse_args()
    pages = sorted(str(path.relative_to(options.site)) for path in options.site.rglob("*.html"))
    pages = [page for page in pages if page != "404.html" and "<article" in (options.site / page).read_text("utf-8")]
    Server.looker = (LOOKER % (json.dumps(pages), json.dumps(WIDTHS))).encode()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=options.site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    if options.shots:
        for page in SHOTS:
            for width in WIDTHS:
                file = options.shots / f"{page.replace('/', '-')}-{width}.png"
                with chromium(f"--window-size={width},1600", f"--screenshot={file}", f"{address}/{page}") as running:
                    running.wait(120)
        return
    with chromium("--remote-debugging-port=0", f"{address}/look"):  # the port keeps it running
        if not Server.answered.wait(240):
            sys.exit("the browser did not finish in 240 s")
    answer = Server.answer
    print("\n".join(answer["said"] + [f"{answer['looked']} views looked at, {len(answer['said'])} complaints"]))
    sys.exit(bool(answer["said"]))


main()
