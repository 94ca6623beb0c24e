import { common, createLowlight } from 'lowlight'
import type { CodeKind, CodePart, ColouredLine, Tokenize } from './coloured-line.ts'

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>
type TreeNode = Tree['children'][number]

/** Longest code that is divided at once, in characters, and the longest line of it. */
const mostDivided = 50_000
const longestLine = 2_000

/** The kind of each scope of the highlighter. Other scopes look like plain code. */
const kinds: Readonly<Record<string, CodeKind>> = {
  addition: 'good',
  attr: 'type',
  attribute: 'type',
  built_in: 'type',
  bullet: 'number',
  comment: 'comment',
  deletion: 'bad',
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

/** Creates a tokenizer of the common languages. Takes longer than a frame: import it when the first code is to be shown. */
export function createTokenizer(): Tokenize {
  const lowlight = createLowlight(common)
  return (code, language) => {
    const isKnown = language !== '' && lowlight.registered(language)
    if (!isKnown || !isFit(code)) return undefined
    const lines = new Lines()
    // The scope of the last line end says whether the last line leaves something open.
    const { children } = lowlight.highlight(language, `${code}\n`, { prefix: '' })
    for (const node of children) lines.add(node)
    return lines.done
  }
}

function isFit(code: string): boolean {
  return code.length <= mostDivided && code.split('\n').every(({ length }) => length <= longestLine)
}

/** Cuts a tree into lines. */
class Lines {
  readonly done: ColouredLine[] = []
  #parts: CodePart[] = []

  add(node: TreeNode, kind?: CodeKind, isClosed = false): void {
    if (node.type === 'text') this.#write(node.value, kind, isClosed)
    if (node.type !== 'element') return
    const { className } = node.properties
    const scope = Array.isArray(className) ? String(className[0]) : ''
    for (const child of node.children) this.add(child, kinds[scope] ?? kind, isClosed || closed.has(scope))
  }

  #write(text: string, kind: CodeKind | undefined, isClosed: boolean): void {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) this.#break(isClosed)
      if (part !== '') this.#parts.push(kind === undefined ? { text: part } : { text: part, kind })
    }
  }

  #break(isOpen: boolean): void {
    this.done.push({ parts: this.#parts, isOpen })
    this.#parts = []
  }
}
