/** A file that a command may open. */
export interface FileUse {
  /** Absolute and without `..`; `undefined` if it is only known at run time. May end in a glob. */
  readonly path: string | undefined
  /** `list`: the command prints only names: the file's, or those of its entries. */
  readonly access: 'read' | 'write' | 'list'
  /** `path` holds `*`, `?` or `[` as wildcards. */
  readonly glob: boolean
  /**
   * How the command reaches the file. `tree`: reads everything below, too; `links`: and the targets of links there. `walk`: found
   * below such a folder, or perhaps opened by code or by a command that works there. `argument`: a glob meant as text, which the shell
   * expands if a file matches.
   */
  readonly by: 'word' | 'tree' | 'links' | 'walk' | 'argument' | 'redirect'
}

/** Selects the files that a command reads in a folder and below. */
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

/** Tracked files whose contents git shows. */
export interface TrackedWalk {
  /** The folder that git runs in, absolute and without `..`; `undefined` if unknown, or if an option names another repository. */
  readonly path: string | undefined
  /** Limit what git shows, together with those `words` that are paths. Without either, git shows everything. */
  readonly pathspecs: readonly Pathspec[]
  /** Paths if they exist or are patterns; otherwise revisions. */
  readonly words: readonly string[]
  /** Absolute paths that git compares with everything below them if one lies outside the repository. May hold globs. */
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
export interface SimpleCommand {
  /** Without quotes, and without harmless variables set before the command. */
  readonly words: readonly string[]
  /** The command behind wrappers such as `timeout 5`. */
  readonly inner: readonly string[]
  /** It changes nothing, sends nothing and runs nothing else. */
  readonly readOnly: boolean
  /** Options make it run other commands or remove files, so its first words say little (`find -exec`). */
  readonly runsMore: boolean
  /** Its input decides what it does: a shell without a script, `python3 -`, `xargs rm`. */
  readonly readsCommands: boolean
  /** The files of its redirects and, if it only reads, those that its words name. */
  readonly files: readonly FileUse[]
  /** Folders that it runs git in. */
  readonly gitFolders: readonly string[]
  /** Words that may name a program that it runs. */
  readonly programs: readonly string[]
  /** Its first words, if any words may safely follow them. */
  readonly prefix: readonly string[] | undefined
  /** Returns the reason why no rule may allow it for good, even by its exact words. */
  readonly risk: () => string | undefined
}

/** A command that may run. A word is `undefined` if it is only known at run time. */
export interface ReachableCommand {
  /** Without its folder, in lower case; `undefined` if it is not known which command it is. */
  readonly name: string | undefined
  readonly words: readonly (string | undefined)[]
  /** Options with two names, each mapped to the one that rules are compared by. */
  readonly optionNames: Readonly<Record<string, string>>
  /** Its options end at the first operand: later ones belong to what it runs. */
  readonly endsOptions: boolean
}

/** Everything known about a line of bash before it runs. */
export interface JudgedLine {
  /** All commands of the line if every one is plain. Allow rules rely on this: it holds only what is certain. */
  readonly plain: readonly SimpleCommand[] | undefined
  /** Why `plain` is `undefined`. */
  readonly obstacle: string | undefined
  /** Why pipe asks about the line, whatever is allowed. */
  readonly caution: string | undefined
  /** It runs git, and may run it in another folder. */
  readonly movesGit: boolean
  /** Every command that may run, nested ones included. Deny rules rely on this: it leaves out nothing that can be known. */
  readonly reachable: readonly ReachableCommand[]
  /** Words of programs that pipe does not know, and of code that runs commands, in order. A command may begin at each. */
  readonly mentioned: readonly (readonly string[])[]
  /** Files that may be opened. */
  readonly files: readonly FileUse[]
  /** Paths that the commands certainly write to, create or remove, besides redirects. */
  readonly destinations: readonly Destination[]
  /** Folders that may be read recursively, and what git may show of tracked files. */
  readonly walks: readonly (FolderWalk | TrackedWalk)[]
  /** Why pipe cannot tell everything that runs. */
  readonly opaque: string | undefined
  /** Why pipe asks even if everything is allowed: the root, a home or the project would be lost. */
  readonly removal: string | undefined
  /** The folder that the line enters to remove its contents. If it is a symlink, `removal` may miss what is lost. Absolute. */
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
