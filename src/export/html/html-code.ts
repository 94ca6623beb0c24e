import { common, createLowlight } from 'lowlight'
import { escapeHtml } from './escape.ts'

/** Renders code as HTML, with classes for its parts if the language is known by this name. */
export type HtmlHighlight = (code: string, language: string) => string

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>
type TreeNode = Tree['children'][number]

/** Longest code that is highlighted, in characters. */
const mostHighlighted = 50_000

/** The class of our stylesheet for each scope of the highlighter. Other scopes look like plain code. */
const classes: Readonly<Record<string, string>> = {
  addition: 'add',
  attr: 't',
  attribute: 't',
  built_in: 't',
  bullet: 'n',
  comment: 'c',
  deletion: 'del',
  doctag: 'k',
  keyword: 'k',
  link: 's',
  literal: 'n',
  meta: 'c',
  name: 'k',
  number: 'n',
  property: 't',
  quote: 'c',
  regexp: 's',
  section: 'f',
  'selector-attr': 't',
  'selector-class': 'f',
  'selector-id': 'f',
  'selector-pseudo': 't',
  'selector-tag': 'k',
  string: 's',
  symbol: 'n',
  'template-variable': 't',
  title: 'f',
  type: 't',
  variable: 't',
}

/** Creates a highlighter of the common languages. */
export function createHtmlHighlight(): HtmlHighlight {
  const lowlight = createLowlight(common)
  return (code, language) => {
    const isKnown = language !== '' && lowlight.registered(language)
    if (!isKnown || code.length > mostHighlighted) return escapeHtml(code)
    return lowlight.highlight(language, code, { prefix: '' }).children.map(nodeHtml).join('')
  }
}

function nodeHtml(node: TreeNode): string {
  if (node.type === 'text') return escapeHtml(node.value)
  if (node.type !== 'element') return ''
  const inner = node.children.map(nodeHtml).join('')
  const { className } = node.properties
  const name = Array.isArray(className) ? classes[String(className[0])] : undefined
  return name === undefined ? inner : `<span class="${name}">${inner}</span>`
}

/** Renders a block of code that scrolls sideways, also by keyboard. */
export function codeBlock(html: string): string {
  return `<pre tabindex="0"><code>${html}</code></pre>\n`
}
