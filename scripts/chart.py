#!/usr/bin/env python3
"""Draws charts of mpsbench's reports: step times and rows per second.

The charts show both against the batch size, rows per second against the number of GPUs or processes, and step times in
the order measured.

Writes the charts STEM-time, STEM-rows, STEM-scaling and STEM-trace, where STEM is the first report's name, and prints
the paths of the files. With --html, it writes one page instead, STEM.html, which `mpsbench export --format html` makes.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from mpsbench_py import environment, reports, runner

FORMATS = ("png", "svg")


def parse_formats(text: str) -> list[str]:
    chosen = text.split(",")
    unknown = [name for name in chosen if name not in FORMATS]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown format '{unknown[0]}'; choose from {', '.join(FORMATS)}")
    return chosen


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "reports", nargs="+", type=Path, metavar="REPORT", help="a report: a JSON file written by mpsbench run"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="default: the first report's folder")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--format", type=parse_formats, default=list(FORMATS), help="default: png,svg")
    kind.add_argument("--html", action="store_true", help="write one page for a browser instead of pictures")
    parser.add_argument(
        "--mpsbench", default=runner.default_program(), metavar="PROGRAM", help="the program that makes the page"
    )
    return parser.parse_args(argv)


def draw(arguments: argparse.Namespace, folder: Path) -> None:
    environment.require_own("matplotlib", name="charts", requirements="requirements.txt")
    from mpsbench_py import chart_rows, chart_scaling, chart_sheet, chart_time, chart_trace

    loaded = reports.load_all(arguments.reports)
    modules = {"time": chart_time, "rows": chart_rows, "scaling": chart_scaling, "trace": chart_trace}
    charts = {name: module.draw(loaded) for name, module in modules.items()}
    if not any(charts.values()):
        raise reports.ReportError(nothing_in(loaded))
    folder.mkdir(parents=True, exist_ok=True)
    for name, figures in charts.items():
        if not figures and name in NOTHING:
            sys.stderr.write(f"chart.py: nothing to draw for {name}: {NOTHING[name]}\n")
        stem = folder / f"{arguments.reports[0].stem}-{name}"
        for path in chart_sheet.save(figures, stem, arguments.format):
            print(path)


def nothing_in(loaded: list[reports.Report]) -> str:
    files = ", ".join(str(report.path) for report in loaded)
    why = sorted({reports.reason(case) for report in loaded for case in report.cases})
    return f"{files}: nothing to draw: no case has a time ({', '.join(why) or 'there are no cases'})"


def write_page(arguments: argparse.Namespace, folder: Path) -> int:
    path = folder / f"{arguments.reports[0].stem}.html"
    command = [arguments.mpsbench, "export", *arguments.reports, "--format", "html", "--output", path]
    try:
        code = subprocess.run(command, check=False).returncode
    except FileNotFoundError:
        sys.stderr.write(
            f"chart.py: no program '{arguments.mpsbench}': build it with scripts/mpsbench, "
            "or name it with --mpsbench PATH\n"
        )
        return 2
    if code == 0:
        print(path)
    return code


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    folder = arguments.output or arguments.reports[0].parent
    if arguments.html:
        return write_page(arguments, folder)
    try:
        draw(arguments, folder)
    except (reports.ReportError, OSError) as error:
        sys.stderr.write(f"chart.py: {error}\n")
        return 2
    return 0


NOTHING = {
    "time": "no model was measured at two batch sizes",
    "rows": "no case has a time",
    "trace": "no launch has samples",
}  # no word about scaling, because most runs have only one process


if __name__ == "__main__":
    sys.exit(main())
