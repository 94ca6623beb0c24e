/** A piece of a word. Unquoted text may hold globs, braces and a tilde. */
export type WordPart =
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly type: 'variable'; readonly name: string; readonly quoted: boolean }
  /** `${x:-word}` and the like: the variable's value, or the word. */
  | {
      readonly type: 'default'
      readonly name: string
      readonly word: readonly WordPart[]
      /** Whether the variable keeps the word: `${x:=word}`. */
      readonly assigns: boolean
      readonly quoted: boolean
    }
  | { readonly type: 'substitution'; readonly script: Script; readonly quoted: boolean }
  | { readonly type: 'process'; readonly script: Script }
  /** Any other expansion, with the scripts in it. */
  | { readonly type: 'unknown'; readonly scripts: readonly Script[] }

export interface Word {
  readonly parts: readonly WordPart[]
  /** Offsets in the scanned text. */
  readonly start: number
  readonly end: number
}

export interface Redirect {
  /** Without the descriptor: `>`, `>>`, `<`, `<&`, `<<` … */
  readonly operator: string
  /** The descriptor, if given: `2`, `{name}`. */
  readonly descriptor?: string
  readonly target: Word
  /** The lines of a here-document as they are written, without the tabs that `<<-` removes. */
  readonly text?: string
  /** The body of a here-document, as bash expands it. */
  readonly body?: readonly WordPart[]
}

/** A simple command, without the structure around it. */
export interface ScannedCommand {
  /** A command before it writes to a pipe, so its input may be one. */
  readonly piped: boolean
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
}

/** A flattened script: every simple command in it, in the order of the text. */
export interface Script {
  readonly commands: readonly ScannedCommand[]
  /** Values that loops assign to a variable. Without a name, the words are only compared. */
  readonly loops: readonly { readonly name: string | undefined; readonly values: readonly Word[] }[]
  /** It is more than a list of simple commands. */
  readonly compound: boolean
  /** A quote or bracket is not closed, or the nesting is too deep: the rest was not read. */
  readonly broken: boolean
}

/** The scripts within these parts. */
export function scriptsOf(parts: readonly WordPart[]): readonly Script[] {
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

/** All words of a command, including the targets of its redirects. */
export function allWords({ words, redirects }: ScannedCommand): readonly Word[] {
  return [...words, ...redirects.map(({ target }) => target)]
}

/** The text of a word without quotes or expansions; otherwise `undefined`. */
export function bareText({ parts: [part, ...more] }: Word): string | undefined {
  return part?.type === 'text' && !part.quoted && more.length === 0 ? part.text : undefined
}

export function unknownPart(scripts: readonly Script[]): WordPart {
  return { type: 'unknown', scripts }
}
