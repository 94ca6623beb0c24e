import { splitRules } from './cli-options.ts'
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

/** Whether a word is an existing folder. A relative one is in the folder that `-C` names, if it is given. */
export type IsFolder = (word: string, cd: string | undefined) => boolean

export interface Joined {
  readonly tokens: readonly Token[]
  /** The flag and the word that was taken for a part of its list, though it may be meant as the prompt. */
  readonly doubt?: { readonly flag: string; readonly word: string }
}

/**
 * Gives flags that take a list the words behind their value: each rule or folder, up to the first other word. `read` and the names of
 * commands are doubtful unless a quoted prompt follows, because sentences begin with them.
 */
export function joinLists(
  tokens: readonly Token[],
  { listOf, isFolder }: { listOf(flag: string): 'rules' | 'folders' | undefined; isFolder: IsFolder },
): Joined {
  const cd = tokens.findLast((token) => token.kind === 'option' && token.name === 'cd')
  const folder = cd?.kind === 'option' ? cd.value : undefined
  const joined: Token[] = []
  let open: Listing | undefined
  let prompt: string | undefined
  let last: Joined['doubt']
  let doubtful: Joined['doubt']
  for (const token of tokens) {
    const list = open === undefined ? undefined : listOf(open.name)
    if (token.kind !== 'positional') {
      if (token.kind === 'option-terminator') prompt ??= ' '
      open = opens(token, listOf) ? token : undefined
      joined.push(token)
    } else if (open !== undefined && list !== undefined && belongs(token.value, list)) {
      last = { flag: open.rawName, word: token.value }
      if (!isPlainly(token.value, list)) doubtful ??= last
      joined.push({ ...open, value: token.value, inlineValue: true })
    } else {
      open = undefined
      prompt ??= token.value
      joined.push(token)
    }
  }
  const doubt = prompt === undefined ? last : /\s/.test(prompt) ? undefined : doubtful
  return { tokens: joined, ...(doubt === undefined ? {} : { doubt }) }

  function belongs(word: string, list: 'rules' | 'folders'): boolean {
    return list === 'rules' ? readsAsRules(word) : isFolder(word, folder)
  }
}

function opens(token: Token, listOf: (flag: string) => 'rules' | 'folders' | undefined): token is Listing {
  return (
    token.kind === 'option' &&
    token.value !== undefined &&
    token.inlineValue !== true &&
    listOf(token.name) !== undefined
  )
}

/** Whether nobody begins a sentence with a word of a list: `Read`, `Bash(ls)`, `mcp__db`, but not `read`. */
function isPlainly(word: string, list: 'rules' | 'folders'): boolean {
  return list === 'rules' ? /^[A-Z]|^mcp__|\(/.test(word) : !subcommands.some((name) => name === word)
}

/** Whether every part of a word is a rule: a tool's name, or one of an MCP server, with or without parentheses. */
function readsAsRules(word: string): boolean {
  const rules = splitRules(word)
  return rules.length > 0 && rules.every((rule) => /^mcp__[\w.*-]+(\(.*\))?$/s.test(rule) || namesTool(rule))
}

/** Tools of other agents that have no twin here, in lower case. */
const foreignTools = new Set([
  ...['agent', 'ls', 'skill', 'websearch', 'todoread', 'notebookread', 'killbash', 'taskoutput'],
  ...['slashcommand', 'exitplanmode'],
])

function namesTool(rule: string): boolean {
  const [, name, spec] = /^([A-Za-z][\w-]*)(\(.*\))?$/s.exec(rule) ?? []
  if (name === undefined) return false
  const isKnown = knownTool(name) !== undefined || foreignTools.has(name.toLowerCase())
  return isKnown || (spec !== undefined && /^[A-Z]/.test(name))
}
