import { readCharacterSet } from './character-set.ts'

/** Options for reading a glob. Default: a path whose wildcards stay within a name, except `**`. */
export interface GlobOptions {
  /** `*`, `?` and sets also match slashes, as in pathspecs and in the words of commands. */
  readonly crosses?: boolean
  /** `**` crosses folders only if it is a whole name, as in gitignore. Default: anywhere. */
  readonly wholeNames?: boolean
  /** Reads the groups of bash: `!(a|b)`, `@(a|b)`, `?(a|b)`, `+(a|b)`, `*(a|b)`. */
  readonly groups?: boolean
  readonly ignoresCase?: boolean
}

/** A piece of a parsed glob. */
export type GlobNode =
  | { readonly type: 'text'; readonly text: string }
  /** One character. */
  | { readonly type: 'one'; readonly has: (character: string) => boolean }
  /** Any part of a name, even an empty one. */
  | { readonly type: 'name' }
  /** Any text, even an empty one. */
  | { readonly type: 'any' }
  /** Any number of folders, each with its slash, or none. */
  | { readonly type: 'folders' }
  | { readonly type: 'group'; readonly sign: string; readonly choices: readonly GlobNodes[] }

export type GlobNodes = readonly GlobNode[]

interface ParsedGlob {
  readonly nodes: GlobNodes
  readonly isWellFormed: boolean
}

export function parse(pattern: string, options: GlobOptions): ParsedGlob {
  const parser = new Parser(pattern, options)
  return { nodes: parser.read(0, pattern.length), isWellFormed: parser.isWellFormed }
}

class Parser {
  isWellFormed = true

  readonly #pattern: string
  readonly #options: GlobOptions
  /** After one open bracket, all later ones are open, too. */
  #hasSets = true

  constructor(pattern: string, options: GlobOptions) {
    this.#pattern = pattern
    this.#options = options
  }

  /** Parses a part of the pattern. */
  read(start: number, end: number): GlobNodes {
    const nodes: GlobNode[] = []
    let text = ''
    for (let at = start; at < end; ) {
      const special = this.#special(at, end)
      if (special === undefined) {
        const isEscape = this.#pattern[at] === '\\' && at + 1 < end
        if (this.#pattern[at] === '\\' && !isEscape) this.isWellFormed = false
        text += this.#pattern[isEscape ? at + 1 : at]
        at += isEscape ? 2 : 1
      } else {
        if (text !== '') nodes.push({ type: 'text', text })
        text = ''
        nodes.push(special.node)
        at = special.end
      }
    }
    if (text !== '') nodes.push({ type: 'text', text })
    return nodes
  }

  /** Reads a wildcard, set or group. `undefined` for text. */
  #special(at: number, end: number): { readonly node: GlobNode; readonly end: number } | undefined {
    const { crosses = false, groups = false, ignoresCase = false } = this.#options
    const letter = this.#pattern[at] ?? ''
    const close = groups && /[@!?+*]/.test(letter) ? this.#closeOf(at + 1) : undefined
    if (close !== undefined) {
      return { node: { type: 'group', sign: letter, choices: this.#choices(at + 2, close) }, end: close + 1 }
    }
    if (letter === '*') return this.#stars(at, end)
    if (letter === '?') {
      return { node: { type: 'one', has: (character) => crosses || character !== '/' }, end: at + 1 }
    }
    if (letter !== '[') return undefined
    const set = this.#hasSets ? readCharacterSet(this.#pattern, at, ignoresCase) : undefined
    if (set === undefined) {
      this.isWellFormed = false
      this.#hasSets = false
      return undefined
    }
    const has = (character: string) => (crosses || character !== '/') && set.has(character)
    return { node: { type: 'one', has }, end: set.end }
  }

  #stars(at: number, end: number): { readonly node: GlobNode; readonly end: number } {
    const { crosses = false, wholeNames = false } = this.#options
    let after = at + 1
    while (after < end && this.#pattern[after] === '*') after++
    if (crosses) return { node: { type: 'any' }, end: after }
    const isStart = at === 0 || this.#pattern[at - 1] === '/'
    const isDouble = after - at > 1
    if (isDouble && isStart && after < end && this.#pattern[after] === '/') {
      return { node: { type: 'folders' }, end: after + 1 }
    }
    const isAny = isDouble && (!wholeNames || (isStart && after === end))
    return { node: { type: isAny ? 'any' : 'name' }, end: after }
  }

  /** The end of a group whose parenthesis opens here. */
  #closeOf(open: number): number | undefined {
    if (this.#pattern[open] !== '(') return undefined
    let depth = 0
    for (let at = open; at < this.#pattern.length; at++) {
      const letter = this.#pattern[at]
      if (letter === '\\') at++
      else if (letter === '(') depth++
      else if (letter === ')' && --depth === 0) return at
    }
    return undefined
  }

  #choices(start: number, close: number): readonly GlobNodes[] {
    const choices: GlobNodes[] = []
    let from = start
    for (let at = start, depth = 0; at <= close; at++) {
      const letter = this.#pattern[at]
      if (letter === '\\') at++
      else if (letter === '(') depth++
      else if (depth === 0 && (letter === '|' || at === close)) {
        choices.push(this.read(from, at))
        from = at + 1
      } else if (letter === ')') depth--
    }
    return choices
  }
}
