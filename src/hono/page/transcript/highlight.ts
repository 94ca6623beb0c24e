import { common, createLowlight } from 'lowlight'

/** A piece of code, with the class of its kind; empty for plain code. */
export interface Piece {
  readonly text: string
  readonly kind: string
}

/** Divides code into coloured pieces. `undefined` for a language that is not known, and for code that is too long. */
export type Highlight = (code: string, language: string) => readonly Piece[] | undefined

type Node = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'][number]

/** Longest code that is coloured, in characters. */
const mostHighlighted = 50_000

/** The class of our stylesheet for each scope of the highlighter. Other scopes look like plain code. */
const kinds: Readonly<Record<string, string>> = {
  addition: 'ok',
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
  property: 'type',
  quote: 'comment',
  regexp: 'string',
  section: 'title',
  'selector-class': 'title',
  'selector-id': 'title',
  'selector-tag': 'keyword',
  string: 'string',
  symbol: 'number',
  title: 'title',
  type: 'type',
  variable: 'type',
}

/** Creates a highlighter of the common languages. */
export function createHighlight(): Highlight {
  const lowlight = createLowlight(common)
  return (code, language) => {
    if (language === '' || !lowlight.registered(language) || code.length > mostHighlighted) return undefined
    return lowlight.highlight(language, code, { prefix: '' }).children.flatMap((node) => piecesOf(node, ''))
  }
}

function piecesOf(node: Node, outer: string): readonly Piece[] {
  if (node.type === 'text') return [{ text: node.value, kind: outer }]
  if (node.type !== 'element') return []
  const { className } = node.properties
  const kind = (Array.isArray(className) ? kinds[String(className[0])] : undefined) ?? outer
  return node.children.flatMap((child) => piecesOf(child, kind))
}
