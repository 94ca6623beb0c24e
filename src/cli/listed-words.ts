import { isOnlyElsewhere } from '../config/peer/peer-rules.ts'
import { unreachable } from '../error.ts'
import { splitRules } from './cli-options.ts'
import type { ListKind } from './option.ts'
import { subcommands } from './subcommands.ts'
import { knownTool } from './wiring/tools/known-tools.ts'

/** A part of a command line, as `parseArgs` of Node tells it. */
export type Token =
  | {
      readonly kind: 'option'
      readonly index: number
      readonly name: string
      readonly rawName: string
      readonly value: string | undefined
      readonly inlineValue: boolean | undefined
    }
  | { readonly kind: 'positional'; readonly index: number; readonly value: string }
  | { readonly kind: 'option-terminator'; readonly index: number }

type Listing = Extract<Token, { kind: 'option' }>

/** Whether a word names something on disk. A relative one is in the folder that `-C` names, if it is given. */
export type IsOnDisk = (word: string, cd: string | undefined) => boolean

export interface ListedWords {
  listOf(flag: string): ListKind | undefined
  readonly isFolder: IsOnDisk
  readonly isFile: IsOnDisk
}

export interface Joined {
  readonly tokens: readonly Token[]
  /** The flag and the word that was taken for a part of its list, though it may be meant as the prompt. */
  readonly doubt?: { readonly flag: string; readonly word: string }
}

/**
 * Gives flags that take a list the words behind their value, up to the first word of another kind. A word with which a sentence may begin,
 * such as `read` or the name of a folder, is doubtful unless a quoted prompt follows.
 */
export function joinLists(tokens: readonly Token[], { listOf, isFolder, isFile }: ListedWords): Joined {
  const cd = tokens.findLast((token) => token.kind === 'option' && token.name === 'cd')
  const folder = cd?.kind === 'option' ? cd.value : undefined
  const joined: Token[] = []
  const listed: { readonly flag: string; readonly word: string; readonly list: ListKind }[] = []
  let open: Listing | undefined
  let prompt: string | undefined
  for (const token of tokens) {
    const list = open === undefined ? undefined : listOf(open.name)
    if (token.kind !== 'positional') {
      if (token.kind === 'option-terminator') prompt ??= ' '
      open = opens(token, listOf) ? token : undefined
      joined.push(token)
    } else if (open !== undefined && list !== undefined && belongs(token.value, list)) {
      listed.push({ flag: open.rawName, word: token.value, list })
      joined.push({ ...open, value: token.value, inlineValue: true })
    } else {
      open = undefined
      prompt ??= token.value
      joined.push(token)
    }
  }
  const isQuoted = prompt !== undefined && /\s/.test(prompt)
  const doubted = isQuoted
    ? undefined
    : listed.find(({ word, list }) => !isPlainly(word, list, prompt !== undefined))
  const { flag, word } = doubted ?? {}
  return { tokens: joined, ...(flag !== undefined && word !== undefined && { doubt: { flag, word } }) }

  function belongs(word: string, list: ListKind): boolean {
    switch (list) {
      case 'rules':
        return readsAsRules(word)
      case 'tools':
        return splitRules(word).every((name) => !name.includes('(')) && readsAsRules(word)
      case 'folders':
        return isFolder(word, folder)
      case 'files':
        return word.trimStart().startsWith('{') || isFile(word, folder)
      default:
        return unreachable(list)
    }
  }
}

function opens(token: Token, listOf: ListedWords['listOf']): token is Listing {
  return (
    token.kind === 'option' &&
    token.value !== undefined &&
    token.inlineValue !== true &&
    listOf(token.name) !== undefined
  )
}

/** Whether nobody begins a sentence with a word of a list: `Read`, `Bash(ls)`, `mcp__db`, `../lib`, but not `read`. */
function isPlainly(word: string, list: ListKind, hasPrompt: boolean): boolean {
  if (list === 'rules' || list === 'tools') return /^[A-Z]|^mcp__|\(/.test(word)
  return /[./~{]/.test(word) || (hasPrompt && !subcommands.some((name) => name === word))
}

/** Whether every part of a word is a rule: a tool's name, or one of an MCP server, with or without parentheses. */
function readsAsRules(word: string): boolean {
  const rules = splitRules(word)
  return rules.length > 0 && rules.every((rule) => /^mcp__[\w.*-]+(\(.*\))?$/s.test(rule) || namesTool(rule))
}

function namesTool(rule: string): boolean {
  const [, name, spec] = /^([A-Za-z][\w-]*)(\(.*\))?$/s.exec(rule) ?? []
  if (name === undefined) return false
  const isKnown = knownTool(name) !== undefined || isOnlyElsewhere(name) || /^skill$/i.test(name)
  return isKnown || (spec !== undefined && /^[A-Z]/.test(name))
}
