/** How the pages look: light and dark, on a desk and on a phone. The same colours as `report.html`. */
const LIGHT = `--page: #f6f7f9; --card: #ffffff; --sunken: #f0f2f5; --ink: #16202b; --quiet: #5a6875; --line: #e1e6eb;
  --line-strong: #b9c3cd; --accent: #1558c0; --on-accent: #ffffff; --resolved: #2c7d4f; --new: #b3470b; --active: #1558c0;
  --failed: #b42318;`;
const DARK = `--page: #11161c; --card: #1a212a; --sunken: #131920; --ink: #e8edf2; --quiet: #9caab8; --line: #2b3541;
  --line-strong: #4b5969; --accent: #7db1ff; --on-accent: #10161d; --resolved: #6cc995; --new: #ffa066; --active: #7db1ff;
  --failed: #ff8a7d;`;

export const STYLE = `
:root { ${LIGHT} color-scheme: light; }
@media (prefers-color-scheme: dark) { :root { ${DARK} color-scheme: dark; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; padding-top: 1.25rem; padding-bottom: 1rem; }
header .home { font-weight: 650; letter-spacing: -.01em; color: inherit; text-decoration: none; margin-right: auto; display: flex; align-items: center; gap: .6rem; }
.mark { position: relative; display: inline-block; width: 1.5rem; height: 1.5rem; }
.mark i { position: absolute; width: .95rem; height: .95rem; border-radius: .2rem; background: #2e6fdb; opacity: .85; }
.mark i + i { right: 0; bottom: 0; background: #c8281d; }
header form { display: flex; align-items: center; gap: .75rem; color: var(--quiet); }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 1rem; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; }
.path { margin: 0 0 .25rem; color: var(--quiet); font-size: .95rem; }
a { color: var(--accent); }
p { margin: .5rem 0 0; }
.quiet, small, .hint { color: var(--quiet); }
.hint { font-size: .9rem; }
section > :first-child { margin-top: 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 0 0 1.25rem; min-width: 0; }
.scroll { overflow-x: auto; margin: 0 -1.25rem; padding: 0 1.25rem; }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
th { text-align: left; font-weight: 600; color: var(--quiet); font-size: .9rem; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
tr:last-child td { border-bottom: 0; }
th:last-child, td:last-child { padding-right: 0; }
td.name { min-width: 9rem; overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.when { white-space: nowrap; color: var(--quiet); }
td.when, th.when { padding-left: 1rem; }
.state { white-space: nowrap; }
.state::before { content: ''; display: inline-block; width: .6rem; height: .6rem; border-radius: 50%; margin-right: .45rem; background: var(--line-strong); }
.state.done::before { background: var(--resolved); } .state.failed::before { background: var(--failed); } .state.incomplete::before { background: var(--new); } .state.running::before { background: var(--accent); }
.new { color: var(--new); } .resolved { color: var(--resolved); } .error { color: var(--failed); white-space: pre-line; }
.tiles { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1rem; }
.tile { display: flex; flex-direction: column; min-width: 7.5rem; padding: .6rem 1rem; border: 1px solid var(--line); border-left: .3rem solid var(--line-strong); border-radius: .6rem; }
.tile b { font-size: 1.7rem; line-height: 1.15; font-variant-numeric: tabular-nums; }
.tile span { color: var(--quiet); }
.tile.active { border-left-color: var(--active); } .tile.new { border-left-color: var(--new); color: inherit; } .tile.resolved { border-left-color: var(--resolved); color: inherit; }
form.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
label { display: flex; flex-direction: column; gap: .2rem; color: var(--quiet); font-size: .9rem; min-width: 0; flex: 1 1 9rem; }
label.wide { flex-basis: 100%; }
input, select, textarea, button { font: inherit; color: var(--ink); }
input, select, textarea { width: 100%; background: var(--sunken); border: 1px solid var(--line-strong); border-radius: .5rem; padding: .45rem .7rem; min-width: 0; }
input, select, form.row button { height: 2.65rem; }
input[type=file] { padding: .3rem .35rem; }
input[type=file]::file-selector-button { font: inherit; height: 100%; margin-right: .6rem; padding: 0 .7rem; color: var(--ink); background: var(--card); border: 1px solid var(--line-strong); border-radius: .35rem; cursor: pointer; }
table + form, .scroll + form, p + form.row { margin-top: 1rem; }
[data-said]:empty { display: none; }
textarea { min-height: 8rem; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9rem; }
button, .button { cursor: pointer; display: inline-block; border: 1px solid var(--line-strong); background: var(--card); color: var(--ink); border-radius: .5rem; padding: .45rem .9rem; text-decoration: none; white-space: nowrap; }
button:hover, .button:hover { border-color: var(--accent); }
.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: 1rem; }
progress { width: 100%; height: .7rem; accent-color: var(--accent); }
details summary { cursor: pointer; color: var(--accent); }
details form { margin-top: .75rem; }
.plot { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--quiet); }
.plot line { stroke: var(--line); } .plot .axis { stroke: var(--line-strong); }
.plot .bar.new { fill: var(--new); } .plot .bar.resolved { fill: var(--resolved); }
.plot .active-line { fill: none; stroke: var(--active); stroke-width: 2; } .plot .dot { fill: var(--active); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 .5rem; padding: 0; list-style: none; color: var(--quiet); font-size: .9rem; }
.legend li::before { content: ''; display: inline-block; width: .7rem; height: .7rem; border-radius: .15rem; margin-right: .4rem; background: var(--active); }
.legend .of-new::before { background: var(--new); } .legend .of-resolved::before { background: var(--resolved); }
.login { max-width: 26rem; margin: 10vh auto 1.25rem; }
footer { color: var(--quiet); font-size: .9rem; padding-bottom: 2rem; }
@media (max-width: 40rem) { header, main, footer { padding-left: .9rem; padding-right: .9rem; } section { padding: 1rem; } .plot { font-size: 24px; } .plot .active-line { stroke-width: 4; } .scroll { margin: 0 -1rem; padding: 0 1rem; } .tile { flex: 1 1 40%; min-width: 0; } .hide-narrow { display: none; } }
`;
