"""The page docs/machines.html: the figures of all reports in results/, a table for each work."""

import math
import re
from html import escape
from pathlib import Path

from mpsbench_py import gallery, reports, words
from mpsbench_py.gallery import Entry, Work

WIDTH, HEIGHT, EDGE = 168, 22, 8  # of a row's drawing, and where its axis begins

STYLE = Path(__file__).with_name("gallery.css")

ABOUT = """<p>Rows per second of the same networks on different machines, from the reports in the folder
<code>results</code>. A <em>row</em> is one input, such as an image or a sentence.</p>
<ul class="keys">
<li>{measured} Measured with mpsbench: the batch size divided by the median time of a step, with its 95 % interval.</li>
<li>{published} Published by others, <strong>not measured by mpsbench</strong>: the mean step of their own programs,
most with pre-release builds of PyTorch of 2022. The interval covers the rounding of what they printed, or the spread
of a few calls. Use these figures as orders of magnitude.</li>
<li>A hollow mark has no interval: it is not known. Axes are logarithmic.</li>
</ul>
"""

ADD = """<section id="add"><h2>Add your machine</h2>
<p>Measure it, and send the report in a pull request:</p>
<pre>mpsbench run vgg16-cifar10 --data-dir DATA --host-name MY-MACHINE --export-json results/MY-MACHINE-vgg16.json</pre>
<p>List the report in <code>results/README.md</code>, add it with <code>git add -f</code>, and run
<code>scripts/dev/make_docs.py</code>, which writes this page. A report has no user name, home folder or serial number.
It names the CPU, the GPU and the system, and has the host name that you give. This page shows only the chip's
name.</p></section>
"""

HEADS = """<th scope="col" class="r">rows/s</th><th scope="col" class="r">fastest is</th>
<th scope="col">other figure</th><th scope="col">source</th>"""


def _anchor(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class Axis:
    """Whole decades around the values of a table."""

    def __init__(self, values: list[float]):
        self.first = math.floor(math.log10(min(values)))
        self.last = max(math.ceil(math.log10(max(values))), self.first + 1)

    def place(self, value: float) -> str:
        share = (math.log10(value) - self.first) / (self.last - self.first)
        return f"{EDGE + share * (WIDTH - 2 * EDGE):.1f}"

    def decades(self) -> list[float]:
        return [10.0**power for power in range(self.first, self.last + 1)]

    def grid(self) -> str:
        lines = "".join(f"M{self.place(value)} 0V{HEIGHT}" for value in self.decades())
        return f'<path class="grid" d="{lines}"/>'

    def head(self) -> str:
        step = -(-len(self.decades()) // 5)
        texts = []
        for value in self.decades()[::step]:
            at = "start" if value == self.decades()[0] else "end" if value == self.decades()[-1] else "middle"
            x = {"start": "0", "end": str(WIDTH)}.get(at, self.place(value))
            texts.append(f'<text x="{x}" y="15" text-anchor="{at}">{_short(value)}</text>')
        return _svg("".join(texts))


def _short(value: float) -> str:
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def _svg(drawing: str, width: int = WIDTH) -> str:
    size = f'width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}"'
    return f'<svg {size} aria-hidden="true">{drawing}</svg>'


def _mark(x: float | str, is_published: bool, is_hollow: bool) -> str:
    """A circle or, of a published figure, a diamond."""
    form = "m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z" if is_published else "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z"
    names = ("published" if is_published else "measured") + (" hollow" if is_hollow else "")
    return f'<path class="mark {names}" d="M{x} {HEIGHT // 2}{form}"/>'


def _drawing(entry: Entry, axis: Axis) -> str:
    rows = entry.rows()
    if rows is None:
        return _svg(axis.grid())
    low, high = rows.drawn()
    ends = [axis.place(min(max(one, axis.decades()[0]), axis.decades()[-1])) for one in (low, high)]
    whisker = f'<path class="whisker" d="M{ends[0]} {HEIGHT // 2}H{ends[1]}"/>' if rows.interval else ""
    mark = _mark(axis.place(rows.value), bool(entry.case.published), rows.interval is None)
    return _svg(axis.grid() + whisker + mark)


def _source(entry: Entry) -> str:
    published = entry.case.published
    library = f"LibTorch {entry.report.libtorch}, " if entry.report.libtorch else ""
    if published is None:
        day = entry.report.started_at[:10]
        text = f"{escape(library)}{day}, measured: <code>results/{escape(entry.report.path.name)}</code>"
        remarks = entry.case.flags
    else:
        name = escape(re.sub(r": \S*/", ": ", published["source"]))
        link = (
            f'<a href="{escape(published["url"])}">{name}</a>'
            if (published["url"] or "").startswith("https://")
            else name
        )
        text = f"{escape(library)}published: {link}"
        remarks = published["cautions"]
    return text + "".join(f' <span class="flag">{escape(one)}</span>' for one in remarks)


def _row(entry: Entry, axis: Axis | None, fastest: float | None) -> str:
    rows = entry.rows()
    figure = f"{words.rate(rows.value)} <small>{rows.words()}</small>" if rows else "–"
    behind = "–"
    if rows:
        behind = "fastest" if rows.value == fastest else f"{words.significant(fastest / rows.value, 2)}×"
    cells = [
        f'<th scope="row">{escape(entry.machine)} <small>{entry.unit()}, {escape(entry.ways())}</small></th>',
        f"<td>{_drawing(entry, axis)}</td>" if axis else "",
        f'<td class="r">{figure}</td>',
        f'<td class="r">{behind}</td>',
        f"<td>{escape(entry.other_figure())}</td>",
        f'<td class="source">{_source(entry)}</td>',
    ]
    return f'<tr id="{_entry_anchor(entry)}">{"".join(cells)}</tr>'


def _entry_anchor(entry: Entry) -> str:
    return _anchor(f"{entry.report.path.stem} {entry.number}")


def _section(anchor: str, title: str, note: str, head: str, lines: list[str]) -> str:
    """A section with one table, which can be scrolled on a phone."""
    body = "\n".join(lines)
    title = escape(title)
    note = f'<p class="note">{note}</p>' if note else ""
    return (
        f'<section id="{anchor}"><h2>{title}</h2>{note}<div class="wide" tabindex="0" role="region" '
        f'aria-label="{title}"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div></section>\n'
    )


def _work_section(work: Work) -> str:
    rates = [entry.rows().value for entry in work.entries if entry.rows()]
    axis = Axis(rates) if rates else None
    drawn = f'<th scope="col">{axis.head()}<span class="unseen">rows per second, drawn</span></th>' if axis else ""
    options = f"<code>{escape(work.options)}</code>" if work.options else ""
    lines = [_row(entry, axis, work.fastest()) for entry in work.entries]
    head = f'<th scope="col">machine</th>{drawn}{HEADS}'
    return _section(_anchor(work.title), work.title, options, head, lines)


def _overview(works: list[Work]) -> str:
    """A row for each machine, with its highest rate in each work that several machines have."""
    shared = [work for work in works if len({entry.place() for entry in work.entries if entry.rows()}) > 1]
    lines = []
    for place in sorted({entry.place() for work in works for entry in work.entries}):
        first = next(entry for work in works for entry in work.entries if entry.place() == place)
        cells = []
        for work in shared:
            best = next((one for one in work.entries if one.place() == place and one.rows()), None)
            text = f'<a href="#{_entry_anchor(best)}">{words.rate(best.rows().value)}</a>' if best else "–"
            cells.append(f'<td class="r">{text}</td>')
        name = f'<a href="#{_entry_anchor(first)}">{escape(first.machine)}</a> <small>{first.unit()}</small>'
        lines.append(f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>')
    heads = "".join(
        f'<th scope="col" class="r"><a href="#{_anchor(one.title)}">{escape(one.title)}</a></th>' for one in shared
    )
    note = "The most rows per second of each machine, in work that several have done. Names and figures are links."
    return _section("machines", "Find your machine", note, f'<th scope="col">machine</th>{heads}', lines)


def _cautions(results: Path, works: list[Work]) -> str:
    used = {one for work in works for entry in work.entries for one in entry.cautions()}
    meanings = {name: meaning for name, meaning in gallery.cautions_of(results).items() if name in used}
    items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(meaning)}</dd>" for name, meaning in meanings.items())
    return (
        f'<section id="cautions"><h2>Cautions about published figures</h2><dl>{items}</dl>'
        '<p class="note">The words beside measured figures are flags, which docs/report.md explains.</p></section>\n'
    )


def page(results: Path) -> str:
    works = gallery.works_of([reports.load(path) for path in gallery.report_files(results)])
    keys = {"measured": _svg(_mark(7, False, False), 14), "published": _svg(_mark(7, True, False), 14)}
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<title>mpsbench: machines</title>\n'
        f"<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n<header><h1>Machines</h1>\n"
        '<nav><a href="#add">Add your machine</a> <a href="#cautions">Cautions</a></nav></header>\n<main>\n'
        f"{ABOUT.format(**keys)}{_overview(works)}{''.join(map(_work_section, works))}"
        f"{_cautions(results, works)}{ADD}</main>\n</body>\n</html>\n"
    )
