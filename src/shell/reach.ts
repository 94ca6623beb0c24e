import { expandText, expandWord, expandWords, printed } from './expansion.ts'
import { type Field, marks, unknownText } from './fields.ts'
import { commandName, innerOf, shells } from './inner.ts'
import { scan, scanEmbedded } from './scanner.ts'
import { type Part, type Redirect, type ScannedCommand, type Script, scriptsOf, type Word } from './syntax.ts'

/** All that a line may run, seen through everything that is known to run something else. */
export interface Reach {
  readonly commands: readonly (readonly Field[])[]
  /** Redirects that open a file, with every name it may have. */
  readonly redirects: readonly { readonly operator: string; readonly target: Field }[]
  /** Folders that `cd` may lead to, as they are written; `undefined` for one that is not known. */
  readonly folders: readonly (string | undefined)[]
  /** Why something of what runs is not known. */
  readonly opaque: string | undefined
}

/** Enough for everything that a person writes; past it the rest is not known. */
const mostRounds = 8
const mostScripts = 400
/** Words of all commands that others run, each as often as it is come upon. */
const mostWords = 200_000

/** Names whose value is a command or a prompt. */
const runsItsValue =
  /PAGER|EDITOR|VISUAL|COMMAND|ASKPASS|BROWSER|EXTERNAL_DIFF|_RSH$|^LESS(OPEN|CLOSE)$|^GIT_(SSH|CONFIG_VALUE)|^PS[0-4]$|^(BASH_)?ENV$/

/** Commands that read a subscript, and run what it substitutes, in words that were quoted. */
const readsSubscripts = new Set(
  'test [ [[ printf read declare typeset local export readonly let unset mapfile readarray wait'.split(' '),
)

/** Reads `texts` as what one shell may run, to the point where nothing new is found. Over-approximates. */
export function reach(texts: readonly string[], environment: Readonly<Record<string, string>>): Reach {
  return new Reading(environment).read(texts)
}

class Reading {
  readonly #variables = new Map<string, Set<string>>()
  readonly #scripts = new Map<string, Script>()
  readonly #commands = new Map<string, readonly Field[]>()
  /** What becomes of the input of each command. */
  readonly #inputs = new Map<string, Input>()
  readonly #redirects = new Map<string, { operator: string; target: Field }>()
  readonly #folders = new Set<string | undefined>()
  #opaque: string | undefined
  #words = 0
  #changed = false

  constructor(environment: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(environment)) this.#variables.set(name, new Set([value]))
  }

  read(texts: readonly string[]): Reach {
    for (const text of texts) this.#addScript(text)
    let rounds = 0
    do {
      this.#changed = false
      for (const script of this.#scripts.values()) this.#visit(script)
    } while (this.#changed && ++rounds < mostRounds)
    if (this.#changed) this.#hide('it builds one command out of another too many times')
    return {
      commands: [...this.#commands.values()],
      redirects: [...this.#redirects.values()],
      folders: [...this.#folders],
      opaque: this.#opaque,
    }
  }

  #addScript(text: string | undefined): void {
    if (text === undefined || marks.test(text)) {
      this.#hide('a shell runs text that is only known when it runs')
      return
    }
    if (text.trim() === '' || this.#scripts.has(text)) return
    if (this.#scripts.size >= mostScripts) this.#hide('it holds too many scripts')
    else {
      this.#scripts.set(text, scan(text))
      this.#changed = true
    }
  }

  #hide(reason: string): void {
    this.#opaque ??= reason
  }

  #visit({ commands, loops, broken }: Script): void {
    if (broken) this.#hide('it does not read as shell')
    for (const { name, values } of loops) {
      for (const word of values) {
        this.#visitParts(word.parts)
        for (const fields of expandWord(word, this.#variables))
          for (const field of fields) if (name !== undefined) this.#assign(name, marked(field))
      }
    }
    for (const [i, command] of commands.entries()) this.#visitCommand(command, () => commands.slice(0, i))
  }

  #visitCommand(command: ScannedCommand, before: () => readonly ScannedCommand[]): void {
    for (const { parts } of command.words) this.#visitParts(parts)
    for (const redirect of command.redirects) this.#visitRedirect(redirect)
    const first = command.words.findIndex((word) => readAssignment(word) === undefined)
    const words = first === -1 ? [] : command.words.slice(first)
    for (const word of first === -1 ? command.words : command.words.slice(0, first))
      this.#visitAssignment(word)
    if (words.length === 0) return
    for (const fields of expandWords(words, this.#variables)) {
      if (isDeclaration.test(commandName(fields))) for (const word of words) this.#visitAssignment(word)
      const input = this.#run(fields)
      if (input !== 'data') this.#feed(command, input, before())
    }
  }

  #visitParts(parts: readonly Part[]): void {
    for (const script of scriptsOf(parts)) this.#visit(script)
  }

  #visitEmbedded(text: string): void {
    for (const script of scriptsOf(scanEmbedded(text))) this.#visit(script)
  }

  #visitRedirect({ operator, target, body }: Redirect): void {
    this.#visitParts(target.parts)
    if (body !== undefined) this.#visitParts(body)
    if (operator.startsWith('<<')) return
    for (const fields of expandWord(target, this.#variables)) {
      for (const field of fields)
        this.#redirects.set(`${operator} ${marked(field)}`, { operator, target: field })
    }
  }

  #visitAssignment(word: Word): void {
    const assignment = readAssignment(word)
    if (assignment === undefined) return
    for (const value of expandText(assignment.value, this.#variables)) {
      this.#assign(assignment.name, assignment.appends ? unknownText : (value ?? unknownText))
      this.#addValue(assignment.name, value)
    }
  }

  #addValue(name: string, value: string | undefined): void {
    if (runsItsValue.test(name)) this.#addScript(value?.replace(/^[!|]/, ''))
    if (name.startsWith('GIT_CONFIG_VALUE')) this.#addScript(value === undefined ? value : `git ${value}`)
    // What a value substitutes is run where it is taken for a subscript, a number, a prompt.
    if (value !== undefined) this.#visitEmbedded(value)
  }

  #assign(name: string, value: string): void {
    const values = this.#variables.get(name) ?? new Set()
    this.#variables.set(name, values)
    if (values.has(value) || values.has(unknownText)) return
    values.add(values.size < 8 ? value : unknownText)
    this.#changed = true
  }

  /** Takes note of a command and of what it runs in its turn. */
  #run(fields: readonly Field[]): Input {
    const key = fields.map((field) => `${marked(field)}${field.glob ? '*' : ''}`).join('\0')
    const known = this.#inputs.get(key)
    if (known !== undefined) return known
    const [first] = fields
    if (first === undefined) return 'data'
    const own = inputOf(fields)
    this.#inputs.set(key, own)
    this.#commands.set(key, fields)
    this.#take(first, fields)
    const { commands, scripts } = innerOf(fields)
    for (const script of scripts) this.#addScript(script)
    for (const one of commands) this.#words += one.length
    if (this.#words > mostWords) {
      this.#hide('it runs one command by another too many times')
      return 'script'
    }
    const inputs = [own, ...commands.map((one) => this.#run(stripAssignments(one)))]
    const input = inputs.find((one) => one === 'script') ?? inputs.find((one) => one !== 'data') ?? 'data'
    this.#inputs.set(key, input)
    return input
  }

  #take(first: Field, fields: readonly Field[]): void {
    if (!first.known || first.glob) this.#hide('which command runs is only known when it runs')
    const name = commandName(fields)
    if (name === 'cd' || name === 'pushd') this.#folders.add(folderOf(fields))
    if (/^(read|printf|mapfile|readarray|getopts|let)$/.test(name)) {
      for (const { text } of fields.slice(1)) if (/^[A-Za-z_]\w*$/.test(text)) this.#assign(text, unknownText)
    }
    if (readsSubscripts.has(name)) for (const { text } of fields.slice(1)) this.#visitEmbedded(text)
    if (name === 'env' || name === 'sudo') {
      for (const field of fields) {
        const [, variable, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(field.text) ?? []
        if (variable !== undefined) this.#addValue(variable, field.known ? value : undefined)
      }
    }
  }

  /** What shells read that were given no script: a here-document, what is piped into them, a substituted file. */
  #feed(command: ScannedCommand, input: Input, before: readonly ScannedCommand[]): void {
    const variables = this.#variables
    const here = command.redirects.filter(({ operator }) => operator.startsWith('<<'))
    for (const { body, target } of here)
      for (const text of expandText(body ?? target.parts, variables)) this.#addScript(text)
    const substituted = command.words.flatMap(({ parts }) => parts.filter((part) => part.type === 'process'))
    const redirected = command.redirects.flatMap(({ target }) =>
      target.parts.filter((part) => part.type === 'process'),
    )
    for (const { script } of [...substituted, ...redirected])
      for (const one of script.commands) for (const text of printed(one, variables)) this.#addScript(text)
    if (here.length > 0 || command.redirects.some(({ operator }) => operator === '<')) return
    const outputs = before.map((one) => printed(one, variables))
    for (const output of outputs) for (const text of output) if (text !== undefined) this.#addScript(text)
    const isPlain = outputs.at(-1)?.every((text) => text !== undefined) ?? true
    if (!isPlain && input === 'script') this.#hide('a shell runs text that is only known when it runs')
  }
}

/** What a command's input is: a script, data of a script that it was told to run, any other data. */
type Input = 'script' | 'data of a script' | 'data'

function inputOf(fields: readonly Field[]): Input {
  const name = commandName(fields)
  if (!shells.has(name) && !/^(source|\.|at|batch)$/.test(name)) return 'data'
  const args = fields.slice(1)
  if (args.some(({ text }) => /^[-+][A-Za-z]*s/.test(text))) return 'script'
  const isGiven = args.some(
    ({ text, known }, i) =>
      known &&
      !/^([-+][^c]*|\/dev\/(stdin|fd\/\d+))$/.test(text) &&
      !/^[-+][A-Za-z]*[oO]$/.test(args[i - 1]?.text ?? ''),
  )
  return isGiven ? 'data of a script' : 'script'
}

const isDeclaration = /^(export|declare|typeset|local|readonly|alias)$/

function marked({ text, known }: Field): string {
  return known ? text : text + unknownText
}

function folderOf(fields: readonly Field[]): string | undefined {
  const field = fields.slice(1).find(({ text }) => !/^-[LPe@]+$|^--$/.test(text))
  if (field === undefined) return '~'
  return field.known && field.text !== '-' ? field.text : undefined
}

function stripAssignments(fields: readonly Field[]): readonly Field[] {
  const first = fields.findIndex(({ text }) => !/^[A-Za-z_]\w*\+?=/.test(text))
  return first === -1 ? [] : fields.slice(first)
}

/** A word as the assignment that it is where it stands before a command. */
export function readAssignment({ parts: [first, ...more] }: Word) {
  if (first?.type !== 'text' || first.quoted) return undefined
  const match = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=(.*)$/s.exec(first.text)
  if (match === null) return undefined
  const [, name = '', plus, text = ''] = match
  const value: readonly Part[] = [{ ...first, text }, ...more]
  return { name, value, appends: plus === '+' }
}
