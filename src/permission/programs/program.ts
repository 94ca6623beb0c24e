import type { Field } from '../bash/fields.ts'
import type { Arguments } from './arguments.ts'

/** A program as pipe knows it. An absent field claims nothing. */
export interface Program {
  /** How to call it so that it only reads. */
  readonly reads?: Reader
  /** Its options, which tell the operands apart. */
  readonly options?: OptionSpec
  /** Options whose value is the next word, for a program without `options`. */
  readonly valued?: RegExp
  /** Returns the paths that it certainly writes, creates or removes, besides `outputs`. */
  readonly writes?: (args: readonly Field[], operands: readonly Field[]) => readonly Field[]
  /** Options before an output file or folder. */
  readonly outputs?: RegExp
  /** Options that make it change its operands in place. */
  readonly inPlace?: RegExp
  /** How it copies its operands to a target, which it writes unless `writes` says otherwise. */
  readonly copies?: Copying
  /** May write to any file that it names: it runs code, or links the file. */
  readonly writesAny?: true
  /** May write to a word that is not known. */
  readonly mayWrite?: true
  /** Mostly reads, but has forms in which any word may be the output file. */
  readonly mayOutput?: true
  /** Returns the operands that it removes with their contents, moves away or makes unreadable. */
  readonly removes?: (args: readonly Field[]) => readonly Field[]
  /** Does not open the files among its words to read. */
  readonly opensNone?: true
  /** Reads folders recursively: always, or with these options. Default: with the usual ones. */
  readonly recursive?: 'always' | RegExp
  /** Walks folders without opening the files in them. */
  readonly walksNames?: true
  /** How its words name the folders that it searches. */
  readonly search?: 'grep' | 'ripgrep' | 'ack'
  /** Follows links in folders: always in those it is given, or everywhere with these options. */
  readonly followsLinks?: 'always' | RegExp
  /** Runs its own words. */
  readonly wraps?: Wrapping
  /** Counts the words before the command of a wrapper that only changes how it runs. `undefined` if a word is not understood. */
  readonly prefix?: (args: readonly string[]) => number | undefined
  /** Subcommands that run the words after them. */
  readonly launches?: readonly string[]
  /** May run a command that starts at any of its words. */
  readonly startsAnywhere?: true
  /** Commands and scripts among its words that it runs. */
  readonly inner?: (args: readonly Field[]) => Partial<Inner>
  /** Options whose value it runs, or passes to something that does. */
  readonly runs?: RegExp
  /** Options that make it use other files, folders or settings than its words suggest. */
  readonly detours?: RegExp
  /** Its own words, without those for what it runs. Default: all. */
  readonly ownWords?: (args: readonly string[]) => readonly string[]
  /** Whether these words make it run, write or remove something that its first words do not show. */
  readonly doesMore?: (args: readonly string[]) => boolean
  /** Runs code in a language of its own. */
  readonly language?: Language
  readonly isShell?: true
  /** Opens a shell if it gets no command, after so many operands. */
  readonly opensShell?: number
  /** Executes its input, whatever its words are. */
  readonly obeysInput?: true
  /** Its words are names and texts, or pipe knows where in them a command begins. */
  readonly wordsAreData?: true
  /** After it, a name may run something else. */
  readonly renames?: true
}

/** How to call a command so that it changes nothing. */
export interface Reader {
  /**
   * Letters of short options whose value is not a file. Only those that take a value on every system: the value is not checked.
   */
  readonly valued?: string
  /** Long options whose value is the next word and not a file. */
  readonly valuedLong?: RegExp
  /** The operands that are files. Default: all. */
  readonly files?: (given: Arguments, args: readonly string[], readsOnly: ReadsOnly) => readonly string[]
  /** Whether the command only reads with these words. Default: always. */
  readonly accepts?: (given: Arguments, args: readonly string[], readsOnly: ReadsOnly) => boolean
  /** Whether words may hold globs, so that it only reads whatever files match. Default: true if `accepts` is absent. */
  readonly globs?: boolean
  /** Words that include every operand whose contents the command prints. Default: `files`. */
  readonly contents?: (args: readonly string[]) => readonly string[]
  /** Whether the values of its options may be files. Default: true unless it reads no files. */
  readonly pathOptions?: boolean
  /** Called any other way, it runs what its words or files say. */
  readonly runs?: boolean
}

/** Returns the files that a command reads; `undefined` if it may do more than read. */
export type ReadsOnly = (words: readonly string[]) => readonly string[] | undefined

/**
 * Options of a program, which tell its operands apart: letters, then long names, separated by spaces. After a letter, `:` means that it takes
 * a value: the rest of the word, or the next word; `*` that all words up to the next option are its values. `=` ends a long name with a value.
 */
export type OptionSpec = string

export interface Copying {
  /** Also removes its sources. */
  readonly moves?: true
  /** A target `HOST:PATH` is on another machine or in a container. */
  readonly remote?: true
  /** Copies the contents of a folder that is named with a trailing slash. */
  readonly contents?: true
}

/** Commands and scripts that a command runs, as far as its words show. */
export interface Inner {
  readonly commands: readonly (readonly Field[])[]
  /** Text that a shell runs; `undefined` if it is not known. */
  readonly scripts: readonly (string | undefined)[]
}

export interface Wrapping {
  /** Operands before the command. */
  readonly skips: number
  /** A first word with which it only looks up a name. */
  readonly looksUp?: RegExp
  /** Appends words from its input to the command, or puts them in place of a mark. */
  readonly feeds?: true
  /** Runs its words as a script: joined, or `each` word too. */
  readonly script?: 'joined' | 'each'
  /** Options whose value is split into the command. */
  readonly splits?: RegExp
}

/** A program's language. */
export interface Language {
  /** Options before code or a module. An expression that matches the empty text: any word may be code. */
  readonly code: RegExp
  /** Options that take the next word as their value, so that it is not a file to run. */
  readonly valued: RegExp
  /** Options that make it read its input as well. */
  readonly goesOn?: RegExp
}

/** Rows by names that are separated by spaces. */
export type Family = Readonly<Record<string, Program>>

/** Rows for names with a version or a prefix, such as `python3.12`. An exact name has precedence. */
export type Pattern = readonly [name: RegExp, program: Program]
