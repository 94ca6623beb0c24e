/** A file that a command may open. */
export interface FileUse {
  /** Absolute and without `..`; `undefined` if it is not known before the command runs. May end in a glob. */
  readonly path: string | undefined
  /** `list`: the command prints only names, its own or those of its entries. */
  readonly access: 'read' | 'write' | 'list'
  /** `path` holds `*`, `?` or `[` as wildcards. */
  readonly glob: boolean
  /**
   * How the command names the file. `tree`: it also reads everything below; `links`: also the targets of links there. `walk`: a
   * file below such a folder. `argument`: a glob meant as text, which the shell would expand if a file matched.
   */
  readonly by: 'word' | 'tree' | 'links' | 'walk' | 'argument' | 'redirect'
}

/** Which files a command reads in a folder and the folders below. */
export interface Walk {
  /** Includes names that begin with a dot, and everything in such folders. */
  readonly hidden: boolean
  /** Globs for the names of files to read. Default: all. */
  readonly names?: readonly string[]
  /** Globs for the names of files, and of folders, to skip. */
  readonly exceptFiles?: readonly string[]
  readonly exceptFolders?: readonly string[]
}

export interface FolderWalk extends Walk {
  /** Absolute and without `..`. May hold a glob. */
  readonly path: string
}

/** Contents of tracked files that git shows. */
export interface TrackedWalk {
  /**
   * The folder that git runs in, absolute and without `..`; `undefined` if it is unknown, or an option names another repository.
   */
  readonly path: string | undefined
  /** Limits what git shows, together with the words that are paths. If there are neither, git shows everything. */
  readonly pathspecs: readonly Pathspec[]
  /** Each is a path if it exists or is a pattern; otherwise a revision. */
  readonly words: readonly string[]
  /** Absolute paths that git compares with everything below them, if one is outside of the repository. May hold globs. */
  readonly compared?: readonly string[]
}

/** A file, or a folder with everything below, in git's syntax: `*` also matches slashes. */
export interface Pathspec {
  readonly text: string
  /** Relative to the root of the repository, not to the folder that git runs in. */
  readonly isFromRoot: boolean
  /** Excludes these files. */
  readonly isExcluded: boolean
}

/** A path that a command writes to. */
export interface Destination {
  /** Absolute and without `..`. */
  readonly path: string
  /** `path` holds `*`, `?` or `[` as wildcards. */
  readonly glob: boolean
}

/** A command whose words are all known before it runs. */
export interface PlainCommand {
  /** Without quotes, and without harmless variables set before the command. */
  readonly words: readonly string[]
  /** The command behind wrappers such as `timeout 5`. */
  readonly inner: readonly string[]
  /** It changes nothing, sends nothing and runs nothing else. */
  readonly readOnly: boolean
  /** Options make it run other commands or remove files, so that its first words say little (`find -exec`). */
  readonly runsMore: boolean
  /** Its input decides what it does: a shell without a script, `python3 -`, `xargs rm`. */
  readonly readsCommands: boolean
  /** The files that it names if it only reads, and all files of its redirects. */
  readonly files: readonly FileUse[]
  /** Words that may name a program which it runs. */
  readonly programs: readonly string[]
  /** Its first words, if it is as safe with any words after them. */
  readonly prefix: readonly string[] | undefined
  /** Returns the reason why no rule may allow it for good, even by its exact words. */
  readonly risk: () => string | undefined
}

/** A command that may run. A word is `undefined` if it is not known before the run. */
export interface ReachableCommand {
  /** Without its folder, in lower case; `undefined` if it is not known which command it is. */
  readonly name: string | undefined
  readonly words: readonly (string | undefined)[]
  /** Options with two names: each with the name that rules are compared by. */
  readonly optionNames: Readonly<Record<string, string>>
  /** Its options end at the first operand: later ones belong to what it runs. */
  readonly endsOptions: boolean
}

/** Everything that is known about a line of bash before it runs. */
export interface JudgedLine {
  /** All commands of the line if every one is plain. Allow rules rely on this: it holds only what is certain. */
  readonly plain: readonly PlainCommand[] | undefined
  /** The reason why `plain` is `undefined`. */
  readonly obstacle: string | undefined
  /** The reason why pipe asks about the line, whatever is allowed. */
  readonly caution: string | undefined
  /** Every command that may run, nested ones included. Deny rules rely on this: it leaves out nothing that can be known. */
  readonly reachable: readonly ReachableCommand[]
  /**
   * Words, in order, at each of which a command may begin: those of programs whose commands are unknown, and of code that runs
   * commands.
   */
  readonly mentioned: readonly (readonly string[])[]
  /** Files that may be opened. */
  readonly files: readonly FileUse[]
  /** Paths that the commands certainly write to, create or remove, besides redirects. */
  readonly destinations: readonly Destination[]
  /** Folders that may be read recursively, and what git may show of tracked files. */
  readonly walks: readonly (FolderWalk | TrackedWalk)[]
  /** The reason why something that runs is not known. */
  readonly opaque: string | undefined
  /** The root, home or project that would be lost for good. */
  readonly removal: string | undefined
  /** A folder that the line enters to remove its contents. If it is a symlink, `removal` may miss what is lost. Absolute. */
  readonly entered?: string
}

export interface CommandContext {
  /** Absolute. */
  readonly cwd: string
  readonly home: string
}

/** Reads lines of bash. Never throws because of a line's content. */
export interface CommandReader {
  read(command: string, context: CommandContext): Promise<JudgedLine>
}
