/** A piece of a word. Text that is not quoted may hold globs, braces and a tilde. */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly type: 'variable'; readonly name: string; readonly quoted: boolean }
  /** `${x:-word}` and its kin: the variable's value, or the word. */
  | {
      readonly type: 'default'
      readonly name: string
      readonly word: readonly Part[]
      readonly quoted: boolean
    }
  | { readonly type: 'substitution'; readonly script: Script; readonly quoted: boolean }
  | { readonly type: 'process'; readonly script: Script }
  /** Any other expansion, with the scripts inside of it. */
  | { readonly type: 'unknown'; readonly scripts: readonly Script[] }

export interface Word {
  readonly parts: readonly Part[]
  /** Offsets in the text that was scanned. */
  readonly start: number
  readonly end: number
}

export interface Redirect {
  /** Without its descriptor: `>`, `>>`, `<`, `<&`, `<<` … */
  readonly operator: string
  /** Where one is given: `2`, `{name}`. */
  readonly descriptor?: string
  readonly target: Word
  /** The body of a here-document. */
  readonly body?: readonly Part[]
}

/** A command without its structure: neither what it is piped into nor what it stands in. */
export interface ScannedCommand {
  /** Something before it writes to a pipe. */
  readonly piped: boolean
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
}

/** A script, flattened: every simple command in it, in the order of the text. */
export interface Script {
  readonly commands: readonly ScannedCommand[]
  /** What loops bind a variable to; without a name, words that are only compared. */
  readonly loops: readonly { readonly name: string | undefined; readonly values: readonly Word[] }[]
  /** Anything beside simple commands in a list. */
  readonly compound: boolean
  /** A quote or a bracket is left open, or it nests too deep: what follows is not known. */
  readonly broken: boolean
}

/** All scripts that stand in these parts. */
export function scriptsOf(parts: readonly Part[]): readonly Script[] {
  return parts.flatMap((part): readonly Script[] => {
    switch (part.type) {
      case 'substitution':
      case 'process':
        return [part.script]
      case 'default':
        return scriptsOf(part.word)
      case 'unknown':
        return part.scripts
      default:
        return []
    }
  })
}

/** All words of a command, also those that its redirects name. */
export function allWords({ words, redirects }: ScannedCommand): readonly Word[] {
  return [...words, ...redirects.map(({ target }) => target)]
}
