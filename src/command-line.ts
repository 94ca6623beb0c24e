/** A file that a command may open. */
export interface FileUse {
  /** Absolute and without `..`; `undefined` where it is not known before the command runs. May end in a glob. */
  readonly path: string | undefined
  /** `list`: no more than names come out, its own or those of what is in it. */
  readonly access: 'read' | 'write' | 'list'
  /** `path` holds `*`, `?` or `[` that stand for more than one file. */
  readonly glob: boolean
  /**
   * How the file is named. `tree`: the command goes on to what is below it; `links`: also to what the links there lead to, where
   * it is a folder. `walk`: it is below such a folder. `argument`: a glob that is meant as text, and would be a file were there
   * one that answers to it.
   */
  readonly by: 'word' | 'tree' | 'links' | 'walk' | 'argument' | 'redirect'
}

/** Which files of a folder, and of the folders in it, a command reads. */
export interface Walk {
  /** Also those whose name begins with a dot, and what is in such folders. */
  readonly hidden: boolean
  /** Globs of names, of which a file answers to one. Default: all. */
  readonly names?: readonly string[]
  /** Globs of names of files, and of folders, that are passed over. */
  readonly exceptFiles?: readonly string[]
  readonly exceptFolders?: readonly string[]
}

export interface FolderWalk extends Walk {
  /** Absolute and without `..`. May hold a glob. */
  readonly path: string
}

/** What git shows of what is in the files that a repository tracks. */
export interface TrackedWalk {
  /** Where git runs: absolute and without `..`; `undefined` where it is not known, or where it is told of another repository. */
  readonly path: string | undefined
  /** What it is limited to, beside those of the words that are paths; where there are neither, nothing is passed over. */
  readonly pathspecs: readonly Pathspec[]
  /** Of each: a path where something is there or where it is a pattern, else a revision. */
  readonly words: readonly string[]
  /** Absolute paths that it compares, with all below them, where not all of them are in the repository. May hold globs. */
  readonly compared?: readonly string[]
}

/** Files, by their path or that of a folder above them, as git takes it: `*` also stands for slashes. */
export interface Pathspec {
  readonly text: string
  /** It is meant from the root of the repository, not from where git runs. */
  readonly isFromRoot: boolean
  /** These files are left out instead. */
  readonly isExcluded: boolean
}

/** A path that a command writes to. */
export interface Destination {
  /** Absolute and without `..`. */
  readonly path: string
  /** `path` holds `*`, `?` or `[` that stand for more than one file. */
  readonly glob: boolean
}

/** A command of which every word is known before it runs. */
export interface PlainCommand {
  /** Quotes removed. Without variables that are set before it and do no harm. */
  readonly words: readonly string[]
  /** What runs in the end, where the command only says how (`timeout 5 ls`). */
  readonly inner: readonly string[]
  /** True where it changes nothing, sends nothing and runs nothing else. */
  readonly readOnly: boolean
  /** It runs other commands or removes files by its options, so that its first words say little (`find -exec`). */
  readonly runsMore: boolean
  /** What it does is up to what it reads: a shell without a script, `python3 -`, `xargs rm`. */
  readonly readsCommands: boolean
  /** Files that it names where it only reads, and all that it redirects to or from. */
  readonly files: readonly FileUse[]
}

/** A command that may run. A word is `undefined` where it is not known before. */
export interface ReachableCommand {
  /** Without its folder, in small letters; `undefined` where it is not known which command it is. */
  readonly name: string | undefined
  readonly words: readonly (string | undefined)[]
}

/** What can be told of a line of bash before it runs. */
export interface JudgedLine {
  /** All of its commands, where they are plain. What an allow rule rests on: it holds no more than is certain. */
  readonly plain: readonly PlainCommand[] | undefined
  /** Why they are not. */
  readonly obstacle: string | undefined
  /** Why a person must see the line, whatever is allowed. */
  readonly caution: string | undefined
  /** All that may run, in its turn as well. What a deny rule rests on: it leaves out nothing that can be told. */
  readonly reachable: readonly ReachableCommand[]
  /**
   * Words, in order, of which any may begin a command: those of programs of which it is not known what they run, and those of
   * code that runs commands.
   */
  readonly mentioned: readonly (readonly string[])[]
  /** Files that may be opened. */
  readonly files: readonly FileUse[]
  /** What its commands certainly write to, make or remove, beside what it redirects to. */
  readonly destinations: readonly Destination[]
  /** Folders of which what is in them may be read, and what git may show of what it tracks. */
  readonly walks: readonly (FolderWalk | TrackedWalk)[]
  /** Why something of what runs is not known. */
  readonly opaque: string | undefined
  /** What would be lost for good: the root, a home, the project. */
  readonly removal: string | undefined
  /** A folder that it goes into to remove what is there: where this is a symlink, that may be what `removal` tells of. Absolute. */
  readonly entered?: string
}

export interface CommandContext {
  /** Absolute. */
  readonly cwd: string
  readonly home: string
}

/** Reads lines of bash. Never throws for what stands in a line. */
export interface CommandReader {
  read(command: string, context: CommandContext): Promise<JudgedLine>
}
