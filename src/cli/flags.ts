import { parseArgs } from 'node:util'
import { PipeError } from '../error.ts'
import { nearest } from '../ranking/nearest.ts'
import { type OptionName, options, ownersOf } from './cli-options.ts'
import { withoutFilter } from './given/debug-filter.ts'
import { readDuration } from './given/given-duration.ts'
import type { IsOnDisk, Joined, Token } from './listed-words.ts'
import type { Option } from './option.ts'
import { joinSessionNames, type SessionNames } from './session-argument.ts'

/** The given flags, each with its texts in order; a switch has an empty one. Already checked against fixed `choices`. */
export class Flags {
  readonly #values: ReadonlyMap<string, readonly string[]>
  readonly #spellings: ReadonlyMap<string, string>

  /** `spellings` are the flags as they were last written: `-o`. */
  constructor(
    values: ReadonlyMap<string, readonly string[]>,
    spellings: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#values = values
    this.#spellings = spellings
  }

  has(name: OptionName): boolean {
    return this.#values.has(name)
  }

  text(name: OptionName): string | undefined {
    return this.#values.get(name)?.at(-1)
  }

  all(name: OptionName): readonly string[] {
    return this.#values.get(name) ?? []
  }

  /** Returns the flag as it was last written: `--debug` for `--verbose`, unless that is given too. */
  spelling(name: OptionName): string | undefined {
    return this.#spellings.get(name)
  }

  /** The names of all given flags. */
  get names(): readonly string[] {
    return [...this.#values.keys()]
  }

  /** Returns the same flags with one value for this one. */
  with(name: OptionName, value: string): Flags {
    return new Flags(new Map([...this.#values, [name, [value]]]), this.#spellings)
  }

  /** Returns the same flags with other values for these. */
  changed(names: readonly OptionName[], change: (value: string) => string): Flags {
    const values = names.flatMap((name) => {
      const given = this.#values.get(name)
      return given === undefined ? [] : [[name, given.map(change)] as const]
    })
    return new Flags(new Map([...this.#values, ...values]), this.#spellings)
  }

  /** Throws `usage` unless the value is a number that `accepts` takes. */
  number(name: OptionName, accepts: (value: number) => boolean, expected: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = Number(text)
    if (text.trim() !== '' && accepts(value)) return value
    throw usageError(`--${name} takes ${expected}, not ${JSON.stringify(text)}`)
  }

  /** Throws `usage` unless the value is a whole number of at least this. */
  count(name: OptionName, least: 0 | 1 = 1): number | undefined {
    const accepts = (value: number) => Number.isInteger(value) && value >= least
    return this.number(name, accepts, least === 0 ? 'a whole number' : 'a whole number above 0')
  }

  /** Reads `90s`, `5m`, `1h30m`, `2d`, `1w` as milliseconds; a plain number is seconds. Throws `usage` for anything else, and for zero. */
  duration(name: OptionName): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const ms = readDuration(text)
    if (ms !== undefined) return ms
    throw usageError(`--${name} takes a duration such as 90s, 5m or 1h30m, not ${JSON.stringify(text)}`)
  }

  /** Reads an age as `duration` does, but requires a unit: a plain number could mean days. */
  age(name: OptionName): number | undefined {
    const text = this.text(name)
    if (text !== undefined && !/^(\d+(\.\d+)?(ms|[smhdw]))+$/.test(text))
      throw usageError(
        `--${name} takes an age with its unit, such as 90d, 12h or 2w, not ${JSON.stringify(text)}`,
      )
    return this.duration(name)
  }

  /** Throws `usage` if the value is none of these. `help` is the command that lists them. */
  requireChoice(name: OptionName, choices: readonly string[], help?: string): void {
    const value = this.text(name)
    if (value !== undefined && !choices.includes(value))
      throw wrongChoice(this.#spellings.get(name) ?? `--${name}`, choices, value, help)
  }

  /** Whether only a part of the answer is asked for: JSON of a schema, a verdict, or a block. */
  get asksForPart(): boolean {
    return this.has('json-schema') || this.has('yes-no') || this.has('extract')
  }

  /** Whether a program drives the run by lines on stdin. */
  get isDriven(): boolean {
    return this.text('input-format') === 'stream-json'
  }

  /** The output format, from `-o` or `--json`. */
  get format(): string {
    return this.has('json') ? 'json' : (this.text('output-format') ?? 'text')
  }
}

const table: readonly Option[] = options
const spellings = new Map(
  table.flatMap((option) =>
    [option.name, ...(option.aliases ?? [])].flatMap((name) => [
      [name, option] as const,
      [camelCase(name), option] as const,
    ]),
  ),
)

/** Finds the flag of this name, in any accepted spelling. */
export function optionNamed(name: string): Option | undefined {
  return spellings.get(name)
}

/** A command line with its flags separated from its words. */
export interface ParsedCommandLine {
  readonly flags: Flags
  readonly words: readonly string[]
  /** Whether `--` precedes the first word. */
  readonly afterDashes: boolean
  readonly doubt?: Joined['doubt']
}

/** Answers what a command line needs to know of the disk. */
export interface OnDisk {
  readonly sessions: SessionNames
  /** Whether a session has this title. */
  readonly hasTitle: (title: string) => Promise<boolean>
  readonly isFolder: IsOnDisk
  readonly isFile: IsOnDisk
}

/** Separates flags from words. Throws `usage` with a suggestion for a wrong flag, `input` for a session that does not exist. */
export async function readFlags(argv: readonly string[], disk: OnDisk): Promise<ParsedCommandLine> {
  const args = await joinSessionNames(argv, disk)
  const { tokens: plain } = await tokensWithLists(args, undefined, disk)
  const isPrompt = plain.some((token) => token.kind === 'option' && token.name === 'print')
  const first = plain.find(({ kind }) => kind === 'positional')
  const command = first?.kind === 'positional' && !isPrompt ? first.value : undefined
  const { tokens, doubt } = await tokensWithLists(args, hasOwnLetter(command) ? command : undefined, disk)
  const values = new Map<string, string[]>()
  const spelled = new Map<string, string>()
  const words: string[] = []
  let dashesAt = Number.POSITIVE_INFINITY
  for (const token of tokens) {
    if (token.kind === 'option-terminator') dashesAt = Math.min(dashesAt, words.length)
    else if (token.kind === 'positional') words.push(token.value)
    else {
      const arg = args[token.index] ?? ''
      if (isProse(arg)) throw proseError(arg)
      const option = spellings.get(token.name) ?? (await unknownFlag(token.rawName))
      values.set(option.name, [...(values.get(option.name) ?? []), checkValue(option, token)])
      const isSynonym = option.value === undefined && token.name !== option.name
      if (!isSynonym || !spelled.has(option.name)) spelled.set(option.name, token.rawName)
    }
  }
  const read = { flags: new Flags(values, spelled), words, afterDashes: dashesAt === 0 }
  return doubt === undefined ? read : { ...read, doubt }
}

/** Splits a command line as `tokensOf` does, and gives flags that take a list all its words. */
async function tokensWithLists(
  args: readonly string[],
  command: string | undefined,
  { isFolder, isFile }: OnDisk,
): Promise<Joined> {
  const tokens = withoutFilter(tokensOf(args, command), isFilterable)
  const listOf = (flag: string) => spellings.get(flag)?.list
  const hasList = tokens.some((token) => token.kind === 'option' && listOf(token.name) !== undefined)
  return hasList
    ? (await import('./listed-words.ts')).joinLists(tokens, { listOf, isFolder, isFile })
    : { tokens }
}

function isFilterable(flag: string): boolean {
  return spellings.get(flag)?.filtered !== undefined && flag !== spellings.get(flag)?.name
}

/** Whether a command has a flag whose letter stands for another flag elsewhere. */
function hasOwnLetter(command: string | undefined): boolean {
  return table.some(
    (option) =>
      isOwnedBy(option, command) &&
      option.short !== undefined &&
      table.find(({ short }) => short === option.short) !== option,
  )
}

function isOwnedBy(option: Option, command: string | undefined): boolean {
  return ownersOf(option).some((owner) => owner === command)
}

/** Splits a command line. A letter stands for the flag of this command, if it has one. */
export function tokensOf(args: readonly string[], command: string | undefined): readonly Token[] {
  const letters = new Map<string, Option>()
  for (const option of table) {
    const { short } = option
    if (short !== undefined && (isOwnedBy(option, command) || !letters.has(short))) letters.set(short, option)
  }
  const config = Object.fromEntries(
    [...spellings].map(([name, option]) => {
      const { short } = option
      const isLetter = name === option.name && short !== undefined && letters.get(short) === option
      return [name, { ...kindOf(option), ...(isLetter ? { short } : {}) }]
    }),
  )
  return parseArgs({ args: [...args], options: config, strict: false, tokens: true }).tokens
}

function kindOf(option: Option): { type: 'string' | 'boolean' } {
  return { type: option.value === undefined ? 'boolean' : 'string' }
}

function checkValue(
  option: Option,
  token: { value?: string | undefined; inlineValue?: boolean | undefined; rawName: string },
): string {
  const { value } = token
  if (option.value === undefined) {
    if (value !== undefined && token.rawName !== `--${option.filtered}`)
      throw usageError(`--${option.name} takes no value`)
    return ''
  }
  if (value === undefined) throw usageError(`${token.rawName} needs a value: ${option.value}`)
  if (value.startsWith('-') && value !== '-' && token.inlineValue !== true) {
    throw usageError(
      `${token.rawName} needs a value; write one that begins with a dash as --${option.name}=${value}`,
    )
  }
  if (option.choices === undefined || option.varies === true || option.choices.includes(value)) return value
  const meant = new Map(Object.entries(option.otherWords ?? {})).get(value)
  if (meant !== undefined) return meant
  throw wrongChoice(token.rawName, option.choices, value)
}

/** Creates the `usage` error for a value that is none of a flag's choices. */
function wrongChoice(flag: string, choices: readonly string[], value: string, help?: string): PipeError {
  return usageError(`${flag} takes ${choices.join(', ')}, not ${JSON.stringify(value)}`, help)
}

/**
 * Whether an argument that begins with a dash is a sentence: it has a blank outside a flag's value. Only a path may have blanks when it
 * is joined to a short flag.
 */
function isProse(arg: string): boolean {
  if (!/\s/.test(arg)) return false
  if (arg.startsWith('--')) return /\s/.test(arg.split('=', 1)[0] ?? '')
  for (const letter of arg.slice(1)) {
    const option = table.find(({ short }) => short === letter)
    if (option === undefined) return true
    if (option.value !== undefined) return option.value !== 'PATH' && option.value !== 'DIR'
  }
  return true
}

function proseError(arg: string): PipeError {
  const excerpt = JSON.stringify(arg.length > 40 ? `${arg.slice(0, 40)}…` : arg)
  return usageError(`${excerpt} begins with a dash, as flags do; to send it as a prompt: pipe -- ${excerpt}`)
}

async function unknownFlag(rawName: string): Promise<never> {
  const name = rawName.replace(/^-+/, '')
  const { foreignFlags } = await import('./given/foreign-flags.ts')
  const ours = Object.entries(foreignFlags).find(([one]) => name === one || name === camelCase(one))?.[1]
  if (ours !== undefined) throw usageError(`pipe has no flag ${rawName}; ${ours}`)
  const known = table.flatMap((option) => [
    `--${option.name}`,
    ...(option.short === undefined ? [] : [`-${option.short}`]),
  ])
  const close = nearest(rawName, known)
  throw usageError(`unknown flag ${rawName}${close === undefined ? '' : `; did you mean ${close}?`}`)
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Creates a `usage` error whose message says which help to read. */
export function usageError(message: string, help = 'pipe --help'): PipeError {
  return new PipeError('usage', `${message} (see ${help})`)
}
