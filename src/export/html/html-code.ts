import type { CodeKind } from '../../frontend/code/coloured-line.ts'
import { createTokenizer } from '../../frontend/code/tokenizer.ts'
import { escapeHtml } from './escape.ts'

/** Renders code as HTML, with classes for its parts if the language is known by this name. */
export type HtmlHighlight = (code: string, language: string) => string

/** The class of our stylesheet for each kind. */
const classes: Readonly<Record<CodeKind, string>> = {
  keyword: 'k',
  string: 's',
  number: 'n',
  comment: 'c',
  title: 'f',
  type: 't',
  good: 'add',
  bad: 'del',
}

/** Creates a highlighter of the common languages. */
export function createHtmlHighlight(): HtmlHighlight {
  const tokenize = createTokenizer()
  return (code, language) => {
    const lines = tokenize(code, language)
    if (lines === undefined) return escapeHtml(code)
    return lines.map(({ parts }) => parts.map(partOfLine).join('')).join('\n')
  }
}

function partOfLine({ text, kind }: { readonly text: string; readonly kind?: CodeKind }): string {
  const html = escapeHtml(text)
  return kind === undefined ? html : `<span class="${classes[kind]}">${html}</span>`
}

/** Renders a block of code that scrolls sideways, also by keyboard. */
export function codeBlock(html: string): string {
  return `<pre tabindex="0"><code>${html}</code></pre>\n`
}
