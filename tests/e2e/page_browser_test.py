"""What headless Chromium shows of a page, if it is installed."""

import json
import unittest

from pages import PageTest, chromium
from support import SOURCE, another

SIZES = ((390, 844), (768, 1024), (1280, 800))
NO_CHROMIUM = "no Chromium here (Debian: chromium)"

# The rectangles of an SVG's texts that overlap or extend beyond it, in the page as displayed.
CROWDED = """[...document.querySelectorAll("figure svg, .axis svg")].filter(one => one.getClientRects().length)
  .flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map(one => [one.textContent, one.getBoundingClientRect()])
    .filter(([_, box]) => box.width);
  const room = svg.closest(".axis") ? 16 : 1;  // the labels of an axis may reach into the cells beside it
  const faults = texts.filter(([_, box]) => box.left < frame.left - room || box.right > frame.right + room
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


CHOOSE = """(([name, value]) => {
  const list = document.querySelector(`select[name=${name}]`);
  list.value = value;
  list.dispatchEvent(new Event("change"));
})"""
# Marks that are not at the height of their label and figure.
ASKEW = """[...document.querySelectorAll(".picture tr.row")].filter(row => {
  const middles = [row.children[0], row.querySelector("circle"), row.children[2]].map(one => {
    const box = one.getBoundingClientRect();
    return (box.top + box.bottom) / 2;
  });
  return Math.max(...middles) - Math.min(...middles) > 4;
}).length"""


@unittest.skipUnless(chromium.program(), NO_CHROMIUM)
class Browser(PageTest):
    def setUp(self):
        super().setUp()
        self.browser = self.enterContext(chromium.Chromium())

    def open(self, *reports, fragment=""):
        page = self.page(*reports)
        self.browser.open(page, fragment)
        self.browser.ask(chromium.NEXT_FRAME)
        return page

    def two_machines(self):
        return [self.multiplied("a.json", host="a"), self.multiplied("b.json", seed=1, host="b")]

    def ask_all(self, selector, what="textContent"):
        return self.browser.ask(f"[...document.querySelectorAll({json.dumps(selector)})].map(one => one.{what})")

    def choose(self, name, value):
        self.browser.ask(f"{CHOOSE}({json.dumps([name, value])})")

    def assert_quiet(self, page):
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.browser.requests(), [page.resolve().as_uri()])

    def assert_fits(self, width, what):
        self.assertLessEqual(self.browser.ask("document.documentElement.scrollWidth"), width, what)
        self.assertEqual(self.browser.ask(CROWDED), [], f"{what} {width}")

    def test_the_first_screen_has_the_answer_and_the_picture(self):
        page = self.page(*self.two_machines())
        for width, height in SIZES:
            self.browser.show(width, height)
            self.browser.open(page)
            answer = self.browser.ask("document.getElementById('answer').textContent")
            start = r"\AAMD EPYC \(a\) trains and infers 1\.3 times as fast as AMD EPYC \(b\), in the median of 20 "
            self.assertRegex(answer, start + "shared cases")
            bottoms = [
                self.browser.ask(f"document.querySelector('{one}').getBoundingClientRect().bottom")
                for one in ("#answer", ".picture tr.row:nth-child(4)")
            ]
            self.assertLess(bottoms[0], bottoms[1])
            self.assertLess(bottoms[1], height)
            self.assertEqual(self.browser.ask(ASKEW), 0)
        self.assert_quiet(page)

    def test_fits_every_size_in_light_and_dark(self):
        machines = [self.multiplied(f"m{seed}.json", 24, seed, host=f"machine-{seed}") for seed in range(4)]
        gate = [self.multiplied("old.json", 24), self.multiplied("new.json", 24, seed=1)]
        gallery = [SOURCE / "results" / "h100x2-c-graph.json", *sorted((SOURCE / "results/published").glob("*.json"))]
        for reports in (["out.json"], gate, machines, gallery):
            page = self.open(*reports)
            self.browser.ask(OPEN_ALL)
            for width, height in SIZES:
                for scheme in ("light", "dark"):
                    self.browser.show(width, height, scheme)
                    self.assert_fits(width, reports[0])
                    self.assertEqual(self.browser.ask(PALE), [], scheme)
            self.assert_quiet(page)

    def test_dark_is_dark(self):
        self.open("out.json")
        grounds = []
        for scheme in ("light", "dark"):
            self.browser.show(390, 844, scheme)
            grounds.append(self.browser.ask("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(grounds[0], "rgb(255, 255, 255)")
        self.assertNotEqual(*grounds)

    def test_the_fastest_is_first(self):
        self.open(*self.two_machines())
        for metric, upwards in (("speed", False), ("rows_per_second", False), ("step_seconds", True)):
            self.choose("metric", metric)
            for body in range(self.browser.ask("document.querySelectorAll('.picture tbody').length")):
                circles = f".picture tbody:nth-of-type({body + 1}) circle"
                places = self.ask_all(circles, "cx.baseVal.valueInSpecifiedUnits")
                self.assertEqual(places, sorted(places, reverse=not upwards), metric)

    def test_choices_change_the_picture(self):
        self.open(*self.two_machines())
        seen = set()
        for metric in self.ask_all("select[name=metric] option", "value"):
            self.choose("metric", metric)
            seen.add(tuple(self.ask_all(".picture td.value")))
        self.assertGreater(len(seen), 2)
        self.assertEqual(len(seen), len(self.ask_all("select[name=metric] option")))
        self.choose("metric", "speed")
        rows = len(self.ask_all(".picture tr.row"))
        self.choose("mode", "infer")
        self.assertEqual(self.ask_all(".picture tr.group"), ["Inference"])
        self.assertLess(len(self.ask_all(".picture tr.row")), rows)

    def test_generation_is_drawn_in_tokens_a_second(self):
        lengths = ("--prompt", "8", "--generate", "4")
        report = self.run_tiny(
            "--mode", "generate", "-d", "cpu", "-b", "1,4", "--ranks", "1,2", "-r", "2", *lengths, model="gpt2"
        )
        self.open("out.json")
        self.assertEqual(self.ask_all("#scaling figcaption"), ["gpt2, generation: tokens a second"])
        self.assertEqual(len(self.ask_all("#scaling circle", "tagName")), 4)
        self.assertEqual(self.ask_all("#batches figcaption")[0], "Tokens a second")
        other = another(report, "b")
        other["host"]["name"] = other["host"]["cpu"]["model"] = "B"
        self.write("b.json", other)
        self.open("out.json", "b.json")
        self.browser.ask("document.querySelector('.picture tr.row').dispatchEvent(new PointerEvent('pointerenter'))")
        tip = self.browser.ask("document.getElementById('tip').textContent")
        self.assertRegex(tip, r"[\d,]+ against [\d,]+ tokens a second")

    def test_another_reference_has_another_answer_and_other_ratios(self):
        self.open(*self.two_machines(), self.multiplied("c.json", seed=2, host="c"))
        answers, ratios = [], []
        for reference in self.ask_all("select[name=reference] option", "value"):
            self.choose("reference", reference)
            answers.append(self.browser.ask("document.getElementById('answer').textContent"))
            ratios.append(self.browser.ask("document.querySelector('.picture td.value b').textContent"))
        self.assertEqual(len(set(ratios)), 3)
        self.assertIn(" as fast as AMD EPYC (c), in the median of 20 shared cases", answers[0])
        for answer in answers[1:]:  # the fastest against itself is the fastest against the next
            self.assertIn(" as fast as AMD EPYC (b), in the median of 20 shared cases", answer)

    def test_a_machine_can_be_hidden(self):
        reports = [self.multiplied(f"m{seed}.json", 8, seed, host=f"machine-{seed}") for seed in range(3)]
        self.open(*reports)
        self.assertIn("machine-1", self.browser.ask("document.getElementById('picture').textContent"))
        self.browser.ask("document.querySelectorAll('#choices input')[1].click()")
        self.assertNotIn("machine-1", self.browser.ask("document.getElementById('picture').textContent"))

    def test_many_rows_are_shown_on_demand(self):
        self.open(*[self.multiplied(f"m{seed}.json", 17, seed, host=f"machine-{seed}") for seed in range(5)])
        few = len(self.ask_all(".picture tr.row"))
        self.browser.ask("document.querySelector('#picture > button').click()")
        self.assertEqual(len(self.ask_all(".picture tr.row")), 4 + 17 * 4)
        self.assertLess(few, 72)

    def test_pointer_and_keys_show_value_interval_and_launches(self):
        self.open(*self.two_machines())
        tip = "document.getElementById('tip')"
        self.assertTrue(self.browser.ask(f"{tip}.hidden"))
        value = self.browser.ask("document.querySelector('.picture tr.row b').textContent")
        for act in ("dispatchEvent(new PointerEvent('pointerenter'))", "querySelector('a').focus()"):
            self.browser.ask(f"document.querySelector('.picture tr.row').{act}")
            text = self.browser.ask(f"{tip}.textContent")
            self.assertIn(value + " ±", text)
            self.assertIn("3 launches", text)
            self.browser.press("Escape")
            self.assertTrue(self.browser.ask(f"{tip}.hidden"))

    def test_keys_open_a_case(self):
        self.open(self.multiplied("a.json", 4))
        reached = []
        for _ in range(40):
            self.browser.press("Tab")
            focus = "document.activeElement"
            reached.append(self.browser.ask(f"{focus}.tagName + {focus}.closest('[id]')?.id"))
            if reached[-1] == "Apicture":
                break
        self.assertEqual(reached[0], "Aundefined", "the link that skips to the figures")
        self.assertIn("SELECTchoose-metric", reached)
        self.assertEqual(reached[-1], "Apicture")
        self.browser.press("Enter")
        self.browser.ask(chromium.NEXT_FRAME)
        self.assertEqual(self.ask_all("details.case[open]", "id"), ["c3"])
        self.assertEqual(self.browser.ask("document.activeElement.tagName"), "SUMMARY")
        captions = self.ask_all("details.case[open] caption")
        self.assertEqual(captions[0], "Launches")
        self.assertEqual(len(self.ask_all("details.case[open] tbody tr")[:3]), 3)
        self.assertGreater(self.browser.ask("document.querySelectorAll('details.case[open] svg').length"), 1)

    def test_a_link_opens_its_case(self):
        self.open("out.json", fragment="#c0")
        self.assertTrue(self.browser.ask('document.querySelector("details.case").open'))
        self.open("out.json")
        self.assertFalse(self.browser.ask('document.querySelector("details.case").open'))
        self.browser.ask("document.querySelector('.picture td.track').click()")
        self.browser.ask(chromium.NEXT_FRAME)
        self.assertTrue(self.browser.ask('document.querySelector("details.case").open'))

    def test_every_drawing_has_words(self):
        self.open(*self.two_machines(), fragment="#c0")
        mute = 'document.querySelectorAll("svg:not([aria-label]):not([aria-hidden])").length'
        self.assertEqual(self.browser.ask(mute), 0)
        self.assertGreater(self.browser.ask('document.querySelectorAll("#batches svg").length'), 2)
        nameless = 'document.querySelectorAll("svg a:not([aria-label]), select:not([name])").length'
        self.assertEqual(self.browser.ask(nameless), 0)
        self.assertGreater(self.browser.ask('document.querySelectorAll("#batches circle.best").length'), 1)

    def test_paper_is_light_and_shows_what_is_closed(self):
        self.open(self.multiplied("a.json", 4))
        shown = 'document.querySelector("details.case > div").checkVisibility({contentVisibilityAuto: true})'
        self.assertFalse(self.browser.ask(shown))
        self.browser.show(760, 1000, "dark", media="print")
        self.browser.ask(chromium.NEXT_FRAME)
        self.assertTrue(self.browser.ask(shown))
        self.assertEqual(len(self.ask_all("details.case:not([open])")), 0)
        self.assertGreater(self.browser.ask('document.querySelectorAll("details.case svg").length'), 4)
        self.assertEqual(self.browser.ask("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(self.browser.ask(PALE), [])
        self.assertLessEqual(self.browser.ask("document.documentElement.scrollWidth"), 760)
        self.assertGreater(len(self.browser.call("Page.printToPDF")["data"]), 10_000)

    def test_without_script_sentences_and_tables_stay(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
        self.browser.call("Emulation.setDeviceMetricsOverride", **size)
        page = self.page(*self.two_machines())
        self.browser.open(page)  # waiting for a frame would need a script
        self.browser.call("Emulation.setScriptExecutionDisabled", value=False)
        self.assertIn("times as fast as", self.browser.ask("document.getElementById('answer').innerText"))
        self.assertEqual(self.ask_all("#picture caption"), ["Speed against AMD EPYC (b)"])
        self.assertEqual(len(self.ask_all("#picture tbody tr")), 20)
        self.assertEqual(len(self.ask_all("#cases table")), 2)
        self.assertEqual(self.browser.ask("document.getElementById('choices').checkVisibility()"), False)
        self.assert_fits(390, page)

    def test_hostile_names_run_nothing(self):
        for page in self.hostile_pages():
            self.browser.open(page, "#c0")
            self.browser.ask(chromium.NEXT_FRAME)
            self.assertIsNone(self.browser.ask("window.pwned"))
            self.assertEqual(self.browser.ask('document.querySelectorAll("script, img").length'), 2)
            self.assertIn("<script>", self.browser.ask("document.getElementById('picture').textContent"))
            self.assertTrue(self.browser.ask("document.querySelector('#c0').open"))
            self.assert_quiet(page)

    def test_another_script_or_style_is_refused(self):
        page = self.page("out.json")
        text = page.read_text(encoding="utf-8")
        added = "<script>window.pwned=1</script><p id=odd style='color: red' onclick='window.pwned=1'>odd</p></body>"
        page.write_text(text.replace("</body>", added), encoding="utf-8")
        self.browser.open(page)
        self.browser.ask("document.getElementById('odd').click()")
        self.assertIsNone(self.browser.ask("window.pwned"))
        self.assertNotEqual(
            self.browser.ask("getComputedStyle(document.querySelector('#odd')).color"), "rgb(255, 0, 0)"
        )
        self.assertGreaterEqual(len(self.browser.complaints()), 3)
