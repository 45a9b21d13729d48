#!/usr/bin/env python3
"""Draws charts of mpsbench's reports: step times, and rows per second or, of cases that generate, tokens per second.

The charts show both against the batch size, the speeds against the number of GPUs or processes, and step times in the
order measured. `mpsbench export` makes all figures, intervals and names; this script only draws them.

Writes the charts STEM-time, STEM-rows, STEM-scaling and STEM-trace, where STEM is the first report's name, and prints
the paths of the files.
"""

import argparse
import sys
from pathlib import Path

from mpsbench_py import chart_view, environment, runner

FORMATS = ("png", "svg")
NOTHING = {
    "time": "no model was measured at two batch sizes",
    "rows": "no case has a time",
    "trace": "no launch has samples",
}  # no word about scaling, because most runs have only one process


def parse_formats(text: str) -> list[str]:
    chosen = text.split(",")
    unknown = [name for name in chosen if name not in FORMATS]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown format '{unknown[0]}'; choose from {', '.join(FORMATS)}")
    return chosen


def parse_folder(text: str) -> Path:
    folder = Path(text)
    if folder.is_file() or folder.suffix.lower() in (".png", ".svg", ".html", ".pdf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no folder, and there are several charts; see --format")
    return folder


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT", help="a file written by mpsbench run")
    parser.add_argument("-o", "--output", type=parse_folder, metavar="DIR", help="default: the first report's folder")
    parser.add_argument("--format", type=parse_formats, default=list(FORMATS), help="default: png,svg")
    parser.add_argument("--mpsbench", default=runner.default_program(), metavar="PROGRAM", help="reads the reports")
    return parser.parse_args(argv)


def draw(arguments: argparse.Namespace) -> None:
    view = chart_view.load(arguments.mpsbench, arguments.reports)
    environment.require_own("matplotlib", name="charts", requirements="requirements.txt")
    from mpsbench_py import chart_lines, chart_rows, chart_sheet, chart_trace

    charts = {
        "time": chart_lines.draw_times(view),
        "rows": chart_rows.draw(view),
        "scaling": chart_lines.draw_scaling(view),
        "trace": chart_trace.draw(view),
    }
    if not any(charts.values()):
        why = ", ".join(sorted({case.why() for case in view.cases})) or "there are no cases"
        files = ", ".join(map(str, arguments.reports))
        raise chart_view.ViewError(f"{files}: nothing to draw: no case has a time ({why})")
    folder = arguments.output or arguments.reports[0].parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, figures in charts.items():
        if not figures and name in NOTHING:
            sys.stderr.write(f"chart.py: nothing to draw for {name}: {NOTHING[name]}\n")
        for path in chart_sheet.save(figures, folder / f"{arguments.reports[0].stem}-{name}", arguments.format):
            print(path)


def main(argv: list[str] | None = None) -> int:
    try:
        draw(parse(argv))
    except chart_view.ProgramError as error:
        return error.code
    except (chart_view.ViewError, OSError) as error:
        sys.stderr.write(f"chart.py: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
