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
    'redirected_statement file_redirect file_descriptor variable_assignment variable_name comment ' +
    'simple_expansion expansion special_variable_name negated_command test_command unary_expression binary_expression ' +
    'test_operator heredoc_redirect heredoc_start heredoc_body heredoc_end herestring_redirect command_substitution ' +
    'extglob_pattern'
  ).split(' '),
)

/** Nodes that hold words. */
const openers = new Set(['file_redirect', 'herestring_redirect', 'command', 'test_command'])

/** Operators of tests, which elsewhere are words like any other. */
const isOperatorWord = /^(==|=~)$/

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

/** What the children of a node are read as. */
interface Inside {
  /** Where the words of the node around them go. */
  readonly words?: Span[]
  /** In a test brackets and operators are words as well, but what joins its parts. */
  readonly inTest?: boolean
}

/** Goes through a tree without recursion: a line of a few thousand characters nests deeper than the stack. */
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
    const around: Inside[] = []
    let inside: Inside | undefined = {}
    while (inside !== undefined) {
      const below = this.#visit(inside)
      if (below !== undefined && this.#cursor.gotoFirstChild()) {
        around.push(inside)
        inside = below
      } else {
        while (inside !== undefined && !this.#cursor.gotoNextSibling()) {
          this.#cursor.gotoParent()
          inside = around.pop()
        }
      }
    }
    return { plain: this.#plain, commands: this.#commands, redirects: this.#redirects }
  }

  /** Takes note of a node, and says what its children are read as; `undefined` where nothing is looked for in it. */
  #visit({ words, inTest = false }: Inside): Inside | undefined {
    const cursor = this.#cursor
    const kind = cursor.nodeType
    const isNamed = cursor.nodeIsNamed
    if (isNamed && !plainKinds.has(kind)) this.#plain = false
    if (kind === 'heredoc_start') this.#redirects.push([cursor.startIndex, cursor.endIndex])
    if (openers.has(kind)) return { words: this.#open(kind), inTest: kind === 'test_command' }
    if (words === undefined) return {}
    if (inTest && /^(unary|binary)_expression$/.test(kind)) return { words, inTest }
    if (inTest && /^(&&|\|\|)$/.test(kind)) {
      this.#commands.push(words.splice(0))
      return undefined
    }
    if (!(isNamed || inTest || isOperatorWord.test(kind)) || kind === 'file_descriptor') return undefined
    words.push([cursor.startIndex, cursor.endIndex])
    return {}
  }

  #open(kind: string): Span[] {
    if (kind.endsWith('redirect')) return this.#redirects
    const words: Span[] = []
    this.#commands.push(words)
    return words
  }
}
