import { dirname, isAbsolute, join, resolve } from 'node:path'
import { lookThrough } from '../files/look.ts'
import { followed } from '../files/real-path.ts'
import { isJsonObject, type JsonObject } from '../json-value.ts'
import type { FoundLanguage, LanguageSetup } from '../machine/language-setup.ts'
import { isUnusedRustupLink } from '../process/rustup-link.ts'
import { findProgram } from '../process/search-path.ts'

export interface LocateOptions {
  /** The value of `PATH`. */
  readonly path: string
  /** Folders that may hold files of others: those of the project. */
  readonly except: readonly string[]
  /** The folder that a command with a slash starts from. */
  readonly root: string
  /** The home of the user, where a rustup without variables of its own keeps what it installed. */
  readonly home: string
}

/** Finds the program of a language server, never in the project. Returns why it cannot be used, if it is there and cannot; `undefined` if it is not there. */
export function locateLanguage(
  language: LanguageSetup,
  where: LocateOptions,
): FoundLanguage | string | undefined {
  const program = locateProgram(language, where)
  if (program === undefined || language.beside === undefined) return program && { ...language, program }
  const { beside, initialization = {} } = language
  const [group, option] = beside.option
  const given = initialization[group]
  const options: JsonObject = isJsonObject(given) ? given : {}
  if (options[option] !== undefined) return { ...language, program }
  const found = findBeside(followed(program), beside.path)
  if (found === undefined)
    return `it needs ${beside.path} beside it, and never uses a project's: ${beside.remedy}`
  return {
    ...language,
    program,
    initialization: { ...initialization, [group]: { ...options, [option]: found } },
  }
}

function locateProgram(
  { command: [name = ''] }: LanguageSetup,
  { path, except, root, home }: LocateOptions,
): string | undefined {
  if (name.includes('/')) return existing(isAbsolute(name) ? name : resolve(root, name))
  const program = findProgram(name, path, except)
  const isUnused = program !== undefined && isUnusedRustupLink(program, { target: followed(program), home })
  return isUnused ? undefined : program
}

function existing(path: string): string | undefined {
  return lookThrough(path) === undefined ? undefined : path
}

/** Finds a file of another package as Node does: in `node_modules` of each folder upwards. */
function findBeside(program: string, path: string): string | undefined {
  for (let folder = dirname(program); ; folder = dirname(folder)) {
    const found = existing(join(folder, 'node_modules', path))
    if (found !== undefined || folder === dirname(folder)) return found
  }
}
