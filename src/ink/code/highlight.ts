import { common, createLowlight } from 'lowlight'
import { type Line, type Span, span } from '../rows/line.ts'
import type { SyntaxColor } from '../rows/theme.ts'
import type { CodeLine, Syntax } from './code-syntax.ts'
import { changedWords } from './word-diff.ts'

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>
type TreeNode = Tree['children'][number]

/** Longest code that is highlighted at once, in characters, and the longest line of it. */
const mostHighlighted = 50_000
const longestLine = 2_000

/** The colour of each scope of the highlighter. Other scopes look like plain code. */
const colors: Readonly<Record<string, SyntaxColor>> = {
  attr: 'type',
  attribute: 'type',
  built_in: 'type',
  bullet: 'number',
  comment: 'comment',
  doctag: 'keyword',
  keyword: 'keyword',
  link: 'string',
  literal: 'number',
  meta: 'comment',
  name: 'keyword',
  number: 'number',
  quote: 'comment',
  regexp: 'string',
  section: 'title',
  'selector-attr': 'type',
  'selector-class': 'title',
  'selector-id': 'title',
  'selector-pseudo': 'type',
  'selector-tag': 'keyword',
  string: 'string',
  symbol: 'number',
  'template-variable': 'type',
  title: 'title',
  type: 'type',
}

/** Scopes that hide what is in them from the rest of the grammar. */
const closed: ReadonlySet<string> = new Set(['comment', 'string', 'regexp', 'quote', 'meta'])

/** Creates a highlighter of the common languages. */
export function createSyntax(): Syntax {
  const lowlight = createLowlight(common)
  return {
    lines: (code, language) => {
      const isKnown = language !== '' && lowlight.registered(language)
      if (!isKnown || !isFit(code)) return undefined
      const lines = new Lines()
      // The scope of the last line end says whether the last line leaves something open.
      const { children } = lowlight.highlight(language, `${code}\n`, { prefix: '' })
      for (const node of children) lines.add(node)
      return lines.done
    },
    changes: changedWords,
  }
}

function isFit(code: string): boolean {
  return code.length <= mostHighlighted && code.split('\n').every(({ length }) => length <= longestLine)
}

/** Cuts a tree into lines. */
class Lines {
  readonly done: CodeLine[] = []
  #spans: Span[] = []

  add(node: TreeNode, color?: SyntaxColor, isClosed = false): void {
    if (node.type === 'text') this.#write(node.value, color, isClosed)
    if (node.type !== 'element') return
    const { className } = node.properties
    const scope = Array.isArray(className) ? String(className[0]) : ''
    for (const child of node.children) this.add(child, colors[scope] ?? color, isClosed || closed.has(scope))
  }

  #write(text: string, color: SyntaxColor | undefined, isClosed: boolean): void {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) this.#break(isClosed)
      if (part !== '') this.#spans.push(color === undefined ? span(part) : span(part, { color }))
    }
  }

  #break(isOpen: boolean): void {
    const spans: Line = this.#spans
    this.done.push({ spans, isOpen })
    this.#spans = []
  }
}
