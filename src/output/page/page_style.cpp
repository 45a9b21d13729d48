#include "output/page/page_style.hpp"

namespace mpsbench::output {

namespace {

// The series' colours are also used for text, so each has a contrast of at least 4.5 to the background. Paper
// always gets the light colours.
constexpr const char* kStyle = R"(
:root {
  color-scheme: light;
  --ground: #ffffff; --raised: #f4f5f7; --ink: #1a1d21; --quiet: #57606a; --rule: #d5d9de; --link: #0b57b0;
  --good: #136c2e; --bad: #b3261e; --remark: #7a4d00; --band: #dfe5ec; --warm: #e9e2cf; --accent: #b3261e;
  --s0: #0060a8; --s1: #b34700; --s2: #00705a; --s3: #a3327a; --s4: #75590a; --s5: #4a5058; --s6: #5b3fb5;
  --s7: #8a1c1c;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --ground: #14171c; --raised: #1f242b; --ink: #e8eaed; --quiet: #a4adb8; --rule: #3a414b; --link: #82b7ff;
    --good: #6fd18b; --bad: #ff8f86; --remark: #e5b567; --band: #2d3642; --warm: #3b3524; --accent: #ff8f86;
    --s0: #6db6ff; --s1: #ff9a5c; --s2: #4fd1a5; --s3: #f08ccb; --s4: #e0c24a; --s5: #c0c4cc; --s6: #b6a2ff;
    --s7: #ff9d9d;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0 auto; max-width: 90rem; padding: 0 .75rem 3rem; background: var(--ground); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 1rem 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: .5rem; top: .5rem; background: var(--ground); padding: .5rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; }
nav a { display: inline-block; padding: .25rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .75rem; margin: .25rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
#flags dl { grid-template-columns: minmax(6rem, max-content) 1fr; font-size: .9rem; }
.hosts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: .75rem;
  margin-top: 1rem; font-size: .9rem; }
.card { background: var(--raised); border-radius: .5rem; padding: .75rem; }
.card h2 { margin: 0 0 .25rem; font-size: 1rem; }
.glance { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); gap: .5rem;
  margin-top: 1rem; font-size: .85rem; }
.glance p { margin: .15rem 0; }
.glance .big { font-size: 1.6rem; font-weight: 600; line-height: 1.2; }
.big small { font-size: .85rem; font-weight: 400; color: var(--quiet); white-space: nowrap; }
.note { color: var(--quiet); font-size: .9rem; max-width: 60rem; }
.wide { overflow-x: auto; margin: .5rem 0 1rem; }
/* Collapsed borders would not move with the first column when it sticks. */
table { border-collapse: separate; border-spacing: 0; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top;
  white-space: nowrap; }
th { font-weight: 500; }
thead th { color: var(--quiet); }
thead th:first-child { padding-left: 0; }
.r { text-align: right; }
tbody th { position: sticky; left: 0; background: var(--ground); white-space: normal; min-width: min(12rem, 38vw); max-width: 44vw;
  padding-left: 0; }
tbody tr:hover > * { background: var(--raised); }
.case tbody th, figure tbody th { min-width: 3rem; }
td:last-child { white-space: normal; min-width: 8rem; }
td svg { width: 150px; height: 18px; display: block; }
.flag { display: inline-block; color: var(--remark); border: 1px solid currentColor; border-radius: .6rem;
  padding: 0 .45rem; font-size: .8rem; line-height: 1.3; white-space: nowrap; max-width: 100%; overflow: hidden; vertical-align: middle;
  text-overflow: ellipsis; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
.remark { color: var(--remark); }
.speed { display: block; width: 8rem; height: 5px; margin-top: .2rem; background: var(--band); }
.speed i { display: block; height: 5px; background: var(--s0); }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); gap: 1rem; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 1rem 2rem; }
figure { margin: 0; min-width: 0; }
figcaption { font-size: .9rem; font-weight: 600; }
figure svg { width: 100%; max-width: 34rem; height: auto; display: block; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink); stroke: var(--ground); stroke-width: 2.5px;
  paint-order: stroke; }
svg .m { text-anchor: middle; }
svg .e { text-anchor: end; }
svg .axis { fill: var(--quiet); }
.grid { stroke: var(--rule); stroke-width: .7; fill: none; }
.s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); }
.s4 { --c: var(--s4); } .s5 { --c: var(--s5); } .s6 { --c: var(--s6); } .s7 { --c: var(--s7); }
svg .name { fill: var(--c); font-weight: 600; }
.line { fill: none; stroke: var(--c); stroke-width: 1.6; }
.ideal { fill: none; stroke: var(--c); stroke-width: 1; stroke-dasharray: 4 3; }
.whisker { fill: none; stroke: var(--c); stroke-width: 1.2; }
.mark { fill: var(--c); stroke: var(--ground); stroke-width: .6; }
.hollow { fill: var(--ground); stroke: var(--c); stroke-width: 1.4; }
svg .group { font-weight: 600; }
.roof { fill: none; stroke: var(--quiet); stroke-width: 1.6; }
.fill { fill: var(--s0); fill-opacity: .35; stroke: var(--s0); stroke-width: .8; }
.median { fill: none; stroke: var(--accent); stroke-width: 1.6; }
.trace { fill: none; stroke: var(--s0); stroke-width: .9; }
.dots { fill: none; stroke: var(--s0); stroke-width: 3.4; stroke-linecap: round; }
.beyond { fill: var(--s0); }
.trace.quiet, .dots.quiet { stroke: var(--quiet); }
.beyond.quiet { fill: var(--quiet); }
.warmup { fill: var(--warm); }
.throttled { fill: var(--bad); }
.band { fill: var(--band); }
.zero { stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 2 2; }
.bar { stroke: var(--s0); stroke-width: 3; }
.tip { stroke: var(--ink); stroke-width: 2; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem .9rem; margin: .25rem 0; padding: 0;
  font-size: .85rem; }
.legend svg { width: 12px; height: 12px; margin-right: .3rem; display: inline-block; vertical-align: -1px; }
summary { cursor: pointer; padding: .35rem 0; }
.case { border-bottom: 1px solid var(--rule); }
.case > div { padding: .25rem 0 1rem; scroll-margin-top: 3rem; }
.figures { font-size: .85rem; grid-template-columns: max-content 1fr; }
pre { white-space: pre-wrap; background: var(--raised); padding: .5rem; font-size: .8rem; }
@media (max-width: 30rem) {
  .figures { grid-template-columns: 1fr; }
  .figures dd { margin: 0 0 .3rem; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  @page { margin: 12mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip { display: none; }
  h2, figcaption { break-after: avoid; }
  .wide { overflow: visible; }
  table { font-size: 7pt; }
  th, td { padding: .15rem .3rem; }
  td, tbody th { white-space: normal; position: static; min-width: 0; max-width: none; }
  /* Launches: numbers stay beside their units; the last column has words. */
  .case td:not(:last-child) { white-space: nowrap; }
  thead { display: table-header-group; }
  tr, figure, .card { break-inside: avoid; }
  .charts { grid-template-columns: repeat(3, 1fr); }
  .glance { grid-template-columns: repeat(4, 1fr); font-size: 8pt; }
  .pictures { grid-template-columns: repeat(2, 1fr); }
  details::details-content { content-visibility: visible; display: block; }
  figure details, .case details { display: none; }
}
)";

}  // namespace

const char* page_style() {
  return kStyle;
}

}  // namespace mpsbench::output
