import { setFlagsFromString } from 'node:v8'
import { PipeError } from '../../error.ts'

/** The spans of each command's words, as the grammar finds them. */
export interface Parse {
  /** Only simple commands in lists and pipelines, without errors. */
  readonly plain: boolean
  readonly commands: readonly (readonly SourceSpan[])[]
  readonly redirects: readonly SourceSpan[]
}

export type SourceSpan = readonly [start: number, end: number]

/** Bash's grammar. */
export interface Grammar {
  /** Returns `undefined` if the text takes too long to parse. */
  parse(text: string): Parse | undefined
}

/** Node kinds that do exactly what they seem to do. */
const plainKinds = new Set(
  (
    'program list pipeline command command_name word string string_content raw_string number concatenation ' +
    'redirected_statement file_redirect file_descriptor variable_assignment variable_name comment ' +
    'simple_expansion expansion special_variable_name negated_command test_command unary_expression binary_expression ' +
    'test_operator heredoc_redirect heredoc_start heredoc_body heredoc_end herestring_redirect command_substitution ' +
    'process_substitution extglob_pattern'
  ).split(' '),
)

/** Nodes that hold words. */
const openers = new Set(['file_redirect', 'herestring_redirect', 'command', 'test_command'])

/** Operators of tests. Elsewhere they are ordinary words. */
const isOperatorWord = /^(==|=~)$/

/** Progress callbacks before parsing is aborted: a few seconds for the worst text. */
const patience = 2_000

/** By folder. Loaded once a process: starting the runtime again breaks the parsers that it gave before, and nothing frees them. */
const loaded = new Map<string, Promise<Grammar>>()

/** Loads the grammar from a folder with `tree-sitter.wasm` and `tree-sitter-bash.wasm`, once. Throws `internal`. */
export function loadGrammar(folder: string): Promise<Grammar> {
  const grammar = loaded.get(folder) ?? load(folder)
  loaded.set(folder, grammar)
  return grammar
}

/** Keep the optimizing compiler from these modules: half a second of CPU in every run. Node 24 and 26 run it later all the same. */
const plainCompiling = ['--liftoff-only', '--no-wasm-lazy-compilation']

/**
 * Undo that, with all that it implies. Other code in this process may want the compiler, and no later process takes code that was kept
 * under other flags.
 */
const usualCompiling = [
  '--no-liftoff-only',
  '--wasm-tier-up',
  '--wasm-dynamic-tiering',
  '--wasm-lazy-compilation',
]

async function load(folder: string): Promise<Grammar> {
  for (const flag of plainCompiling) setFlagsFromString(flag)
  // Node 24 ends a process that waits for nothing but the compiler. An open port keeps it.
  const { port1: open } = new MessageChannel()
  open.ref()
  try {
    const { Parser, Language } = (await import('@vscode/tree-sitter-wasm')).default
    await Parser.init({ locateFile: (file) => `${folder}/${file}` })
    const parser = new Parser()
    parser.setLanguage(await Language.load(`${folder}/tree-sitter-bash.wasm`))
    return { parse: (text) => parse(parser, text) }
  } catch (error) {
    throw new PipeError('internal', `cannot load the bash grammar from ${folder}`, { cause: error })
  } finally {
    open.close()
    for (const flag of usualCompiling) setFlagsFromString(flag)
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

/** Tells how to read the children of a node. */
interface Inside {
  /** Receives the words of the node around them. */
  readonly words?: SourceSpan[]
  /** In a test, brackets and operators are words too, except `&&` and `||`. */
  readonly inTest?: boolean
}

/** Walks the tree without recursion: a line of a few thousand characters can nest deeper than the stack. */
class Walk {
  readonly #cursor: Cursor
  readonly #commands: SourceSpan[][] = []
  readonly #redirects: SourceSpan[] = []
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

  /** Records a node and returns how to read its children; `undefined` to skip them. */
  #visit({ words, inTest = false }: Inside): Inside | undefined {
    const cursor = this.#cursor
    const kind = cursor.nodeType
    const isNamed = cursor.nodeIsNamed
    // A substitution that commands write to is not plain.
    if (isNamed ? !plainKinds.has(kind) : kind === '>(') this.#plain = false
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

  #open(kind: string): SourceSpan[] {
    if (kind.endsWith('redirect')) return this.#redirects
    const words: SourceSpan[] = []
    this.#commands.push(words)
    return words
  }
}
