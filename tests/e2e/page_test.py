"""`mpsbench export --format html`: the page is well-formed and harmless, and looks right in headless Chromium if that
is installed.
"""

import copy
import re
import statistics
import sys
import unittest
from html.parser import HTMLParser

from support import SOURCE, FrontTest, main

sys.path.insert(0, str(SOURCE / "scripts"))
from mpsbench_py import chromium, page_reports, words

HOSTILE = "\"'><script>window.pwned=1</script><img src=x onerror=window.pwned=1></title></style></svg>\x1b\u202e&lt;"
SIZES = ((360, 740), (768, 1024), (1280, 900))
VOID = {"meta", "br", "wbr", "link", "img", "input", "hr"}
NO_CHROMIUM = "no Chromium here (Debian: chromium)"


class Structure(HTMLParser):
    """Checks that every tag has an end tag. dt and dd need none."""

    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.tags, self.links, self.ids = [], [], set(), [], []
        self.feed(text)
        self.faults += [f"<{tag}> stays open" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            if name.startswith("on") or name in ("src", "srcset", "action", "formaction", "xlink:href"):
                self.faults.append(f"<{tag} {name}={value}>")
            if name == "href":
                self.links.append(value)
            if name == "id":
                self.ids.append(value)
        if tag not in VOID | {"dt", "dd"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID | {"dt", "dd"}:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in ("dt", "dd"):
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> ends nothing")


class PageTest(FrontTest):
    def setUp(self):
        super().setUp()
        self.base = self.run_tiny("--mode", "train", "-b", "4", "-r", "2")

    def multiplied(self, name, cases=20, seed=0, host="", change=None):
        report = page_reports.multiplied(self.base, cases, launches=3, samples=40, seed=seed, host=host)
        if change:
            change(report)
        self.write(name, report)
        return name

    def page(self, *reports):
        done = self.expect(0, "export", *reports, "--format", "html", "-o", "page.html")
        self.assertEqual(done.out, "")
        self.assertRegex(done.err, r"\A(warning: the metrics of [^\n]* do not follow from the samples[^\n]*\n)*\Z")
        return self.work / "page.html"

    def hostile(self, name):
        """Every text in the report is hostile."""

        def change(report):
            for case, planned in zip(report["cases"], report["run"]["planned"], strict=True):
                case["id"] = planned["id"] = HOSTILE + case["id"]
                case["spec"]["model"] = planned["spec"]["model"] = HOSTILE
                case["flags"] = [HOSTILE]
                case["notes"] = {HOSTILE: HOSTILE}
                case["launches"][0]["stopped_by"] = HOSTILE
                case["launches"][1] |= {
                    "status": "crashed",
                    "failure": {"kind": HOSTILE, "message": HOSTILE, "detail": HOSTILE},
                }
            first = report["cases"][0]
            first |= {"status": "crashed", "failure": first["launches"][1]["failure"]}
            report["run"]["plan"] = [case["id"] for case in report["cases"]]
            report["run"]["started_at"] = report["run"]["suite"] = HOSTILE
            report["host"]["name"] = report["host"]["cpu"]["model"] = HOSTILE
            report["host"]["os"]["name"] = report["tool"]["version"] = HOSTILE

        return self.multiplied(name, change=change)

    def hostile_pages(self):
        """Pages of one report, of two reports of one machine, and of reports of two machines."""
        first = self.hostile("a.json")
        self.write("b.json", copy.deepcopy(self.report("a.json")) | {"run": self.report("a.json")["run"] | {"id": "b"}})
        yield self.page(first)
        yield self.page(first, "b.json")
        yield self.page(first, self.multiplied("c.json", seed=2, host="c"))


class Text(PageTest):
    def assert_sound(self, page):
        text = page.read_text(encoding="utf-8")
        structure = Structure(text)
        self.assertEqual(structure.faults, [])
        self.assertFalse(structure.tags & {"script", "img", "iframe", "object", "link", "form", "base"})
        self.assertEqual(len(structure.ids), len(set(structure.ids)))
        self.assertTrue(structure.links)
        self.assertEqual({link for link in structure.links if link[0] != "#" or link[1:] not in structure.ids}, set())
        self.assertEqual(re.findall(r"url\(|@import|expression\(", text), [])

    def test_every_tag_is_closed_and_every_link_leads_somewhere(self):
        self.assert_sound(self.page("out.json"))
        self.assert_sound(self.page(self.multiplied("a.json"), self.multiplied("b.json", seed=1)))
        self.assert_sound(self.page(self.multiplied("a.json"), self.multiplied("b.json", seed=1, host="b")))

    def test_published_reports(self):
        for report in sorted((SOURCE / "results").glob("*.json")):
            self.assert_sound(self.page(report))
        self.assert_sound(self.page("out.json", *sorted((SOURCE / "results" / "published").glob("*.json"))))

    def test_hostile_names_stay_text(self):
        for page in self.hostile_pages():
            self.assert_sound(page)
            self.assertIn("&lt;script&gt;", page.read_text(encoding="utf-8"))

    def test_opens_with_a_picture(self):
        reports = [self.multiplied("a.json", host="a"), self.multiplied("b.json", seed=1, host="b")]
        text = self.page(*reports).read_text(encoding="utf-8")
        places = [text.index(f'id="{part}"') for part in ("glance", "rates", "speeds", "hosts", "machines", "cases")]
        self.assertEqual(places, sorted(places))
        # Two networks in training, one in inference, on two machines.
        self.assertIn("6 of 40 cases are drawn. Not drawn: other batch sizes than the fastest (34).", text)
        self.assertIn("times as fast as A in the median of 20 shared cases (range of the cases: ", text)
        rates = text[text.index('id="rates"') : text.index('id="speeds"')]
        fastest = self.report("a.json")["cases"][7]
        medians = [statistics.median(launch["samples_seconds"]) for launch in fastest["launches"]]
        rate = fastest["spec"]["batch_size"] / statistics.median(medians)
        self.assertIn(f">{words.rate(rate)} ±", rates)
        self.assertNotIn("<rect", rates)

    def test_two_hundred_cases_stay_small(self):
        page = self.page(self.multiplied("big.json", cases=200))
        self.assertLess(page.stat().st_size, 2_000_000)


# The rectangles of an SVG's texts that overlap or extend beyond it, in the page as displayed.
CROWDED = """[...document.querySelectorAll("figure svg")].filter(svg => svg.getClientRects().length).flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map(one => [one.textContent, one.getBoundingClientRect()]);
  const faults = texts.filter(([_, box]) => box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1).map(([words]) => words + " leaves the drawing");
  texts.forEach(([words, box], at) => texts.slice(at + 1).forEach(([others, other]) => {
    if (box.left < other.right - .5 && other.left < box.right - .5 && box.top + 2 < other.bottom - 2
        && other.top + 2 < box.bottom - 2) faults.push(words + " on " + others);
  }));
  return faults;
})"""
OPEN_ALL = 'document.querySelectorAll("details").forEach(one => one.open = true)'
# Texts whose contrast with the page's background is below 4.5.
PALE = """(() => {
  const light = colour => {
    const parts = colour.match(/[0-9.]+/g).slice(0, 3).map(one => one / 255)
      .map(one => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4);
    return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2];
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + .05) / (low + .05);
  };
  const ground = getComputedStyle(document.body).backgroundColor;
  const colours = new Set();
  for (const one of document.querySelectorAll("body *")) {
    if (one.tagName === "title") continue;
    if (![...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())) continue;
    const style = getComputedStyle(one);
    colours.add(one instanceof SVGElement ? style.fill : style.color);
  }
  const probe = document.createElement("i");
  document.body.append(probe);
  for (const name of ["--s0", "--s1", "--s2", "--s3", "--s4", "--s5", "--s6", "--s7", "--good", "--bad", "--remark"]) {
    probe.style.color = `var(${name})`;
    colours.add(getComputedStyle(probe).color);
  }
  probe.remove();
  return [...colours].filter(one => contrast(one, ground) < 4.5);
})()"""


@unittest.skipUnless(chromium.program(), NO_CHROMIUM)
class Browser(PageTest):
    def setUp(self):
        super().setUp()
        self.browser = self.enterContext(chromium.Chromium())

    def open(self, *reports, fragment=""):
        page = self.page(*reports)
        self.browser.open(page, fragment)
        return page

    def assert_quiet(self, page):
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.browser.requests(), [page.resolve().as_uri()])

    def test_fits_every_size_in_light_and_dark(self):
        machines = [self.multiplied(f"m{seed}.json", 24, seed, host=f"machine-{seed}") for seed in range(4)]
        gate = [self.multiplied("old.json", 24), self.multiplied("new.json", 24, seed=1)]
        for reports in (["out.json"], gate, machines, [SOURCE / "results" / "h200-resnet50-ceilings.json"]):
            page = self.open(*reports)
            self.browser.ask(OPEN_ALL)
            for width, height in SIZES:
                for scheme in ("light", "dark"):
                    self.browser.show(width, height, scheme)
                    self.assertLessEqual(self.browser.ask("document.documentElement.scrollWidth"), width)
                    self.assertEqual(self.browser.ask(CROWDED), [], f"{reports} {width}")
                    self.assertEqual(self.browser.ask(PALE), [], scheme)
            self.assert_quiet(page)

    def test_the_page_of_machines_fits_in_light_and_dark(self):
        page = SOURCE / "docs" / "machines.html"
        self.assertEqual(Structure(page.read_text(encoding="utf-8")).faults, [])
        self.browser.open(page)
        for width, height in SIZES:
            for scheme in ("light", "dark"):
                self.browser.show(width, height, scheme)
                self.assertLessEqual(self.browser.ask("document.documentElement.scrollWidth"), width)
                self.assertEqual(self.browser.ask(CROWDED), [], width)
                self.assertEqual(self.browser.ask(PALE), [], scheme)
        self.assert_quiet(page)

    def test_dark_is_dark(self):
        self.open("out.json")
        grounds = []
        for scheme in ("light", "dark"):
            self.browser.show(360, 740, scheme)
            grounds.append(self.browser.ask("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(grounds[0], "rgb(255, 255, 255)")
        self.assertNotEqual(*grounds)

    def test_keys_reach_everything(self):
        self.open(self.multiplied("a.json", 4))
        reached = set()
        for _ in range(60):
            self.browser.press("Tab")
            place = self.browser.ask(
                "(one => one.className + ' ' + one.tagName + ' ' + one.getAttribute('href'))(document.activeElement)"
            )
            if "SUMMARY" in place and not any("SUMMARY" in one for one in reached):
                self.browser.press("Enter")
                self.assertTrue(self.browser.ask("document.activeElement.parentElement.open"))
            reached.add(place)
        self.assertIn("skip A #main", reached)
        for place in ("wide DIV null", " SUMMARY null", " A #cases", " A #a3"):
            self.assertIn(place, reached)

    def test_a_link_opens_its_case(self):
        self.open("out.json", fragment="#a0")
        self.assertTrue(self.browser.ask('document.querySelector("details.case").open'))
        self.open("out.json")
        self.assertFalse(self.browser.ask('document.querySelector("details.case").open'))
        self.browser.ask("""document.querySelector('a[href="#a0"]').click()""")
        self.assertTrue(self.browser.ask('document.querySelector("details.case").open'))

    def test_every_drawing_has_words(self):
        self.open(self.multiplied("a.json"), self.multiplied("b.json", seed=1))
        mute = 'document.querySelectorAll("svg:not([aria-label]):not([aria-hidden])").length'
        self.assertEqual(self.browser.ask(mute), 0)
        bare = (
            '[...document.querySelectorAll("figure, td > svg")].filter(one => !one.closest("section")'
            '.querySelector("table")).length'
        )
        self.assertEqual(self.browser.ask(bare), 0)

    def test_paper_is_light_and_shows_what_is_closed(self):
        self.open(self.multiplied("a.json", 4))
        shown = 'document.querySelector("details.case > div").checkVisibility({contentVisibilityAuto: true})'
        self.assertFalse(self.browser.ask(shown))
        self.browser.show(760, 1000, "dark", media="print")
        self.assertTrue(self.browser.ask(shown))
        self.assertEqual(self.browser.ask("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(self.browser.ask(PALE), [])
        self.assertLessEqual(self.browser.ask("document.documentElement.scrollWidth"), 760)
        self.assertGreater(len(self.browser.call("Page.printToPDF")["data"]), 10_000)

    def test_hostile_names_run_nothing(self):
        for page in self.hostile_pages():
            self.browser.open(page)
            self.assertIsNone(self.browser.ask("window.pwned"))
            self.assertEqual(self.browser.ask('document.querySelectorAll("script, img").length'), 0)
            self.assert_quiet(page)


if __name__ == "__main__":
    main()
