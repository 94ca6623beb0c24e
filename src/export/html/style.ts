import { dark, light, type Palette } from './palette.ts'

/** Returns the stylesheet of a page: two colour schemes, any width, and paper. */
export function stylesheet(): string {
  return `:root {\n${variables(light)}}\n@media (prefers-color-scheme: dark) {\n:root {\n${variables(dark)}}\n}\n${rules}`
}

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, value]) => `  --${name}: ${value};\n`)
    .join('')
}

const rules = `:root {
  --serif: Charter, 'Bitstream Charter', 'Iowan Old Style', 'Sitka Text', Cambria, Georgia, serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, 'Cascadia Code', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
* { box-sizing: border-box; }
html { color-scheme: light dark; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 47rem; padding: 4rem 1.5rem 6rem;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.62 var(--serif); overflow-wrap: anywhere; hanging-punctuation: first;
}
a { color: var(--link); text-decoration-thickness: from-font; text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
pre:focus-visible { outline-offset: -2px; }

header { padding-bottom: 2rem; }
h1 { margin: 0 0 1.25rem; font-size: 1.9rem; line-height: 1.22; font-weight: 600; letter-spacing: -0.01em; text-wrap: balance; }
dl { margin: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.6rem; font: 0.8125rem/1.5 var(--sans); }
dl div { display: flex; gap: 0.5rem; min-width: 0; }
dt { flex: none; color: var(--muted); }
dd { margin: 0; min-width: 0; font-variant-numeric: tabular-nums; }

nav { margin-bottom: 2rem; font: 0.875rem/1.5 var(--sans); }
nav summary { color: var(--muted); }
nav ol { margin: 0.5rem 0 0; padding-left: 2rem; font-variant-numeric: tabular-nums; }
nav li { padding: 0.15rem 0; }
nav li::marker { color: var(--muted); }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }

section { border-top: 1px solid var(--rule); padding: 1.6rem 0 2rem; }
h2 {
  display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; margin: 0 0 0.6rem;
  font: 600 0.8125rem/1.5 var(--sans); scroll-margin-top: 1rem;
}
h2 a { color: var(--accent); text-decoration: none; }
h2 a:hover { text-decoration: underline; }
time, .remark, figcaption, .speaker { color: var(--muted); font: 0.8125rem/1.5 var(--sans); }
time { font-variant-numeric: tabular-nums; }
.said {
  padding: 0.8rem 1.1rem; border-left: 3px solid var(--accent); border-radius: 0 6px 6px 0;
  background: var(--panel); font: 1rem/1.55 var(--sans); white-space: pre-wrap;
}
.remark { margin: 0.75rem 0; white-space: pre-wrap; }
.speaker { margin: 1.75rem 0 0.5rem; }

.reply { margin: 1.4rem 0; }
.reply > :first-child, .body > :first-child, li > :first-child, blockquote > :first-child { margin-top: 0; }
.reply > :last-child, .body > :last-child, li > :last-child, blockquote > :last-child { margin-bottom: 0; }
p, ul, ol, blockquote, .wide { margin: 0 0 1em; }
p.plain { white-space: pre-wrap; }
ul, ol { padding-left: 1.5rem; }
li { margin: 0.2em 0; }
li > pre { margin: 0.4em 0 0.7em; }
li.task { list-style: none; margin-left: -1.5rem; }
h3, h4, h5, h6 { margin: 1.7em 0 0.5em; line-height: 1.3; font-weight: 600; text-wrap: balance; }
h3 { font-size: 1.3rem; }
h4 { font-size: 1.12rem; }
h5, h6 { font-size: 1rem; }
blockquote { padding-left: 1.1rem; border-left: 2px solid var(--rule); color: var(--muted); }
hr { margin: 2rem auto; width: 4rem; border: 0; border-top: 1px solid var(--rule); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font: 0.875rem/1.5 var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: 0.4rem 0.9rem 0.4rem 0; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; }
th { font-weight: 600; }
.right { text-align: right; }
.center { text-align: center; }

code, .target { font-family: var(--mono); font-size: 0.86em; }
code { padding: 0.1em 0.3em; border-radius: 4px; background: var(--panel); }
pre {
  margin: 0 0 1.1em; padding: 0.85rem 1rem; border-radius: 6px; background: var(--panel);
  overflow: auto; max-height: 34rem; font: 0.8125rem/1.55 var(--mono); tab-size: 4;
}
pre code { padding: 0; background: none; font: inherit; overflow-wrap: normal; }
.k { color: var(--keyword); }
.s { color: var(--string); }
.n { color: var(--number); }
.c { color: var(--comment); font-style: italic; }
.f { color: var(--name); }
.t { color: var(--kind); }

.diff { padding: 0.6rem 0; }
.diff code { display: block; width: max-content; min-width: 100%; }
.row { display: block; padding: 0 1rem 0 0; }
.row::before {
  content: attr(data-n); display: inline-block; width: calc(var(--digits) * 1ch + 2rem); padding-right: 0.9rem;
  text-align: right; color: var(--muted);
}
.add { background: var(--added); }
.del { background: var(--removed); }
.row b { font-weight: inherit; border-radius: 2px; }
.add b { background: var(--addedWord); }
.del b { background: var(--removedWord); }
.gap { color: var(--muted); }

summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
nav summary::before, .thinking summary::before { content: '▸'; display: inline-block; width: 1.2em; color: var(--muted); }
nav [open] > summary::before, .thinking[open] summary::before { content: '▾'; }
.call, .thinking { margin: 0.4rem 0; font: 0.875rem/1.5 var(--sans); }
.call summary {
  display: flex; align-items: baseline; gap: 0.55rem; padding: 0.34rem 0.8rem;
  border: 1px solid var(--rule); border-radius: 6px;
}
.call summary:hover { background: var(--panel); }
.call[open] summary { border-radius: 6px 6px 0 0; }
.call .body { border: 1px solid var(--rule); border-top: 0; border-radius: 0 0 6px 6px; overflow: hidden; }
.call pre { margin: 0; border-radius: 0; }
.call pre + pre { border-top: 1px solid var(--rule); }
.call figure, .call .remark { margin: 0.6rem 0.8rem; }
.said + .call, .said + .thinking, .call + .reply, .thinking + .reply { margin-top: 1.4rem; }
.name { font-weight: 600; }
.call .target { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.call[open] .target { white-space: normal; }
.size { color: var(--muted); white-space: nowrap; font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
.mark { color: var(--ok); }
.failed .mark, .failed .size { color: var(--bad); }
.unanswered .mark { color: var(--muted); }
.thinking { color: var(--muted); }
.thinking .name { font-weight: 400; }
.thinking .body { padding: 0.5rem 0 0.5rem 1.2em; font: italic 0.97rem/1.6 var(--serif); }
figure { margin: 0.9rem 0; }
img { display: block; max-width: 100%; height: auto; border-radius: 6px; margin-bottom: 0.35rem; }

@media (max-width: 40rem) {
  body { padding: 2rem 1.1rem 4rem; font-size: 1rem; }
  h1 { font-size: 1.5rem; }
  pre { font-size: 0.78rem; border-radius: 5px; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  nav { display: none; }
  section { break-inside: auto; }
  h2, h3, h4, summary { break-after: avoid; }
  pre { max-height: none; white-space: pre-wrap; border: 1px solid var(--rule); }
  .diff code { width: auto; }
}
`
