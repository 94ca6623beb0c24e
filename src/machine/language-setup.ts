import type { JsonObject } from '../json-value.ts'

/** A language server that can be used where its program is found. */
export interface LanguageSetup {
  /** Names the language: `typescript`. */
  readonly name: string
  /** The program and its arguments. */
  readonly command: readonly string[]
  /** The ids of the language by the endings of its files, with their dot. */
  readonly languageIds: Readonly<Record<string, string>>
  /** Sent with the first request. Default: none. */
  readonly initialization?: JsonObject
  /** Variables beside those that each server gets. Default: none. */
  readonly env?: Readonly<Record<string, string>>
  /** Limit of the address space of its processes, in MB, where the system knows one. Default: none. */
  readonly memoryMb?: number
  /** Files at the root of a project of this language. Default: none is known. */
  readonly markers?: readonly string[]
  /** A package that has to be installed beside the server, which would take the copy of the project instead. */
  readonly beside?: BesideServer
  /** Says how to install the server. */
  readonly remedy?: string
}

export interface BesideServer {
  /** Within `node_modules`. */
  readonly path: string
  /** The option of the server that names it. */
  readonly option: readonly [group: string, name: string]
  /** Says how to install it. */
  readonly remedy: string
}

/** A language server whose program was found. */
export interface FoundLanguage extends LanguageSetup {
  /** The absolute path of its program. */
  readonly program: string
}

/** A language in a settings file. Fields that it leaves out keep pipe's values. */
export interface LanguageEntry {
  readonly name: string
  readonly command?: readonly string[]
  /** With their dot. */
  readonly extensions?: readonly string[]
  readonly languageId?: string
  readonly initialization?: JsonObject
  readonly isDisabled?: boolean
}

/** A program that formats files with an ending. It reads a file on stdin and prints it formatted. */
export interface FormatterEntry {
  /** With its dot: `.ts`. */
  readonly extension: string
  /** The program and its arguments. `{file}` stands for the path of the file. */
  readonly command: readonly string[]
}
