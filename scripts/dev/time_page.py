#!/usr/bin/env python3
"""Measures how long headless Chromium takes to open a page of `mpsbench export`, and how smoothly it scrolls.

    time_page.py [REPORT] [--mpsbench PROGRAM] [--cases 200] [--machines 1] [--launches 3] [--runs 5]

Makes --machines reports of --cases cases, copied from the first good case of REPORT, and exports them as one HTML page.
Opens the page --runs times. Then scrolls it with all cases closed, and with all of them open.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for mpsbench_py

from mpsbench_py import chromium, page_reports, runner

SCROLL = """new Promise(done => {
  const times = []; let last = performance.now(); scrollTo({top: 0, behavior: "instant"});
  const step = now => {
    times.push(now - last); last = now;
    if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2 || times.length > 600) done(times.slice(1));
    else { scrollBy({top: 400, behavior: "instant"}); requestAnimationFrame(step); }
  };
  requestAnimationFrame(step);
})"""
LOADED = """(() => {
  const timing = performance.getEntriesByType("navigation")[0];
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return [timing.loadEventEnd, paint ? paint.startTime : 0];
})()"""
OPEN_ALL = 'document.querySelectorAll("details.case").forEach(one => one.open = true)'


def write_page(arguments: argparse.Namespace, folder: Path) -> Path:
    source = json.loads(arguments.report.read_text(encoding="utf-8"))
    files = []
    for seed in range(arguments.machines):
        host = f"machine-{seed + 1}"
        made = page_reports.multiplied(source, arguments.cases, arguments.launches, seed=seed, host=host)
        files.append(folder / f"{host}.json")
        files[-1].write_text(json.dumps(made), encoding="utf-8")
    page = folder / "page.html"
    start = time.perf_counter()
    subprocess.run([arguments.mpsbench, "export", *files, "--format", "html", "-o", page], check=True)
    print(f"exported in {time.perf_counter() - start:.2f} s: {page.stat().st_size / 1e6:.2f} MB")
    return page


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path, nargs="?", default=runner.ROOT / "results/h200-small-networks-graph.json")
    parser.add_argument("--mpsbench", default=runner.default_program())
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--machines", type=int, default=1)
    parser.add_argument("--launches", type=int, default=3)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    if chromium.program() is None:
        sys.stderr.write(f"time_page.py: no {' or '.join(chromium.PROGRAMS)} here: install the package chromium\n")
        return 2
    loads, paints = [], []
    with tempfile.TemporaryDirectory() as folder, chromium.Chromium() as browser:
        page = write_page(arguments, Path(folder))
        browser.show(1280, 900)
        for _ in range(arguments.runs):
            browser.open(page)
            load, paint = browser.ask(LOADED)
            loads.append(load / 1e3)
            paints.append(paint / 1e3)
        print(
            f"opened {arguments.runs} times: loaded in {min(loads):.2f} ... {max(loads):.2f} s, first paint after "
            f"{min(paints):.2f} ... {max(paints):.2f} s"
        )
        for words, prepare in (("cases closed", "0"), ("all cases open", OPEN_ALL)):
            browser.ask(prepare)
            frames = sorted(browser.ask(SCROLL))
            middle, most = statistics.median(frames), frames[int(0.95 * (len(frames) - 1))]
            print(
                f"scrolled by 400 px a frame, {words}: {len(frames)} frames, median {middle:.0f} ms, "
                f"95 % within {most:.0f} ms, longest {frames[-1]:.0f} ms"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
