import type { Field } from '../bash/fields.ts'
import type { Walk } from '../command-line.ts'
import type { ShownFiles } from './git/pathspec.ts'
import type { Arguments } from './program-arguments.ts'

/**
 * All that the judge knows about a program. An absent field claims nothing. Fields that begin with `may` say what is possible, all
 * others what is certain.
 */
export interface Program {
  /** Recognizes the calls that only read. */
  readonly reads?: Reader
  /** Its options, which tell the operands apart. */
  readonly options?: OptionSpec
  /** Options whose value is the next word, for a program without `options`. */
  readonly valued?: RegExp

  /** Returns the paths that it writes, creates or removes, besides `outputs`. Default: those of `copies`. */
  readonly writes?: (args: readonly Field[], operands: readonly Field[]) => readonly Field[]
  /** Options whose value is an output file or folder. */
  readonly outputs?: RegExp
  /** Options that make it change its operands in place. */
  readonly inPlace?: RegExp
  /** It copies its operands to a target. */
  readonly copies?: Copying
  readonly mayWrite?: PossibleWrites | ((args: readonly string[]) => PossibleWrites)
  /** It may write below the paths that it names. */
  readonly mayWriteBelow?: true
  /** Returns the folders in which, and below which, it writes files that its words do not name. */
  readonly fills?: (args: readonly Field[], operands: readonly Field[]) => readonly Field[]
  /** Returns the folders that it is told to work in, and what it gives to a container. It may write there. */
  readonly worksIn?: (args: readonly Field[]) => readonly Field[]
  /** Returns the folders that it reads with everything below them, besides those that `recursive` tells. */
  readonly gathers?: (args: readonly Field[], operands: readonly Field[]) => readonly Field[]
  /** Returns the operands that it removes with their contents, moves away or makes unreadable. */
  readonly removes?: (args: readonly Field[]) => readonly Field[]
  /** Returns what it does to a disk, worded to follow the command; `undefined` if it spares the disks. */
  readonly ruins?: (args: readonly string[]) => string | undefined

  /** Does not read the files that its words name. */
  readonly opensNone?: true
  /** Returns files that it may read besides those that are words, such as those that a script names. */
  readonly mayRead?: (args: readonly string[]) => readonly string[]
  /** Whether a list, such as one in its input, names further files that it reads. */
  readonly readsListed?: (args: readonly string[]) => boolean
  /** Subcommands whose words name branches or containers, and whose options read no file. */
  readonly takesNames?: RegExp
  /** Subcommands that record a message, given after `-m`. */
  readonly recordsMessage?: RegExp
  /** Whether a word names a file on another machine. */
  readonly isRemoteFile?: (text: string) => boolean
  /** Reads folders recursively: always, or with these options. Default: with the usual ones. */
  readonly recursive?: 'always' | RegExp
  /** Walks folders without opening the files in them. */
  readonly walksNames?: true
  /** Returns the folders that it searches, and the files in them that it reads. Default: everything in its operands. */
  readonly searches?: (args: readonly string[]) => WalkedFolders | undefined
  /** Returns the tracked files that it shows. */
  readonly shows?: (args: readonly string[]) => ShownByGit
  /** Follows links in folders: always in those it is given, or everywhere with these options. */
  readonly followsLinks?: 'always' | RegExp
  /** Returns the folders that it enters, or runs commands in. */
  readonly enters?: (args: readonly Field[]) => readonly Field[]
  /** Returns the folders in which, and below which, it runs commands. */
  readonly runsBelow?: (args: readonly Field[]) => readonly Field[]

  /** For a wrapper that only changes how a command runs: how many words precede it, or `undefined` if one is not understood. */
  readonly prefix?: (args: readonly string[]) => number | undefined
  /** Returns the commands and scripts among its words that it may run: too many rather than too few. */
  readonly mayRun?: (args: readonly Field[]) => Partial<Inner>
  /** Options whose value it runs, or passes to a program that runs it. */
  readonly runs?: RegExp
  /** Whether a word holds commands of its own language that run programs or open files. */
  readonly obeys?: (word: string) => boolean
  /** Words that make it use other files, folders or settings than the rest of its words suggests. */
  readonly detours?: RegExp | ((word: string) => boolean)
  /** Returns its own words, without those of the command that it runs. Default: all. */
  readonly ownWords?: (args: readonly string[]) => readonly string[]
  /** Whether these words make it run, write or remove something that its first word does not show. */
  readonly doesMore?: (args: readonly string[]) => boolean
  /** Returns the words up to the host or image that runs the rest apart from this machine; `undefined` if that is not certain. */
  readonly untilHost?: (words: readonly string[]) => readonly string[] | undefined
  /** Runs code in a language of its own. */
  readonly language?: Language
  readonly isShell?: true
  /** Its input is a script, unless its words name one. */
  readonly readsScript?: true
  /** Opens a shell if it gets no command, after so many operands. */
  readonly opensShell?: number
  /** Executes its input, whatever its words are. `false`: never, although a word may stand for the input. */
  readonly obeysInput?: boolean | ((args: readonly string[], readsOnly: ReadsOnly) => boolean)
  /** Returns words that may name a program that it runs, although it only reads. */
  readonly programs?: (args: readonly string[]) => readonly string[]
  /** Passes words from its input to the command that it runs. */
  readonly feeds?: true
  /** Its words are names and texts, or pipe knows where a command begins in them. */
  readonly wordsAreData?: true
  /** After it, a name may run another command. */
  readonly renames?: true

  /** Its words are assignments. */
  readonly declares?: true
  /** Sets variables before it runs its command. */
  readonly takesVariables?: true
  /** Sets the variables that its words name. */
  readonly sets?: true
  /** May set variables that the rest of the line uses, itself or through what it runs. */
  readonly maySet?: true
  /** Evaluates subscripts in quoted words, and so runs the substitutions in them. */
  readonly evaluates?: true

  /** Its options end at the first operand: later ones belong to what it runs. */
  readonly endsOptions?: true
  /** Options with two names, each mapped to the one that rules are compared by. */
  readonly optionNames?: Readonly<Record<string, string>>
  /** Subcommands that a rule may allow with any further words, because no such word runs a program. */
  readonly openAfter?: RegExp
  /** Whether these words hold code that it runs. */
  readonly runsCode?: (args: readonly string[]) => boolean
  /** Says what is dangerous about a call, in words that follow the command; `undefined` if nothing is known to be. */
  readonly danger?: (args: readonly Field[]) => string | undefined
  /** Returns the reason why no rule may allow such a call for good. */
  readonly risk?: (args: readonly string[]) => string | undefined
}

/** The files that a program may write besides its certain targets: unknown words, any word, or any file through one (a link). */
export type PossibleWrites = 'unknown words' | 'any word' | 'any file'

/** Recognizes the calls of a program that change nothing, and knows the files that they read. */
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
  /** The shell does not expand globs among its words: they are patterns. */
  readonly keepsGlobs?: true
  /** Whether it opens files that it finds in folders, and so the targets of links there. */
  readonly opensFound?: (args: readonly string[]) => boolean
  /** Prints the names of files and does nothing else with them. */
  readonly printsNames?: true
  /** In any other call, it runs what its words or files say. */
  readonly runs?: boolean
}

/** Returns the files that a command reads; `undefined` if it may do more than read. `globs`: words may stand for several files. */
export type ReadsOnly = (words: readonly string[], globs?: boolean) => readonly string[] | undefined

/**
 * Options of a program, which tell its operands apart: letters, then long names, separated by spaces. `x:` takes a value (the rest
 * of the word or the next word), `x*` all words up to the next option, `name=` a value.
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

/** A program's language. */
export interface Language {
  /** Options before code or a module. If it matches without consuming text, any word may be code. */
  readonly code: RegExp
  /** Options whose value is the next word, which is then no file to run. */
  readonly valued: RegExp
  /** A first word with which it runs files that it finds or is given, and not its input. */
  readonly finds?: RegExp
  /** Options that make it read its input as well. */
  readonly goesOn?: RegExp
  /** Returns possible commands in code. Default: its string literals. */
  readonly commands?: (code: string) => readonly string[]
  /** Only its code shows what it runs. */
  readonly isFilter?: true
}

export interface WalkedFolders {
  /** As written. */
  readonly folders: readonly string[]
  readonly walk: Walk
}

/** Tracked files that git shows. */
export interface ShownByGit {
  /** The same for every folder that git runs in. */
  readonly shown: ShownFiles | undefined
  /** It also searches files that are not tracked. */
  readonly isUntracked: boolean
  /** Folders that git enters, each relative to the one before; `undefined` if an option names another repository. */
  readonly folders: readonly string[] | undefined
  /** Paths that it compares: always (`isAnywhere`), or only if one lies outside the repository. */
  readonly compared: readonly string[]
  readonly isAnywhere: boolean
}

/** Rows by names that are separated by spaces. */
export type Family = Readonly<Record<string, Program>>

/** A row for names with a version or a prefix, such as `python3.12`. A row for the exact name takes precedence. */
export type Pattern = readonly [name: RegExp, program: Program]
