import { ok, type Result, refused } from '../../machine/result.ts'
import type { Redirect, Script, Word, WordPart } from '../bash/syntax.ts'

/** The folders around a command. */
export interface CommandFolders {
  /** Every folder that it may run in. */
  readonly folders: readonly string[]
  readonly home: string
}

/** A word whose text is certain. */
export interface Literal {
  readonly text: string
  /** The text with a leading `~` expanded. */
  readonly path: string
  readonly glob: boolean
}

/** The text of a word that is only one. */
export function onlyText({ parts: [part, ...more] }: Word) {
  return part?.type === 'text' && more.length === 0 ? part : undefined
}

/** Reads a word whose text is certain. Refuses any other. */
export function readLiteral({ parts }: Word, around: CommandFolders): Result<Literal> {
  if (mayExpandBraces(parts)) return refused('it holds braces')
  let text = ''
  let glob = false
  let tilde = false
  for (const [i, part] of parts.entries()) {
    if (part.type === 'variable' || part.type === 'substitution') {
      const value = part.type === 'variable' ? certainValue(part.name, around) : certainOutput(part.script)
      if (value === undefined || !(part.quoted || /^[\w./@%+:$?-]*$/.test(value)))
        return refused('it holds an expansion')
      text += value
      continue
    }
    if (part.type !== 'text') return refused('it holds an expansion')
    if (!part.quoted) {
      if (/[^\P{White_Space} ]/u.test(part.text)) return refused('it holds an unusual kind of blank')
      glob ||= /[*?[]/.test(part.text) && !/^\[\[?$/.test(part.text)
      if (i === 0 && part.text.startsWith('~')) {
        if (!/^~(\/|$)/.test(part.text) || (part.text === '~' && parts.length > 1))
          return refused('it names the home of another user')
        tilde = true
      }
    }
    text += part.text
  }
  return ok({ text, path: tilde ? expandTilde(text, around.home) : text, glob })
}

/** A process substitution, which programs read as they read their input. */
export function pipeOf({ parts: [part, ...more] }: Word): Result<Literal> | undefined {
  const isPipe = part?.type === 'process' && more.length === 0
  return isPipe ? ok({ text: '/dev/fd/63', path: '-', glob: false }) : undefined
}

const inBraces = /^((?:--?[\w-]+=)?[\w./@%+:*?-]*)\{([\w./@%+:*?,-]+)\}([\w./@%+:*?-]*)$/

/** Expands a word with one simple brace list. Any other word stays as it is. */
export function wordsOf(word: Word): readonly Word[] {
  const part = onlyText(word)
  const [, head = '', list = '', tail = ''] = (part?.quoted === false && inBraces.exec(part.text)) || []
  if (part === undefined || !list.includes(',')) return [word]
  const texts = list.split(',').map((item) => head + item + tail)
  return texts.includes('') ? [word] : texts.map((text) => ({ ...word, parts: [{ ...part, text }] }))
}

/** Bash expands only braces that hold a comma or `..`. Text after an open brace counts too: bash may misread its quotes. */
function mayExpandBraces(parts: readonly WordPart[]): boolean {
  if (!parts.some((part) => part.type === 'text' && !part.quoted && part.text.includes('{'))) return false
  const text = parts.map((part) => (part.type === 'text' ? part.text : 'x')).join('')
  return /^[^{]*\{.*,|\{[^{}]*\.\./s.test(text)
}

/** The value of a variable that the line does not set. `$?` stands for a number. */
function certainValue(name: string, { folders: [cwd, ...others], home }: CommandFolders): string | undefined {
  if (name === 'HOME') return home
  if (name === 'PWD') return others.length === 0 ? cwd : undefined
  return name === '?' ? '$?' : undefined
}

/** The output of `cat` with a here-document, a common way to pass a long text as one word. */
function certainOutput({ commands, compound, loops }: Script): string | undefined {
  const [command, ...more] = commands
  if (command === undefined || more.length > 0 || compound || loops.length > 0) return undefined
  const [name, ...args] = command.words.map(onlyText)
  const [redirect, ...others] = command.redirects
  if (redirect === undefined || name?.text !== 'cat' || args.length + others.length > 0) return undefined
  return hereText(redirect)?.replace(/\n+$/, '')
}

/**
 * The text of a here-document; `undefined` unless it is certain: its delimiter is one word, and either that is quoted, or there is
 * nothing to expand.
 */
export function hereText({ target, text }: Redirect): string | undefined {
  const [first, ...more] = target.parts
  if (text === undefined || first?.type !== 'text' || more.length > 0 || !/^\w+$/.test(first.text))
    return undefined
  if (target.end - target.start - first.text.length > 2) return undefined
  return first.quoted || !/[$`\\]/.test(text) ? text : undefined
}

/** Replaces a leading `~` by the home folder. */
export function expandTilde(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? home + path.slice(1) : path
}
