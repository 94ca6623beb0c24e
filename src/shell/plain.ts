import { normalize, resolve } from 'node:path'
import type { CommandContext, FileUse, PlainCommand } from '../command-line.ts'
import { readAssignment } from './reach.ts'
import { readsOnly, runsMore, systemName } from './read-only.ts'
import type { Redirect, ScannedCommand, Script, Word } from './syntax.ts'
import { stripWrappers } from './wrappers.ts'

/** A word that comes out as it stands. */
interface Literal {
  readonly text: string
  /** With a leading `~` put in. */
  readonly path: string
  readonly glob: boolean
}

/** The commands of a script of which every word is literal; else why it is not such a script. */
export function readPlain(script: Script, context: CommandContext): readonly PlainCommand[] | string {
  if (script.broken) return 'it does not read as shell'
  if (script.compound || script.loops.length > 0) return 'it is more than a list of commands'
  const folders = [context.cwd]
  const commands: PlainCommand[] = []
  for (const scanned of script.commands) {
    const command = readCommand(scanned, folders, context.home)
    if (typeof command === 'string') return command
    commands.push(command)
    const [name, folder] = command.inner
    if (name === 'cd')
      folders.push(...folders.map((one) => resolve(one, expandTilde(folder ?? '~', context.home))))
    if (new Set(folders).size > 8) return 'it changes the folder too often'
  }
  return commands
}

/** Variables that change how a program speaks and not what it does. */
const harmless =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|GOOS|GOARCH|CGO_ENABLED)$/

function readCommand(
  { words, redirects }: ScannedCommand,
  folders: readonly string[],
  home: string,
): PlainCommand | string {
  const first = words.findIndex((word) => readAssignment(word) === undefined)
  const assigned = first === -1 ? words : words.slice(0, first)
  for (const word of assigned) {
    if (first === -1 || !harmless.test(readAssignment(word)?.name ?? '')) return 'it sets a variable'
  }
  const literals = words.slice(assigned.length).map((word) => readLiteral(word, home))
  const files = redirects.map((redirect) => readRedirect(redirect, home))
  const odd = [...literals, ...files].find((one) => typeof one === 'string')
  if (odd !== undefined) return odd
  const known = literals.filter((one) => typeof one !== 'string')
  const inner = stripWrappers(known.map(({ text }) => text))
  const innerLiterals = known.slice(known.length - inner.length)
  if (known[0]?.glob === true || innerLiterals[0]?.glob === true) return 'the name of a command is a glob'
  const read = readsOnly(
    innerLiterals.map(({ path }) => path),
    innerLiterals.some(({ glob }) => glob),
  )
  const opened = [
    ...(inner.length === 0 ? [] : (read ?? [])).map((text) => ({
      text,
      access: 'read' as const,
      by: 'word' as const,
      glob: /[*?[]/.test(text),
    })),
    ...files.filter((one) => typeof one !== 'string').flat(),
  ]
  return {
    words: named(known.map(({ text }) => text)),
    inner: named(inner),
    readOnly: inner.length === 0 || read !== undefined,
    runsMore: runsMore(inner),
    files: opened.flatMap(({ text, access, glob, by }) =>
      folders.map(
        (folder): FileUse => ({ path: resolve(folder, expandTilde(text, home)), access, glob, by }),
      ),
    ),
  }
}

/** The words with the plain name of a command of the system. */
function named([name, ...args]: readonly string[]): readonly string[] {
  return name === undefined ? [] : [systemName(name), ...args]
}

function readLiteral({ parts }: Word, home: string): Literal | string {
  let text = ''
  let glob = false
  let tilde = false
  for (const [i, part] of parts.entries()) {
    if (part.type !== 'text') return 'it holds an expansion'
    if (!part.quoted) {
      if (/[{}]/.test(part.text) && !(part.text === '{}' && parts.length === 1)) return 'it holds braces'
      if (/[^\P{White_Space} ]/u.test(part.text)) return 'it holds a blank of an unusual kind'
      glob ||= /[*?[]/.test(part.text)
      if (i === 0 && part.text.startsWith('~')) {
        if (!/^~(\/|$)/.test(part.text) || (part.text === '~' && parts.length > 1))
          return 'it names the home of someone'
        tilde = true
      }
    }
    text += part.text
  }
  return { text, path: tilde ? expandTilde(text, home) : text, glob }
}

const opens: Readonly<Record<string, readonly FileUse['access'][]>> = {
  '<': ['read'],
  '<>': ['read', 'write'],
  '>': ['write'],
  '>>': ['write'],
  '>|': ['write'],
  '&>': ['write'],
  '&>>': ['write'],
  '>&': ['write'],
  '<&': ['read'],
}
const harmlessDevices = /^\/dev\/(null|stdout|stderr|stdin)$/

/** The files that a redirect opens: none for one that only joins descriptors. */
function readRedirect(
  { operator, target, body }: Redirect,
  home: string,
): readonly (Omit<FileUse, 'path'> & { text: string })[] | string {
  if (body !== undefined || operator.startsWith('<<')) return 'it holds a here-document'
  const literal = readLiteral(target, home)
  if (typeof literal === 'string') return literal
  if (literal.glob) return 'it redirects to a glob'
  if (operator.endsWith('&') && /^\d*-?$/.test(literal.text)) return []
  if (harmlessDevices.test(normalize(literal.path))) return []
  return (opens[operator] ?? []).map((access) => ({
    text: literal.path,
    access,
    glob: false,
    by: 'redirect' as const,
  }))
}

function expandTilde(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? home + path.slice(1) : path
}
