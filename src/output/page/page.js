// Draws what the front wrote into the page. It selects, sorts and places; every figure is a text of the front.
"use strict";
(() => {
  const view = JSON.parse(document.getElementById("view").textContent);
  const { machines, metrics, cases, works, references, gate, modes } = view;
  const choice = { metric: "", mode: "", precision: "", reference: 0, hidden: new Set(), all: false };
  const SPEED = "speed", GATE = "gate", FEW_ROWS = 36, FEW_GROUPS = 4, FEW_LINES = 8, COLOURS = 8;

  // --- elements -------------------------------------------------------------------------------------------
  const add = (parent, made) => { parent.append(made); return made; };
  const set = (made, attributes) => {
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const html = (parent, tag, text = "", attributes = {}) => {
    const made = set(document.createElement(tag), attributes);
    made.textContent = text;
    return add(parent, made);
  };
  const svg = (parent, tag, attributes, text = "") => {
    const made = set(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes);
    made.textContent = text;
    return add(parent, made);
  };
  const unique = list => [...new Set(list)];
  const colour = machine => `c${machine % COLOURS}`;
  const metricOf = key => metrics.find(one => one.key === key);

  // --- scales: from figures to places ---------------------------------------------------------------------
  const UNITS = {
    "s": [[60, "min"], [1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]],
    "B": [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]],
    "J": [[1, "J"], [1e-3, "mJ"], [1e-6, "µJ"]],
    "1/s": [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]],
    "1": [[.01, "%"]], "×": [[1, "×"]], "min": [[1, "min"]], "": [[1, ""]],
  };
  const tickText = (value, unit, step = value) => {
    const sizes = UNITS[unit] || UNITS[""];
    const [size, name] = sizes.find(one => value >= one[0] * .9995) || sizes[sizes.length - 1];
    const digits = Math.min(Math.max(Math.ceil(Math.log10(value / step || 1)) + 1, 3), 9); // neighbours must differ
    const number = Number((value / size).toPrecision(digits)).toLocaleString("en-US", { maximumFractionDigits: 6 });
    return name === "×" || name.length < 2 && name !== "s" && name !== "B" && name !== "J" ? number + name : `${number} ${name}`;
  };
  const linear = (low, high, most, unit) => {
    const size = unit === "B" ? UNITS.B.find(one => high >= one[0])?.[0] || 1 : 1; // round in MiB, not in MB
    const rough = (high - low) / most / size || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(one => one * power).find(one => one >= rough * .999) * size;
    const ticks = [];
    for (let at = Math.ceil(low / step - 1e-9); at * step <= high * (1 + 1e-9); ++at) ticks.push(at * step);
    return { ticks, step, at: value => (value - low) / (high - low || 1) };
  };
  const logarithmic = (low, high, most) => {
    const [first, last] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
    const all = [];
    for (let power = first; power <= last; ++power) {
      for (const digit of high / low < 200 ? [1, 2, 5] : [1]) all.push(digit * 10 ** power);
    }
    const span = Math.log(high / low) || 1;
    const ticks = all.filter(one => one >= low * .999 && one <= high * 1.001);
    const every = Math.ceil(ticks.length / most);
    return { ticks: ticks.filter((_, at) => at % every === 0), log: true, at: value => Math.log(value / low) / span };
  };
  // Bars begin at 0; values that differ a lot have a logarithmic scale, and no bars.
  const scaleOf = (figures, most, unit, include = []) => {
    const ends = figures.flatMap(one => one.slice(0, 3)).concat(include).filter(one => one > 0 && one < Infinity);
    const values = figures.map(one => one[0]).concat(include);
    const [least, greatest] = [Math.min(...values), Math.max(...values)];
    const high = Math.min(Math.max(...ends), greatest * 3);
    if (greatest <= 20 * least) return { ...linear(0, high * 1.04, most, unit), hasBars: true };
    return logarithmic(Math.max(Math.min(...ends), least / 3) / 1.15, high * 1.15, most);
  };
  const place = (scale, value) => Math.min(Math.max(scale.at(value), 0), 1);

  // --- the tip that follows pointer and focus -------------------------------------------------------------
  const tip = html(document.body, "div", "", { id: "tip", role: "status" });
  tip.hidden = true;
  const showTip = (target, lines) => {
    tip.replaceChildren();
    lines.filter(Boolean).forEach((line, at) => html(tip, at === 1 ? "b" : "div", line));
    tip.hidden = false;
    const box = target.getBoundingClientRect();
    const above = box.top - tip.offsetHeight - 8;
    tip.style.top = `${above > 4 ? above : box.bottom + 8}px`;
    tip.style.left = `${Math.max(8, Math.min(box.left + box.width / 2 - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - 8))}px`;
  };
  const hideTip = () => { tip.hidden = true; };
  const explain = (target, mark, lines) => {
    for (const event of ["pointerenter", "pointerdown", "focusin"]) target.addEventListener(event, () => showTip(mark(), lines));
    target.addEventListener("pointerleave", event => { if (event.pointerType === "mouse") hideTip(); });
    target.addEventListener("focusout", hideTip);
  };
  addEventListener("scroll", hideTip, { passive: true });
  addEventListener("keydown", event => { if (event.key === "Escape") hideTip(); });

  // --- which rows the picture has -------------------------------------------------------------------------
  const isShown = one => (!choice.mode || one.mode === choice.mode) && (!choice.precision || one.precision === choice.precision)
    && !choice.hidden.has(one.m);
  const heading = one => `${one.model}, ${modes[one.mode].heading.toLowerCase()}`;
  const speedMetric = one => metricOf(modes[one.mode].speed);
  const speedOf = one => one.f[modes[one.mode].speed];
  const titleOf = one => `${heading(one)}, ${one.name}`;
  const tipOf = (one, figure, extra = "") =>
    [`${machines[one.m]}: ${titleOf(one)}`, `${figure[3]} ${figure[4]}`, one.launches, extra, one.remarks];
  const row = (at, label, figure, more = {}) =>
    ({ at, label, figure, machine: cases[at].m, lines: tipOf(cases[at], figure, more.extra), ...more });
  const byFigure = isMore => (a, b) => isMore ? b.figure[0] - a.figure[0] : a.figure[0] - b.figure[0];

  const speedGroups = () => {
    const reference = references[choice.reference];
    const others = reference.others.filter(one => !choice.hidden.has(one.m));
    const rows = [];
    for (const other of others) {
      for (const [work, ...figure] of other.ratios) {
        const [at, base] = [works[work][other.m], works[work][reference.m]];
        if (!isShown(cases[at])) continue;
        const rates = [at, base].map(one => speedOf(cases[one])).filter(Boolean).map(one => one[3]);
        rows.push({ work, ...row(at, others.length > 1 ? machines[other.m] : `${cases[at].model}, ${cases[at].name}`, figure,
          { extra: rates.length === 2 ? `${rates[0]} against ${rates[1]} ${speedMetric(cases[at]).title.toLowerCase()}` : "" }) });
      }
    }
    rows.sort(byFigure(true));
    const groups = [];
    if (others.length > 1) {
      const ranking = others.map(one => ({ label: machines[one.m], machine: one.m, figure: one.f, note: one.cases,
        lines: [machines[one.m], `${one.f[3]} (${one.f[4]})`, `median and range of ${one.cases}`] }));
      groups.push({ title: "Median of the shared cases", rows: ranking.sort(byFigure(true)) });
    }
    const key = others.length > 1 ? one => one.work : one => cases[one.at].mode;
    for (const one of unique(rows.map(key))) {
      const mine = rows.filter(other => key(other) === one);
      groups.push({ title: others.length > 1 ? titleOf(cases[mine[0].at]) : modes[one].heading, rows: mine });
    }
    return groups;
  };

  const figureGroups = metric => {
    const shown = cases.map((_, at) => at).filter(at => isShown(cases[at]) && cases[at].f[metric.key]);
    const isOne = unique(shown.map(at => cases[at].m)).length === 1;
    const chosen = isOne && shown.length <= FEW_ROWS ? shown : shown.filter(at => cases[at].best);
    const key = isOne ? at => cases[at].mode : at => heading(cases[at]);
    const groups = unique(chosen.map(key)).map(title => {
      const mine = chosen.filter(at => key(at) === title);
      const parts = mine.map(at => cases[at].name.split(", "));
      const common = isOne ? [] : parts[0].filter(part => parts.every(others => others.includes(part)));
      const rows = mine.map((at, number) => row(at, isOne ? `${cases[at].model}, ${cases[at].name}` : machines[cases[at].m],
        cases[at].f[metric.key], isOne ? {} : { note: parts[number].filter(part => !common.includes(part)).join(", ") }));
      return { title: isOne ? modes[title].heading : title, note: common.join(", "), hasScale: !isOne, rows: rows.sort(byFigure(metric.more)),
        count: unique(mine.map(at => cases[at].m)).length };
    });
    return groups.sort((a, b) => b.count - a.count);
  };

  const gateGroups = () => {
    const order = ["slower", "undecided", "faster", "same", "not compared"];
    const rows = gate.filter(one => one.f && isShown(cases[one.case])).map(one => ({ ...row(one.case, one.name, one.f, { extra: `${one.words}: ${one.values}` }),
      verdict: one.verdict, threshold: one.threshold }));
    return order.filter(word => rows.some(one => one.verdict === word)).map(word => ({
      title: word[0].toUpperCase() + word.slice(1),
      rows: rows.filter(one => one.verdict === word).sort((a, b) => b.figure[0] - a.figure[0]) }));
  };

  // --- the picture ----------------------------------------------------------------------------------------
  const gateScale = rows => {
    const ends = rows.flatMap(one => [...one.figure.slice(0, 3).map(end => Math.abs(end - 1)), one.threshold * 2]);
    const most = Math.min(Math.max(...ends), .5) * 1.05;
    const { ticks, at } = linear(-most, most, 5);
    const text = ratio => `${ratio > 1 ? "+" : ""}${Number(((ratio - 1) * 100).toPrecision(3))} %`.replace("-", "−");
    return { ticks: ticks.map(one => 1 + one), at: ratio => at(ratio - 1), text };
  };
  const percent = share => `${(share * 100).toFixed(2)}%`;
  const drawTrack = (cell, scale, one) => {
    const drawing = svg(cell, "svg", { "aria-hidden": "true", class: one.verdict ? one.verdict.split(" ")[0] : colour(machines.length > COLOURS ? 0 : one.machine) });
    const vertical = (value, name) => svg(drawing, "line", { x1: percent(value), x2: percent(value), y1: 0, y2: "100%", class: name });
    if (one.threshold) {
      const [left, right] = [place(scale, 1 - one.threshold), place(scale, 1 + one.threshold)];
      svg(drawing, "rect", { x: percent(left), width: percent(right - left), y: 0, height: "100%", class: "band" });
    }
    for (const tick of scale.ticks) vertical(scale.at(tick), "grid");
    if (scale.one) vertical(place(scale, 1), "one");
    const [value, low, high] = one.figure;
    const at = place(scale, value);
    if (scale.hasBars) svg(drawing, "rect", { x: 0, width: percent(at), y: 8, height: 10, class: "bar" });
    if (low !== null) svg(drawing, "line", { x1: percent(place(scale, low)), x2: percent(place(scale, high)), y1: 13, y2: 13, class: "whisker" });
    return svg(drawing, "circle", { cx: percent(at), cy: 13, r: 4.5, class: low === null ? "mark hollow" : "mark" });
  };
  const drawRow = (body, scale, one) => {
    const line = html(body, "tr", "", { class: "row" });
    const label = html(line, "th", "", { scope: "row" });
    if (one.at === undefined) label.append(one.label);
    else html(label, "a", one.label, { href: `#c${one.at}` });
    if (one.note) html(label, "small", ` ${one.note}`);
    const cell = html(line, "td", "", { class: "track" });
    const mark = drawTrack(cell, scale, one);
    const value = html(line, "td", "", { class: one.verdict ? `value ${one.verdict}` : "value" });
    html(value, "b", one.figure[3]);
    html(value, "small", one.figure[4].replaceAll(" %", "\u00a0%"));
    explain(line, () => mark, one.lines);
    if (one.at !== undefined) cell.addEventListener("click", event => { if (event.pointerType !== "touch") location.hash = `c${one.at}`; });
  };
  const drawAxis = (cell, scale, unit) => {
    const drawing = svg(cell, "svg", { "aria-hidden": "true" });
    for (const tick of scale.ticks) {
      const at = scale.at(tick);
      svg(drawing, "text", { x: percent(at), y: 13, class: at < .04 ? "" : at > .96 ? "e" : "m" }, scale.text ? scale.text(tick) : tickText(tick, unit));
    }
  };
  const pictureWords = () => {
    if (choice.metric === GATE) return ["Change of the time a step", "case"];
    if (choice.metric === SPEED) return [`Speed against ${machines[references[choice.reference].m]}`, machines.length > 2 ? "machine" : "case"];
    return [metricOf(choice.metric).title, "case"];
  };
  const drawPicture = () => {
    const groups = choice.metric === GATE ? gateGroups() : choice.metric === SPEED ? speedGroups() : figureGroups(metricOf(choice.metric));
    const rows = groups.flatMap(one => one.rows);
    const picture = document.getElementById("picture");
    picture.replaceChildren();
    if (!rows.length) { html(picture, "p", "No case has this figure."); return; }
    const isSpeed = choice.metric === SPEED;
    const unit = isSpeed ? "×" : choice.metric === GATE ? "" : metricOf(choice.metric).unit;
    const scaleFor = some => {
      const scale = choice.metric === GATE ? gateScale(some) : scaleOf(some.map(one => one.figure), 5, unit, isSpeed ? [1] : []);
      return Object.assign(scale, { one: isSpeed || choice.metric === GATE });
    };
    const scale = scaleFor(rows);
    const [title, what] = pictureWords();
    const table = html(picture, "table", "", { class: "picture" });
    html(table, "caption", `${title}; best first`, { class: "unseen" });
    const head = html(html(table, "thead"), "tr");
    html(head, "th", what, { class: "label", scope: "col" });
    const axis = html(head, "th", "", { class: "axis", scope: "col", "aria-label": "drawn" });
    if (!groups[0].hasScale) drawAxis(axis, scale, unit);
    html(head, "th", isSpeed ? "Speed" : title, { class: "value", scope: "col" });
    let left = choice.all ? Infinity : FEW_ROWS;
    for (const group of groups) {
      if (left <= 0) break;
      const body = html(table, "tbody");
      const line = html(body, "tr", "", { class: "group" });
      const name = html(line, "th", group.title, { colspan: group.hasScale ? 1 : 3, scope: "rowgroup" });
      if (group.note) html(name, "small", ` ${group.note}`);
      const own = group.hasScale ? scaleFor(group.rows) : scale;
      if (group.hasScale) drawAxis(html(line, "td", "", { class: "axis" }), own, unit);
      for (const one of group.rows.slice(0, Math.max(left, 0))) drawRow(body, own, one);
      left -= group.rows.length;
    }
    if (rows.length > FEW_ROWS && !choice.all) html(picture, "button", `Show all ${rows.length} rows`, { type: "button" }).addEventListener("click", () => { choice.all = true; drawPicture(); });
    const words = groups[0].hasScale ? "Each network has its own scale. " : scale.log ? "The scale is logarithmic. " : "";
    const hollow = rows.some(one => one.figure[1] === null) ? "A hollow mark has no interval. " : "";
    const gateWords = choice.metric === GATE ? "The band is the smallest change that matters; to the right is slower. " : "";
    html(picture, "p", `${words}${gateWords}Lines are 95 % intervals${isSpeed && machines.length > 2 ? ", of medians the range over the cases" : ""}. ${hollow}Choose a case to see its launches.`, { class: "note" });
  };

  // --- charts with two axes -------------------------------------------------------------------------------
  const WIDTH = 290, HEIGHT = 200, LEFT = 52, RIGHT = 14, TOP = 12, BOTTOM = 34;
  const frame = (figure, title, height = HEIGHT, width = WIDTH) => svg(figure, "svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  // Draws the grid and the ticks of a scale from bottom to top, and gives the place of a value.
  const drawUpright = (drawing, scale, unit, left, width) => {
    const y = value => HEIGHT - BOTTOM - place(scale, value) * (HEIGHT - TOP - BOTTOM);
    for (const tick of scale.ticks) {
      svg(drawing, "line", { x1: left, x2: width - RIGHT, y1: y(tick), y2: y(tick), class: "grid" });
      svg(drawing, "text", { x: left - 6, y: y(tick) + 4, class: "e" }, tickText(tick, unit, scale.step));
    }
    return y;
  };
  const chart = (parent, title, metric, axis, lines, hasIdeal) => {
    const points = lines.flatMap(one => one.points);
    const figure = html(parent, "figure");
    html(figure, "figcaption", title);
    const drawing = frame(figure, `${title} against ${axis}: ${points.length} figures, all of them in the tables below`);
    drawing.setAttribute("role", "group");
    const xs = unique(points.map(one => one.x)).sort((a, b) => a - b);
    const across = logarithmic(xs[0] / 1.12, xs[xs.length - 1] * 1.12, 9);
    const x = value => LEFT + across.at(value) * (WIDTH - LEFT - RIGHT);
    const y = drawUpright(drawing, scaleOf(points.map(one => one.figure), 4, metric.unit), metric.unit, LEFT, WIDTH);
    let last = -Infinity;
    for (const value of xs) {
      const word = value.toLocaleString("en-US");
      if (x(value) - last < word.length * 4 + 14) continue;
      last = x(value) + word.length * 3;
      svg(drawing, "text", { x: x(value), y: HEIGHT - BOTTOM + 15, class: "m" }, word);
    }
    svg(drawing, "text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, class: "m" }, axis);
    for (const line of lines) drawLine(drawing, line, x, y, metric, hasIdeal);
    return figure;
  };
  const drawLine = (drawing, line, x, y, metric, hasIdeal) => {
    const part = svg(drawing, "g", { class: colour(line.colour) });
    const path = points => points.map(([a, b], at) => `${at ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
    const [first, end] = [line.points[0], line.points[line.points.length - 1]];
    if (hasIdeal) svg(part, "path", { d: path([[first.x, first.figure[0]], [end.x, first.figure[0] * end.x / first.x]]), class: "ideal" });
    svg(part, "path", { d: path(line.points.map(one => [one.x, one.figure[0]])), class: "line" });
    for (const one of line.points) {
      const [value, low, high] = one.figure;
      if (low !== null) svg(part, "line", { x1: x(one.x), x2: x(one.x), y1: y(low), y2: y(high), class: "whisker" });
      const lines = tipOf(cases[one.at], one.figure);
      const link = svg(part, "a", { href: `#c${one.at}`, "aria-label": lines.slice(0, 3).join(", ") });
      const mark = svg(link, "circle", { cx: x(one.x), cy: y(value), r: 4, class: low === null ? "mark hollow" : "mark" });
      explain(link, () => mark, lines);
      if (metric.more && line.points.length > 1 && cases[one.at].best && !hasIdeal) svg(part, "circle", { cx: x(one.x), cy: y(value), r: 7.5, class: "best" });
    }
  };
  const legend = (parent, lines) => {
    if (lines.length < 2) return;
    const list = html(parent, "ul", "", { class: "legend" });
    for (const line of lines) {
      const item = html(list, "li", "", { class: colour(line.colour) });
      html(item, "i");
      item.append(line.name);
    }
  };
  const linesOf = (members, key, xOf) => {
    const nameOf = at => [machines.length > 1 ? machines[cases[at].m] : "", cases[at].series].filter(Boolean).join(", ") || "all";
    return unique(members.map(nameOf)).slice(0, FEW_LINES).map((name, number) => {
      const mine = members.filter(at => nameOf(at) === name && cases[at].f[key]);
      return { name, colour: number, points: mine.map(at => ({ at, x: xOf(cases[at]), figure: cases[at].f[key] })).sort((a, b) => a.x - b.x) };
    }).filter(line => line.points.length);
  };
  const drawGroups = (id, title, note, groups) => {
    const section = document.getElementById(id);
    section.replaceChildren();
    section.hidden = !groups.length;
    if (!groups.length) return;
    html(section, "h2", title);
    html(section, "p", note, { class: "note" });
    groups.slice(0, FEW_GROUPS).forEach(draw => draw(section));
    if (groups.length <= FEW_GROUPS) return;
    const more = html(section, "details");
    html(more, "summary", `${groups.length - FEW_GROUPS} more networks`);
    more.addEventListener("toggle", () => { if (more.children.length === 1) groups.slice(FEW_GROUPS).forEach(draw => draw(more)); });
  };
  const drawBatches = () => {
    const shown = cases.map((_, at) => at).filter(at => isShown(cases[at]) && cases[at].ranks === 1);
    const groups = unique(shown.map(at => heading(cases[at]))).map(title => {
      const mine = shown.filter(at => heading(cases[at]) === title);
      const charts = metrics.filter(one => one.by_batch).map(one => [one, linesOf(mine, one.key, other => other.batch)])
        .filter(([, lines]) => lines.some(line => line.points.length > 1));
      return charts.length && (section => {
        html(section, "h3", title);
        legend(section, charts[0][1]);
        const grid = html(section, "div", "", { class: "charts" });
        for (const [metric, lines] of charts) chart(grid, metric.title, metric, "batch size", lines, false);
      });
    }).filter(Boolean);
    drawGroups("batches", "Against batch size", `A ring marks the fastest batch size. ${machines.length > FEW_LINES ? `Charts have the first ${FEW_LINES} machines that are chosen. ` : ""}Vertical lines are 95 % intervals.`, groups);
  };
  const drawScaling = () => {
    const shown = cases.map((_, at) => at).filter(at => isShown(cases[at]) && cases[at].one !== undefined && speedOf(cases[at]));
    const names = unique(shown.map(at => heading(cases[at])));
    drawGroups("scaling", "Over several processes", "Dashed: as many times the speed of one process.", names.length ? [section => {
      const grid = html(section, "div", "", { class: "charts" });
      for (const title of names) {
        const mine = shown.filter(at => heading(cases[at]) === title);
        const lines = unique(mine.map(at => cases[at].one)).slice(0, FEW_LINES).map((one, number) => ({
          name: [machines.length > 1 ? machines[cases[one].m] : "", cases[one].name].filter(Boolean).join(", "), colour: number,
          points: [one, ...mine.filter(at => cases[at].one === one)].filter(at => speedOf(cases[at]))
            .map(at => ({ at, x: cases[at].ranks, figure: speedOf(cases[at]) })).sort((a, b) => a.x - b.x) }));
        const metric = speedMetric(cases[mine[0]]);
        legend(chart(grid, `${title}: ${metric.title.toLowerCase()}`, metric, "processes or GPUs", lines, true), lines);
      }
    }] : []);
  };

  // --- a case: its launches, their samples, and what sensors read -------------------------------------------
  const drawSamples = (parent, details, title) => {
    const launches = details.launches.filter(one => one.samples.count);
    const all = launches.flatMap(one => one.samples.values).filter(one => one !== null);
    if (!all.length) return;
    const figure = html(parent, "figure");
    html(figure, "figcaption", "Samples in the order they were taken; warm-up is shaded");
    const [width, left] = [720, 70];
    const drawing = frame(figure, `Samples of ${title} in the order they were taken; the table has their medians`, HEIGHT, width);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const y = drawUpright(drawing, linear(low - (high - low) * .05, high + (high - low) * .05, 4), "s", left, width);
    const wide = (width - left - RIGHT) / launches.length;
    launches.forEach((launch, number) => {
      const begin = left + number * wide + 3;
      const warm = launch.warmup.values.length ? Math.min(wide * .2, 40) : 0;
      const line = (values, from, to) => values.map((value, at) =>
        `${at ? "L" : "M"}${(from + (to - from) * (at + .5) / values.length).toFixed(1)} ${y(value).toFixed(1)}`).join("");
      if (warm) svg(drawing, "rect", { x: begin, y: TOP, width: warm, height: HEIGHT - TOP - BOTTOM, class: "warmup" });
      svg(drawing, "path", { d: line(launch.warmup.values, begin, begin + warm), class: "line c5" });
      svg(drawing, "path", { d: line(launch.samples.values, begin + warm, begin + wide - 6), class: "line c0" });
      if (launch.throttled) svg(drawing, "rect", { x: begin, y: TOP - 6, width: wide - 6, height: 3, class: "hot" });
      if (wide > 18) svg(drawing, "text", { x: begin + wide / 2, y: HEIGHT - BOTTOM + 15, class: "m" }, launch.name);
    });
    svg(drawing, "text", { x: (left + width) / 2, y: HEIGHT - 4, class: "m" }, "launch");
  };
  const drawDistribution = (parent, distribution, launches, caption, title) => {
    if (!distribution) return;
    const shown = distribution.counts.map((counts, at) => [counts, distribution.medians[at], launches[at].name]).filter(one => one[1] !== null).slice(0, 12);
    const figure = html(parent, "figure");
    html(figure, "figcaption", caption);
    const high = 30, height = 10 + shown.length * high + BOTTOM;
    const drawing = frame(figure, `${caption} of ${title}; the table has the medians`, height);
    const [left, wide] = [26, WIDTH - 26 - RIGHT];
    const across = linear(distribution.low, distribution.high, 3);
    for (const tick of across.ticks) {
      const x = left + across.at(tick) * wide;
      svg(drawing, "line", { x1: x, x2: x, y1: 6, y2: height - BOTTOM, class: "grid" });
      svg(drawing, "text", { x, y: height - BOTTOM + 15, class: x > WIDTH - 30 ? "e" : "m" }, tickText(tick, "s", across.step));
    }
    shown.forEach(([counts, median, name], at) => {
      const base = 8 + (at + 1) * high;
      const most = Math.max(...counts);
      counts.forEach((count, bin) => count && svg(drawing, "rect", { x: left + bin * wide / counts.length, width: wide / counts.length,
        y: base - count / most * (high - 6), height: count / most * (high - 6), class: "histogram" }));
      const x = left + place(across, median) * wide;
      svg(drawing, "line", { x1: x, x2: x, y1: base - high + 5, y2: base, class: "median" });
      svg(drawing, "text", { x: left - 6, y: base - 6, class: "e" }, name);
    });
    svg(drawing, "text", { x: left + wide / 2, y: height - 4, class: "m" }, "launches; the upright lines are medians");
  };
  const drawTable = (parent, caption, titles, rows) => {
    if (!rows.length) return;
    const region = html(parent, "div", "", { class: "wide", tabindex: 0, role: "region", "aria-label": caption });
    const table = html(region, "table");
    html(table, "caption", caption);
    const head = html(html(table, "thead"), "tr");
    for (const title of titles) html(head, "th", title, { scope: "col" });
    const body = html(table, "tbody");
    for (const [first, ...others] of rows) {
      const line = html(body, "tr");
      html(line, "th", first, { scope: "row" });
      for (const one of others) html(line, "td", one);
    }
  };
  const fillCase = box => {
    if (box.dataset.full) return;
    box.dataset.full = "yes";
    const one = cases[Number(box.id.slice(1))];
    const body = html(box, "div");
    const { details } = one;
    drawSamples(body, details, titleOf(one));
    const pair = html(body, "div", "", { class: "charts" });
    drawDistribution(pair, details.distribution, details.launches, "Time a step", titleOf(one));
    drawDistribution(pair, details.latency, details.launches, "Latency, waiting for every step", titleOf(one));
    drawTable(body, "Launches", ["launch", "median", "least", "most", "windows × steps", "warm-up", "first step", "ended by"],
      details.launches.map(launch => [launch.name, ...launch.cells]));
    drawTable(body, "Sensors", ["quantity", ...details.launches.map(launch => `launch ${launch.name}`)],
      details.sensors.map(([name, ...others]) => [name.replaceAll("_", " "), ...others]));
    const list = html(body, "dl", "", { class: "figures" });
    for (let at = 0; at < one.all.length; at += 2) {
      const pairOf = html(list, "div");
      html(pairOf, "dt", one.all[at].replaceAll("_", " "));
      html(pairOf, "dd", one.all[at + 1]);
    }
  };
  const boxes = [...document.querySelectorAll("details.case")];
  for (const box of boxes) box.addEventListener("toggle", () => { if (box.open) fillCase(box); });
  const openCase = () => {
    const box = /^#c[0-9]+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (!box) return;
    box.open = true;
    fillCase(box);
    hideTip();
    box.scrollIntoView();
    box.querySelector("summary").focus({ preventScroll: true });
  };
  addEventListener("hashchange", openCase);
  document.addEventListener("click", event => {
    const link = event.target.closest("a[href^='#c']");
    if (link && link.getAttribute("href") === location.hash) openCase();
  });
  const openAll = () => {
    choice.all = true;
    draw();
    for (const box of document.querySelectorAll("details.case, #batches details, #scaling details")) {
      box.open = true;
      if (box.id) fillCase(box);
    }
  };
  addEventListener("beforeprint", openAll);
  matchMedia("print").addEventListener("change", event => { if (event.matches) openAll(); });

  // --- what the reader chooses -------------------------------------------------------------------------------
  const form = document.getElementById("choices");
  const select = (name, title, options, take) => {
    if (options.length < 2) return;
    const label = html(form, "label", title, { id: `choose-${name}` });
    const made = html(label, "select", "", { name });
    for (const [value, text] of options) html(made, "option", text, { value });
    made.value = options.some(one => one[0] === choice[name]) ? choice[name] : options[0][0];
    made.addEventListener("change", () => { take(made.value); choice.all = false; draw(); });
  };
  const choices = () => {
    const known = metrics.filter(one => cases.some(other => other.f[one.key])).map(one => [one.key, one.title]);
    if (references.length && !gate) known.unshift([SPEED, "Speed"]);
    if (gate) known.unshift([GATE, "Verdicts"]);
    choice.metric = known.length ? known[0][0] : "rows_per_second";
    const filter = name => [["", "all"], ...unique(cases.map(one => one[name])).map(one => [one, one])];
    select("metric", "Show", known, value => { choice.metric = value; });
    if (!gate) select("reference", "Against", references.map((one, at) => [String(at), machines[one.m]]), value => {
      choice.reference = Number(value);
      document.getElementById("answer").textContent = references[choice.reference].answer;
    });
    for (const [name, title] of [["mode", "Mode"], ["precision", "Precision"]]) {
      if (filter(name).length > 2) select(name, title, filter(name), value => { choice[name] = value; });
    }
    if (machines.length > 2) chooseMachines();
    form.hidden = !form.children.length;
  };
  const chooseMachines = () => {
    const box = html(form, "details");
    html(box, "summary", "Machines");
    const list = html(box, "div");
    machines.forEach((name, at) => {
      const label = html(list, "label");
      const tick = html(label, "input", "", { type: "checkbox" });
      tick.checked = true;
      label.append(name);
      tick.addEventListener("change", () => { choice.hidden[tick.checked ? "delete" : "add"](at); draw(); });
    });
  };
  form.addEventListener("submit", event => event.preventDefault());
  const draw = () => {
    hideTip();
    const against = document.getElementById("choose-reference");
    if (against) against.hidden = choice.metric !== SPEED;
    drawPicture();
    drawBatches();
    drawScaling();
  };
  choices();
  drawPicture();
  requestAnimationFrame(() => setTimeout(() => { drawBatches(); drawScaling(); openCase(); }));
})();
