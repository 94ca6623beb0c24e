import { type Line, type Span, span } from './line.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that colour text begin with it
const colouring = /\u001b\[([\d;]*)m/

/** Parameters in force at once; more would only be a burden. */
const longestStyle = 40

/** Reads a line of a program's output: its colours become styles, and all other control sequences go. */
export function colouredLine(text: string): Line {
  // Odd places hold the parameters of the sequences between the texts.
  const parts = text.split(colouring)
  const spans: Span[] = []
  let sgr = ''
  for (const [i, part] of parts.entries()) {
    if (i % 2 === 1) sgr = nextStyle(sgr, part)
    else if (part !== '') spans.push(sgr === '' ? span(part, { color: 'muted' }) : span(part, { sgr }))
  }
  return spans
}

function nextStyle(before: string, parameters: string): string {
  // Everything up to the last reset no longer counts; a 0 inside of a colour is none.
  const isReset = parameters === '' || /^0+(;|$)/.test(parameters)
  const added = parameters.replace(/^0+(;|$)/, '')
  const next = [isReset ? '' : before, added].filter(Boolean).join(';')
  return next.length > longestStyle ? added.slice(0, longestStyle).replace(/;?\d*$/, '') : next
}
