import { readdirSync } from 'node:fs'
import { findDirectories } from '../config/directories.ts'
import { PipeError, unreachable } from '../error.ts'
import { systemCode } from '../files/system-error.ts'
import { isSessionId } from '../id.ts'
import { nearest } from '../ranking/nearest.ts'
import { options } from './cli-options.ts'
import type { Machine } from './machine.ts'
import type { Option } from './option.ts'

/** Lists the names of the sessions on disk when called; `undefined` if their folder is unreadable. */
export type SessionNames = () => readonly string[] | undefined

/** Lists the names of the sessions on disk. `undefined` if the folder is unreadable: opening a session reports that. */
export function sessionNames({ env, home }: Pick<Machine, 'env' | 'home'>): ReturnType<SessionNames> {
  try {
    const names = readdirSync(findDirectories(env, home).sessions)
    return names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return code === 'ENOENT' ? [] : undefined
  }
}

/** The sessions that a word may mean. */
export interface KnownSessions {
  readonly sessions: SessionNames
  readonly hasTitle: (title: string) => Promise<boolean>
}

const ending = '.json'

const table: readonly Option[] = options
const switches = table.filter(({ value }) => value === undefined)

/**
 * Joins flags with an optional value, such as `-r` and `--fork`, with the next word, and gives them an empty value where a prompt follows: a
 * word with white space in it that is no title, or `--`. Throws `input` for a word that names no session.
 */
export async function joinSessionNames(
  argv: readonly string[],
  disk: KnownSessions,
): Promise<readonly string[]> {
  const joined: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? ''
    if (arg === '--') return [...joined, ...argv.slice(i)]
    requireValue(arg)
    const found = findFlag(arg)
    if (found === undefined) {
      joined.push(arg)
      continue
    }
    const next = argv[i + 1]
    const isWord = next !== undefined && !next.startsWith('-')
    const value = isWord ? await wordFor(next, { ...found, rest: argv.slice(i + 2) }, disk) : ''
    joined.push(...found.before, `--${found.name}=${value}`)
    if (value !== '') i++
  }
  return joined
}

interface FoundFlag {
  readonly name: string
  readonly optional: NonNullable<Option['optional']>
  /** The flag as written, without other switches. */
  readonly asked: string
  /** The switches joined with it, as in `-qr`. */
  readonly before: readonly string[]
}

/** Returns the word as the flag's value; empty if it is a prompt. Throws `input` for a word that names no session. */
async function wordFor(
  word: string,
  { optional, asked, rest }: FoundFlag & { readonly rest: readonly string[] },
  { sessions, hasTitle }: KnownSessions,
): Promise<string> {
  switch (optional) {
    case 'session': {
      const unknown = unknownSession(word, asked, sessions)
      if (unknown === undefined || (await hasTitle(word))) return word
      if (/\s/.test(word) && !startsWithWord(rest)) return ''
      throw unknown
    }
    case 'name':
      return /^\w[\w.-]{0,63}$/.test(word) ? word : ''
    case 'language':
      return /^[a-z][a-z\d+#.-]{0,15}$/i.test(word) ? word : ''
    case 'inline':
      return ''
    default:
      return unreachable(optional)
  }
}

/** Whether the first argument is a word, or the first behind switches. */
function startsWithWord(args: readonly string[]): boolean {
  const passed = ['--', ...switches.flatMap(({ name, short }) => [`--${name}`, `-${short ?? name}`])]
  return args.find((arg) => !passed.includes(arg))?.startsWith('-') === false
}

/** Throws `input` for `--resume=`, which an unset variable leaves behind. */
function requireValue(arg: string): void {
  const flag = table.find(({ name, optional }) => optional === 'session' && arg === `--${name}=`)
  if (flag !== undefined)
    throw new PipeError(
      'input',
      `not a session id: ""; for the last session, leave out the =: pipe --${flag.name} -- …`,
    )
}

/** Finds the flag with an optional value at the end of an argument. */
function findFlag(arg: string): FoundFlag | undefined {
  for (const { name, short = '', optional } of table) {
    if (optional === undefined) continue
    if (arg === `--${name}`) return { name, optional, asked: arg, before: [] }
    if (short === '' || !/^-\w+$/.test(arg) || !arg.endsWith(short)) continue
    const others = [...arg.slice(1, -1)]
    if (!others.every((letter) => switches.some((one) => one.short === letter))) continue
    return { name, optional, asked: `-${short}`, before: others.map((letter) => `-${letter}`) }
  }
  return undefined
}

/** Creates the `input` error for a word that names no session: no id, no beginning of one, no name, with `@MESSAGE` or without. */
function unknownSession(word: string, flag: string, sessions: SessionNames): PipeError | undefined {
  const isTitle = /\s/.test(word)
  const [id = ''] = isTitle ? [word] : word.split('@', 1)
  if (looksLikeId(id)) return undefined
  const names = sessions()
  const isBeginning = /^[0-9a-f]+$/.test(id) && names?.some((name) => isGivenId(name) && name.startsWith(id))
  if (isSessionId(id) && (names === undefined || names.includes(id) || isBeginning)) return undefined
  const given = isSessionId(id) ? word : JSON.stringify(word)
  const what = isTitle
    ? 'no session is titled'
    : isSessionId(id)
      ? 'no session is called'
      : 'not a session id:'
  return new PipeError('input', `${what} ${given}; ${adviceOn(id, { flag, names, word })}`)
}

/** Whether a session has the id that pipe gave it, not a name that the user gave. */
function isGivenId(name: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name)
}

function adviceOn(
  id: string,
  {
    flag,
    names = [''],
    word,
  }: {
    readonly flag: string
    readonly names: readonly string[] | undefined
    readonly word: string
  },
): string {
  if (names.length === 0) return 'and there is none to continue; start one with: pipe "prompt"'
  const close = names.find((name) => id.length >= 4 && name.startsWith(id)) ?? nearest(id, names)
  const hint =
    close === undefined ? 'pipe sessions lists those of this folder.' : `did you mean ${flag} ${close}?`
  return `${hint} To send the words as a prompt to the last session: pipe ${flag} -- ${spelled(word)} …`
}

/** Spells a word as a shell takes it where it is more than letters. */
function spelled(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)
}

/**
 * Whether a word may be the id of a session or message, or a prefix of one: at least 6 hexadecimal digits, or 4 with at least one decimal
 * digit.
 */
export function looksLikeId(word: string): boolean {
  return /^(?=.*\d|.{6})[0-9a-f][0-9a-f-]{3,35}$/.test(word)
}
