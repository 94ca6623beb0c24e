import { readdirSync } from 'node:fs'
import { findDirectories } from '../config/directories.ts'
import { PipeError } from '../error.ts'
import { systemCode } from '../files/system-error.ts'
import { isSessionId, readSessionId } from '../id.ts'
import { nearest } from '../text/nearest.ts'
import type { Machine } from './machine.ts'
import type { Option } from './option.ts'
import { options } from './options.ts'

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

const ending = '.json'

const table: readonly Option[] = options
const switches = table.filter(({ value }) => value === undefined)

/**
 * Joins `-r` and `--fork` with the next word if it names a session, and gives them an empty value if it begins the prompt. Throws `input`
 * for a name that matches no session.
 */
export function joinSessionNames(argv: readonly string[], sessions: SessionNames): readonly string[] {
  const joined: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? ''
    if (arg === '--') return [...joined, ...argv.slice(i)]
    const found = findFlag(arg)
    if (found === undefined) {
      joined.push(arg)
      continue
    }
    const next = argv[i + 1] ?? '-'
    const [id, point] = splitPoint(next)
    const isName = namesSession(id, { flag: found.asked, rest: argv.slice(i + 2), sessions })
    joined.push(...found.before, `--${found.name}=${isName ? readSessionId(id) + point : ''}`)
    if (isName) i++
  }
  return joined
}

/** Splits `ID@MESSAGE` before the `@`. Other words, such as an address, stay whole. */
function splitPoint(word: string): readonly [id: string, point: string] {
  const [, id, point] = /^([^@]+)(@.+)$/.exec(word) ?? []
  return id === undefined || point === undefined || !looksLikeId(point.slice(1)) ? [word, ''] : [id, point]
}

interface FoundFlag {
  readonly name: string
  /** The flag as written, without other switches. */
  readonly asked: string
  /** The switches joined with it, as in `-qr`. */
  readonly before: readonly string[]
}

/** Finds the flag with an optional value at the end of an argument. */
function findFlag(arg: string): FoundFlag | undefined {
  for (const { name, short = '', optionalId } of table) {
    if (optionalId !== true) continue
    if (arg === `--${name}`) return { name, asked: arg, before: [] }
    if (short === '' || !/^-\w+$/.test(arg) || !arg.endsWith(short)) continue
    const others = [...arg.slice(1, -1)]
    if (!others.every((letter) => switches.some((one) => one.short === letter))) continue
    return { name, asked: `-${short}`, before: others.map((letter) => `-${letter}`) }
  }
  return undefined
}

interface SessionFlag {
  readonly flag: string
  readonly rest: readonly string[]
  readonly sessions: SessionNames
}

function namesSession(word: string, { flag, rest, sessions }: SessionFlag): boolean {
  if (word.startsWith('-')) return false
  if (looksLikeId(word) || isNoPrompt(word, rest[0])) return true
  if (!isSessionId(word)) return false
  const names = sessions()
  if (names === undefined) return false
  if (names.includes(word)) return true
  if (names.length === 0)
    throw new PipeError(
      'input',
      `no session is called ${word}, and there is none to continue; start one with: pipe "prompt"`,
    )
  const close = names.find((name) => word.length >= 4 && name.startsWith(word)) ?? nearest(word, names)
  if (close === undefined && !isFollowedByPrompt(rest)) return false
  const hint =
    close === undefined ? 'pipe sessions lists those of this folder.' : `did you mean ${flag} ${close}?`
  throw new PipeError(
    'input',
    `no session is called ${word}; ${hint} To send the words as a prompt to the last session: pipe ${flag} -- ${word} …`,
  )
}

/** Whether a quoted prompt or `--` comes next. The word before it is then not part of a prompt. */
function isFollowedByPrompt(rest: readonly string[]): boolean {
  const isSwitch = (arg: string) =>
    switches.some(({ name, short }) => arg === `--${name}` || arg === `-${short}`)
  const next = rest.find((arg) => !isSwitch(arg))
  return next === '--' || (next !== undefined && !next.startsWith('-') && /\s/.test(next))
}

/** Whether the word is a lone path or piece of shell: neither a name nor a prompt. */
function isNoPrompt(word: string, after = '-'): boolean {
  return after.startsWith('-') && /^(\.\.|\S*(\/|\$\())\S*$/.test(word)
}

/**
 * Whether a word may be the id of a session or message, or a prefix of one: at least 6 hexadecimal digits, or 4 with at least one decimal
 * digit.
 */
export function looksLikeId(word: string): boolean {
  return /^(?=.*\d|.{6})[0-9a-f][0-9a-f-]{3,35}$/.test(word)
}
