import { setFlagsFromString } from 'node:v8'
import { PipeError } from '../error.ts'

/** The words of each command that the grammar finds, by where they stand in the text. */
export interface Parse {
  /** Nothing but simple commands in lists and pipelines, and no error. */
  readonly plain: boolean
  readonly commands: readonly (readonly Span[])[]
  readonly redirects: readonly Span[]
}

export type Span = readonly [start: number, end: number]

/** Bash's grammar. Not loaded before it is needed. */
export interface Grammar {
  /** `undefined` where the text takes too long to read. */
  parse(text: string): Parse | undefined
}

/** Nodes of which it is known that they do nothing but what they seem to do. */
const plainKinds = new Set(
  (
    'program list pipeline command command_name word string string_content raw_string number concatenation ' +
    'redirected_statement file_redirect file_descriptor variable_assignment variable_name comment'
  ).split(' '),
)

/** How often the parser may look up from its work: some seconds of the worst text there is. */
const patience = 2_000

/** Loads the grammar from a folder that holds `tree-sitter.wasm` and `tree-sitter-bash.wasm`. Throws `internal`. */
export async function loadGrammar(folder: string): Promise<Grammar> {
  // Optimised again in the background, these modules would burn a second of every run.
  setFlagsFromString('--liftoff-only')
  try {
    const { Parser, Language } = (await import('@vscode/tree-sitter-wasm')).default
    await Parser.init({ locateFile: (file) => `${folder}/${file}` })
    const parser = new Parser()
    parser.setLanguage(await Language.load(`${folder}/tree-sitter-bash.wasm`))
    return { parse: (text) => parse(parser, text) }
  } catch (error) {
    throw new PipeError('internal', `the grammar of bash cannot be loaded from ${folder}`, { cause: error })
  }
}

type Parser = import('@vscode/tree-sitter-wasm').Parser
type Cursor = import('@vscode/tree-sitter-wasm').TreeCursor

function parse(parser: Parser, text: string): Parse | undefined {
  let looks = 0
  const tree = parser.parse(text, null, { progressCallback: () => ++looks > patience })
  if (tree === null) {
    parser.reset()
    return undefined
  }
  const cursor = tree.walk()
  try {
    return new Walk(cursor).read(!tree.rootNode.hasError)
  } finally {
    cursor.delete()
    tree.delete()
  }
}

class Walk {
  readonly #cursor: Cursor
  readonly #commands: Span[][] = []
  readonly #redirects: Span[] = []
  #plain = true

  constructor(cursor: Cursor) {
    this.#cursor = cursor
  }

  read(isWhole: boolean): Parse {
    this.#plain = isWhole
    this.#visit(undefined)
    return { plain: this.#plain, commands: this.#commands, redirects: this.#redirects }
  }

  /** `words` is where the words of the node around this one go. */
  #visit(words: Span[] | undefined): void {
    const cursor = this.#cursor
    const kind = cursor.nodeType
    const isNamed = cursor.nodeIsNamed
    if (isNamed && !plainKinds.has(kind)) this.#plain = false
    if (kind === 'file_redirect' || kind === 'command') this.#children(this.#open(kind))
    else if (words === undefined) this.#children(undefined)
    else if (isNamed && kind !== 'file_descriptor') {
      words.push([cursor.startIndex, cursor.endIndex])
      this.#children(undefined)
    }
  }

  #open(kind: 'file_redirect' | 'command'): Span[] {
    if (kind === 'file_redirect') return this.#redirects
    const words: Span[] = []
    this.#commands.push(words)
    return words
  }

  #children(words: Span[] | undefined): void {
    if (!this.#cursor.gotoFirstChild()) return
    do this.#visit(words)
    while (this.#cursor.gotoNextSibling())
    this.#cursor.gotoParent()
  }
}
