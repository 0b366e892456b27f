/** How `report.html` looks: light and dark, on a desk, on a phone and on paper. */
import { CLASH_KIND_TABLE, CLASH_KINDS } from '@impinge/model';

/**
 * A variable for each kind of clash, named like it; and those of the two measures, after the gravest kind that has it.
 */
function kindColours(theme: 'light' | 'dark'): string {
  const colours = CLASH_KINDS.map((kind) => `--${kind}: ${CLASH_KIND_TABLE[kind].colour[theme]};`);
  for (const measure of ['depth', 'distance']) {
    const kind = CLASH_KINDS.find((one) => CLASH_KIND_TABLE[one].measure === measure);
    colours.push(`--${measure}: var(--${kind});`);
  }
  return colours.join(' ');
}

const LIGHT = `
  ${kindColours('light')}
  --page: #f6f7f9; --card: #ffffff; --sunken: #f0f2f5; --ink: #16202b; --quiet: #5a6875; --line: #e1e6eb;
  --line-strong: #b9c3cd; --accent: #1558c0; --accent-soft: #e4eefc;
  --built1: #e9edf1; --built2: #dde3e9; --built3: #cfd7df; --built4: #bfc9d3;
  --side-a: #e07b1f; --side-b: #2e6fdb;
  --red: #b42318; --amber: #8a5a00; --resolved: #2c7d4f; --new: #b3470b; --persisting: #5a6875;
  --heat1: #fdeeea; --heat2: #fad5cc; --heat3: #f3ab9c; --heat4: #e2705c; --heat5: #c8281d; --on-heat: #ffffff;
`;

const DARK = `
  ${kindColours('dark')}
  --page: #11161c; --card: #1a212a; --sunken: #131920; --ink: #e8edf2; --quiet: #9caab8; --line: #2b3541;
  --line-strong: #4b5969; --accent: #7db1ff; --accent-soft: #20344f;
  --built1: #1f2832; --built2: #26303b; --built3: #2e3a47; --built4: #384655;
  --side-a: #f0913a; --side-b: #5b93f0;
  --red: #ff8a7a; --amber: #f2c14e; --resolved: #6cc995; --new: #ffa066; --persisting: #9caab8;
  --heat1: #34211f; --heat2: #552a25; --heat3: #84372e; --heat4: #b8483b; --heat5: #e25f50; --on-heat: #ffffff;
`;

export const REPORT_STYLE = `
:root {${LIGHT}  color-scheme: light; }
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme=light]) {${DARK}  color-scheme: dark; } }
@media screen { :root[data-theme=dark] {${DARK}  color-scheme: dark; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 7.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; align-items: center; gap: 1rem; padding-top: 1.75rem; padding-bottom: 1rem; }
header p { margin: 0; color: var(--quiet); }
.titles { flex: 1; min-width: 0; }
.mark { position: relative; width: 2.75rem; height: 2.75rem; flex: none; }
.mark i { position: absolute; width: 1.75rem; height: 1.75rem; border-radius: .35rem; background: var(--distance); opacity: .85; }
.mark i + i { right: 0; bottom: 0; background: var(--depth); }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; letter-spacing: -.005em; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 0 0 1.25rem; min-width: 0; }
p { margin: .5rem 0 0; }
.quiet, small { color: var(--quiet); }
button, select, input { font: inherit; color: inherit; }
button { cursor: pointer; border: 1px solid var(--line-strong); background: var(--card); border-radius: .5rem; padding: .35rem .8rem; }
button:hover { border-color: var(--accent); }
button:disabled { opacity: .35; cursor: default; border-color: var(--line-strong); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.actions { display: flex; gap: .5rem; }
#theme { padding: .35rem .65rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }

.tiles { display: flex; flex-wrap: wrap; gap: .75rem; margin-bottom: .75rem; }
.tile { display: flex; flex-direction: column; text-align: left; min-width: 8rem; padding: .7rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); border-left: .3rem solid var(--line-strong); }
.tile b { font-size: 1.8rem; line-height: 1.15; font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
.tile span { color: var(--quiet); }
.tile.total { border-left-color: var(--ink); padding-right: 2rem; }
.tile.slim { flex-direction: row; align-items: baseline; gap: .5rem; padding: .4rem .9rem; }
.tile.slim b { font-size: 1.25rem; } .tile.still-there b { color: var(--red); }
.tile[data-kind] { border-left-color: var(--kind); } .tile.new { border-left-color: var(--new); }
.tile.approved { border-left-color: var(--resolved); } .tile.persisting { border-left-color: var(--persisting); } .tile.resolved { border-left-color: var(--resolved); }
[aria-pressed=true] { box-shadow: 0 0 0 2px var(--accent); }
.findings { border-left: .4rem solid var(--amber); } .findings.red { border-left-color: var(--red); }
.findings h2 { color: var(--amber); } .findings.red h2 { color: var(--red); }
.findings ul { list-style: none; margin: 0; padding: 0; } .findings li + li { margin-top: .6rem; }
.findings li b { display: block; font-size: .8rem; letter-spacing: .04em; text-transform: uppercase; color: var(--quiet); } .findings li span { display: block; }
.findings code { display: block; margin-top: .2rem; padding: .25rem .6rem; border-radius: .3rem; background: var(--sunken); font-size: .9rem; }
.empty { border-left: .4rem solid var(--new); } .empty h2 { color: var(--new); margin-bottom: 0; }
.clean { border-left: .4rem solid var(--resolved); } .clean h2 { font-size: 1.6rem; color: var(--resolved); margin-bottom: 0; }

.tag { display: inline-block; padding: 0 .5rem; border-radius: .35rem; border: 1px solid currentColor; font-size: .9em; white-space: nowrap; }
${CLASH_KINDS.map((kind) => `.${kind} { --kind: var(--${kind}); }`).join(' ')}
.tag { color: var(--kind); }
.status { font-size: .9em; white-space: nowrap; }
.status.new { color: var(--new); font-weight: 600; } .status.persisting { color: var(--quiet); } .status.resolved, .status.approved { color: var(--resolved); } .status.review { color: var(--accent); } .status.still-there { color: var(--red); font-weight: 600; }

.worst ol { list-style: none; margin: 0; padding: 0; }
.worst button { display: flex; gap: .75rem; align-items: baseline; width: 100%; text-align: left; border: 0; border-radius: .4rem; padding: .4rem .5rem; background: none; }
.worst button:hover { background: var(--sunken); }
.worst .tag { min-width: 5.5rem; text-align: center; } .worst b { min-width: 5rem; text-align: right; font-variant-numeric: tabular-nums; }
.worst button > span:nth-of-type(2) { flex: 1; } .worst small { text-align: right; }
.worst i { color: var(--quiet); font-style: normal; padding: 0 .15rem; }

.columns { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 1.25rem; }
.columns > :only-child { grid-column: 1 / -1; }
.scroll { overflow-x: auto; }
.heat0 { background: none; color: var(--line-strong); }
.matrix table { border-collapse: separate; border-spacing: 3px; }
.matrix th { font-weight: 400; text-align: right; padding-right: .4rem; white-space: nowrap; }
.matrix tfoot th { vertical-align: top; padding: .3rem 0 0; text-align: center; }
.matrix tfoot span { writing-mode: vertical-rl; transform: rotate(180deg); text-align: right; }
.matrix td { padding: 0; min-width: 3.4rem; height: 2.4rem; text-align: center; }
.matrix td.none { color: var(--line-strong); }
.matrix button { width: 100%; height: 100%; border: 0; padding: 0 .35rem; border-radius: .3rem; font-variant-numeric: tabular-nums; }
.matrix button:hover { box-shadow: inset 0 0 0 2px var(--accent); }
.matrix button[aria-pressed=true] { box-shadow: 0 0 0 2px var(--accent); }
.choice { display: flex; flex-wrap: wrap; gap: .4rem; margin-bottom: .75rem; } .matrix .choice button { width: auto; height: auto; border: 1px solid var(--line-strong); padding: .15rem .7rem; }
.heat1 { background: var(--heat1); } .heat2 { background: var(--heat2); } .heat3 { background: var(--heat3); }
.heat4 { background: var(--heat4); color: var(--on-heat); } .heat5 { background: var(--heat5); color: var(--on-heat); }

.bars { display: grid; gap: 2px; } .bars + h2 { margin-top: 1.25rem; }
.bar { display: grid; grid-template-columns: 8.2rem 1fr 4.2rem; gap: .6rem; align-items: center; border: 0; background: none; padding: .1rem .25rem; border-radius: .3rem; text-align: right; font-variant-numeric: tabular-nums; }
.bar:hover { background: var(--sunken); }
.bar span { color: var(--quiet); white-space: nowrap; } .bar b { font-weight: 500; }
.bar svg { width: 100%; height: 1.1rem; display: block; background: var(--sunken); border-radius: 2px; }
.bar rect { fill: var(--depth); } .bar.distance rect { fill: var(--distance); }

.filters { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; padding: .75rem 0; margin-bottom: .5rem; background: var(--page); }
.filters input { flex: 1 1 14rem; min-width: 0; } .filters input, .filters select { border: 1px solid var(--line-strong); background: var(--card); border-radius: .5rem; padding: .45rem .75rem; max-width: 100%; }
.filters select { flex: 0 1 13rem; min-width: 0; }
#shown { color: var(--quiet); white-space: nowrap; font-variant-numeric: tabular-nums; }
#filter-tags { display: flex; flex-wrap: wrap; gap: .5rem; flex-basis: 100%; } #filter-tags:empty { display: none; }
.filter-tag { background: var(--accent-soft); border-color: transparent; padding: .15rem .7rem; text-align: left; white-space: pre-wrap; }

.maps { gap: 1.25rem; } figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; margin-bottom: .35rem; display: flex; } .zoom { margin-left: auto; display: flex; gap: .25rem; } .zoom button { padding: 0; width: 2rem; height: 1.75rem; line-height: 1; min-height: 0; } .maps canvas { touch-action: pan-y pinch-zoom; }
canvas { display: block; width: 100%; height: 20rem; border: 1px solid var(--line); border-radius: .5rem; } canvas.over { cursor: pointer; }
figure p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

.beside { display: flex; flex-wrap: wrap; gap: 1rem 1.5rem; } .beside > :first-child { flex: 1 1 22rem; min-width: 0; }
.model { flex: 0 1 22rem; } .model canvas { height: 16rem; background: var(--card); cursor: grab; touch-action: pan-y; } .model figcaption { font-weight: 400; display: flex; flex-wrap: wrap; gap: .25rem .9rem; align-items: baseline; margin: .35rem 0 0; }
.side::before { content: ''; display: inline-block; width: .8em; height: .8em; border-radius: .2em; margin-right: .4em; background: var(--side-a); } .side.b::before { background: var(--side-b); } .model .plain { margin-left: auto; padding: .1rem .6rem; }

.count { color: var(--quiet); font-weight: 400; }
.issue { border-top: 1px solid var(--line); } .issue:last-child { border-bottom: 1px solid var(--line); }
.issue summary { display: flex; align-items: baseline; gap: .5rem 1rem; padding: .6rem .25rem; cursor: pointer; list-style: none; }
.issue summary::-webkit-details-marker { display: none; }
.issue summary::before { content: '›'; color: var(--quiet); width: .6rem; flex: none; transition: transform .12s; }
.issue[open] summary::before { transform: rotate(90deg); }
.issue summary:hover { background: var(--sunken); }
.issue-title { flex: 1; font-weight: 500; min-width: 0; } .issue-tags { display: flex; flex-wrap: wrap; gap: .4rem; justify-content: flex-end; }
.issue-worst { min-width: 5rem; text-align: right; font-variant-numeric: tabular-nums; font-weight: 600; }
.issue-body { padding: 0 .25rem 1rem 1.85rem; } .issue-body ol { margin: 0; padding: 0; list-style: none; } .issue-body li { padding: .2rem 0; }
.issue-body .row { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }
#issue-more { margin-top: 1rem; }

table { border-collapse: collapse; } #table, .checked table { width: 100%; }
th { text-align: left; font-weight: 600; } th.number { text-align: right; }
#table th, #table td, .checked th, .checked td { padding: .55rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.checked th { color: var(--quiet); font-weight: 500; } .checked td { overflow-wrap: break-word; } .checked td:first-child { min-width: 9rem; } .checked td:nth-child(2):not(.number) { min-width: 8rem; } .checked .scroll + .scroll { margin-top: 1.25rem; }
#table { table-layout: fixed; } #table th:nth-child(2), #table td.number { padding-right: 1.25rem; }
#table th:nth-child(1) { width: 8.5rem; } #table th:nth-child(2) { width: 9rem; } #table th:nth-child(5) { width: 11rem; } #table th:nth-child(6) { width: 11rem; } .one-rule th:nth-child(6), .one-rule .clash td:nth-child(6) { display: none; } #table th:nth-child(7) { width: 9.5rem; }
#table th button { border: 0; background: none; padding: 0; font-weight: 600; white-space: nowrap; } #table th:nth-child(2) { text-align: right; }
#table th[aria-sort] button { color: var(--accent); } #table th[aria-sort=ascending] button::after { content: ' ↑'; } #table th[aria-sort=descending] button::after { content: ' ↓'; }
.clash { cursor: pointer; } .clash:hover { background: var(--sunken); } .clash .number { font-weight: 600; }
.name { display: block; } #table small { display: block; font-size: .9rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.copy { border: 1px dashed var(--line-strong); padding: 0 .4rem; border-radius: .3rem; font: .9rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--quiet); max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
.copy.copied { color: var(--resolved); border-color: currentColor; } .copy.copied::after { content: ' copied'; }
.detail td { background: var(--sunken); } .detail dl { display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1.25rem; margin: .25rem 0; } .detail dt { color: var(--quiet); } .detail dd { margin: 0; min-width: 0; }
.review { display: flex; flex-wrap: wrap; gap: .6rem; align-items: flex-end; margin: .5rem 0; } .review label { display: flex; flex-direction: column; } .review label:nth-of-type(4) { flex: 1 1 12rem; } .review label span { color: var(--quiet); } .review input, .review select { border: 1px solid var(--line-strong); background: var(--card); border-radius: .4rem; padding: .3rem .5rem; min-width: 0; max-width: 100%; } .said { flex-basis: 100%; margin: 0; }
#save-review { border-color: var(--accent); color: var(--accent); }
.link { border: 0; background: none; padding: 0; color: var(--accent); text-align: left; text-decoration: underline; }
.pager { display: flex; gap: .5rem; align-items: center; justify-content: center; margin-top: 1rem; font-variant-numeric: tabular-nums; } .pager.single button { display: none; } #pager-text { padding: 0 .75rem; }
footer { color: var(--quiet); padding-bottom: 3rem; } footer p { max-width: 60rem; }

@media screen and (max-width: 50rem) {
  header, main, footer { padding-left: .9rem; padding-right: .9rem; } header { flex-wrap: wrap; padding-top: 1rem; } h1 { font-size: 1.35rem; }
  .titles { flex-basis: calc(100% - 4rem); } .actions { width: 100%; } section { padding: 1rem; }
  .columns { grid-template-columns: minmax(0, 1fr); } .tile { flex: 1 1 40%; min-width: 0; } .tile.total { flex-basis: 100%; } .tile.slim { flex: 1 1 auto; }
  .tag, .status, small, #table small, .copy { font-size: 1rem; }
  .bar { grid-template-columns: 7.6rem 1fr 3.6rem; gap: .5rem; padding: .3rem 0; }
  .worst button { flex-wrap: wrap; gap: .25rem .6rem; padding: .6rem 0; border-bottom: 1px solid var(--line); border-radius: 0; } .worst b, .worst .tag { min-width: 0; } .worst button > span:nth-of-type(2), .worst small { flex-basis: 100%; text-align: left; }
  .issue summary { flex-wrap: wrap; } .issue-title { flex-basis: calc(100% - 2rem); } .issue-tags { flex: 1; justify-content: flex-start; padding-left: 1.6rem; } .issue-worst { min-width: 0; }
  .issue-body { padding-left: .25rem; } figure p { white-space: normal; } canvas { height: 16rem; }
  .beside { display: block; } .model canvas { height: 13rem; } .model { margin-bottom: 1rem; } .detail .beside { display: flex; flex-direction: column-reverse; } .detail .beside > :first-child { flex: none; } .detail .model { flex: none; }
  .filters { position: static; } html { scroll-padding-top: 1rem; }
  #table, #table tbody, #table tr, #table td { display: block; } #table thead { display: none; }
  #table td { border: 0; padding: .15rem 0; text-align: left; } #table tr { border-bottom: 1px solid var(--line); padding: .75rem 0; } #table .wide { display: none; }
  #table td:nth-child(3)::before, #table td:nth-child(4)::before { content: attr(data-label) ' '; color: var(--quiet); float: left; width: 1.5rem; }
  #table .clash td:nth-child(1) { float: left; margin-right: .75rem; } #table .clash td:nth-child(3) { clear: left; } #table small { white-space: normal; padding-left: 1.5rem; }
  .detail dl { grid-template-columns: minmax(0, 1fr); gap: .15rem; } .detail dt { margin-top: .5rem; }
  button, select, input { min-height: 2.75rem; } .copy, .link, .bar { min-height: 0; } .copy { padding: .25rem .5rem; }
}
@media print {
  :root { --page: #ffffff; }
  @page { margin: 14mm; } body { font-size: 9.5pt; line-height: 1.35; } #table td, #table th, .issue summary { padding: 1.2mm 1mm; } #table th:nth-child(1) { width: 24mm; } #table th:nth-child(2) { width: 28mm; } #table th:nth-child(5) { width: 30mm; } #table th:nth-child(6) { width: 30mm; } header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  .filters, .actions, .choice, .review, .pager button, #issue-more, .quiet[id$=note], .issue summary::before { display: none !important; }
  section { border: 0; padding: 0; margin-bottom: 8mm; break-inside: auto; } h2 { break-after: avoid; } .tile, tr, figure, .issue, .bar, .worst li { break-inside: avoid; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } .columns { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 6mm; }
  #table th:nth-child(7), #table td.id { display: none; } .scroll { overflow: visible; } .tile { border-color: var(--line); } small, #table small { white-space: normal; font-size: 8pt; } .matrix td { min-width: 2.3rem; height: 1.8rem; }
  .pager { justify-content: flex-start; } thead { display: table-header-group; } canvas { height: 60mm; }
}
`;
