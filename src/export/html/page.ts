import { headline, type Transcript } from '../exported-transcript.ts'
import { facts } from '../facts.ts'
import { escapeHtml } from './escape.ts'
import { createHtmlHighlight, type HtmlHighlight } from './html-code.ts'
import { partHtml } from './part.ts'
import { stylesheet } from './style.ts'

/** The fewest prompts for which a page has a table of contents. */
const fewestListed = 4

/** Allows the page's own styles and images within it: no script, no request. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** Renders a conversation as one self-contained page, part by part. */
export function* renderPage(transcript: Transcript): Generator<string> {
  const title = escapeHtml(transcript.title)
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="pipe">
<title>${title}</title>
<style>
${stylesheet()}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<dl>
${facts(transcript).map(factHtml).join('')}</dl>
</header>
${contents(transcript.prompts)}<main>
`
  yield* sections(transcript, createHtmlHighlight())
  yield '</main>\n</body>\n</html>\n'
}

function factHtml([name, value]: readonly [string, string]): string {
  return `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>\n`
}

function contents(prompts: readonly string[]): string {
  if (prompts.length < fewestListed) return ''
  const items = prompts.map(
    (text, i) => `<li><a href="#p${i + 1}">${escapeHtml(headline(text) || '…')}</a></li>\n`,
  )
  return `<nav aria-label="Contents">\n<details>\n<summary>Contents</summary>\n<ol>\n${items.join('')}</ol>\n</details>\n</nav>\n`
}

/** Yields a section for each prompt and what follows it, and one for what comes before the first. */
function* sections(transcript: Transcript, highlight: HtmlHighlight): Generator<string> {
  let prompts = 0
  let isOpen = false
  for (const part of transcript.parts()) {
    if (part.type === 'prompt') prompts++
    if (part.type === 'prompt' || !isOpen) yield `${isOpen ? '</section>\n' : ''}<section>\n`
    isOpen = true
    yield partHtml(part, `p${prompts}`, highlight)
  }
  if (isOpen) yield '</section>\n'
}
