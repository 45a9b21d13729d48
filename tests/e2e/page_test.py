"""`mpsbench export --format html`: the page is well-formed and harmless, and its figures follow from the samples."""

import json
import re
import statistics
from html.parser import HTMLParser

from pages import PageTest
from support import SOURCE

VOID = {"meta", "br", "wbr", "link", "img", "input", "hr"}


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


class Text(PageTest):
    """What the page is without its script."""

    def assert_sound(self, page):
        text = page.read_text(encoding="utf-8")
        structure = Structure(text)
        self.assertEqual(structure.faults, [])
        self.assertFalse(structure.tags & {"img", "iframe", "object", "link", "base"})
        self.assertEqual(text.count("<script"), 2)
        self.assertEqual(len(structure.ids), len(set(structure.ids)))
        inside = [link[1:] for link in structure.links if link[0] == "#"]
        self.assertTrue(inside)
        self.assertEqual(set(inside) - set(structure.ids), set())
        outside = [link for link in structure.links if link[0] != "#"]
        self.assertEqual([link for link in outside if not link.startswith("https://")], [])
        self.assertEqual(re.findall(r"url\(|@import|expression\(", text), [])

    def view(self, page):
        return json.loads(re.search(r'id="view">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)[1])

    def test_every_tag_is_closed_and_every_link_leads_somewhere(self):
        self.assert_sound(self.page("out.json"))
        self.assert_sound(self.page(self.multiplied("a.json"), self.multiplied("b.json", seed=1)))
        self.assert_sound(self.page(self.multiplied("a.json"), self.multiplied("b.json", seed=1, host="b")))

    def test_published_reports(self):
        for report in sorted((SOURCE / "results").glob("*.json")):
            self.assert_sound(self.page(report))
        self.assert_sound(self.page("out.json", *sorted((SOURCE / "results" / "published").glob("*.json"))))

    def test_the_page_of_machines_has_every_report(self):
        page = SOURCE / "docs" / "machines.html"
        self.assert_sound(page)
        text = page.read_text(encoding="utf-8")
        listed = re.findall(r"^- `([\w.-]+\.json)` \(", (SOURCE / "results/README.md").read_text(), re.MULTILINE)
        published = [file.name for file in (SOURCE / "results/published").glob("*.json")]
        self.assertGreater(len(listed), 5)
        for name in [*listed, *published]:
            self.assertIn(f"<dd>{name}</dd>", text)

    def test_hostile_names_stay_text(self):
        for page in self.hostile_pages():
            self.assert_sound(page)
            text = page.read_text(encoding="utf-8")
            self.assertIn("&lt;script&gt;", text)
            self.assertIn("\\u003cscript>", text)

    def test_each_ratio_follows_from_the_samples(self):
        reports = [self.multiplied("a.json", host="a"), self.multiplied("b.json", seed=1, host="b")]
        view = self.view(self.page(*reports))
        steps = []
        for name in reports:
            launches = self.report(name)["cases"][7]["launches"]
            medians = [statistics.median(launch["samples_seconds"]) for launch in launches]
            steps.append(statistics.geometric_mean(medians))
        (reference,) = (one for one in view["references"] if one["m"] == 0)
        (other,) = reference["others"]
        ratio = next(one for one in other["ratios"] if view["works"][one[0]] == [7, 27])
        self.assertAlmostEqual(ratio[1], steps[0] / steps[1], 4)

    def test_thirty_machines_and_five_hundred_cases_stay_small(self):
        reports = [self.multiplied(f"m{seed}.json", 17, seed, host=f"machine-{seed}") for seed in range(30)]
        self.assertLess(self.page(*reports).stat().st_size, 3_000_000)
