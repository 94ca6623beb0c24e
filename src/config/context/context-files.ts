import { dirname, join, relative } from 'node:path'
import { lookThrough } from '../../files/look.ts'
import { isWithin } from '../../machine/path.ts'
import { projectRoot } from '../git-head.ts'
import { cutToBytes } from '../text-start.ts'
import { type ContextFault, InstructionReader, type Instructions } from './instruction-reader.ts'

export type { ContextFault } from './instruction-reader.ts'

/** Limit of the context files of a start, or of one call later, in bytes. */
const budget = 32 * 1024

export interface ContextFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
  readonly truncated: boolean
  /** The user's own file, not one from the project. */
  readonly isOwn: boolean
}

export interface ContextFiles {
  readonly files: readonly ContextFile[]
  readonly faults: readonly ContextFault[]
}

/** Where instructions are looked for. */
export interface ContextPlaces {
  /** A real path. */
  readonly cwd: string
  /** The user's config folder. */
  readonly config: string
  readonly home: string
  /** Whether the user approved that the project's instructions import this file from outside of it. Default: no. */
  readonly mayImport?: ((path: string) => boolean) | undefined
}

/**
 * Reads the user's own instructions, then those of each folder from the project's root down to `cwd`, each with what it imports before it.
 * Cuts the total to 32 KiB, the nearest file last. Leaves out binary and unreadable files and what leads out of the project.
 */
export function readContextFiles(places: ContextPlaces): ContextFiles {
  const reader = readerOf(places)
  return cutAll(readAtStart(reader, places), reader.faults)
}

/** Lists the files outside of the project that its instructions would import. The user has approved none of them: real paths. */
export function importsFromOutside(places: ContextPlaces): readonly string[] {
  const reader = readerOf(places)
  readAtStart(reader, places)
  return [...reader.outside].sort()
}

function readerOf({ cwd, config, home, mayImport = () => false }: ContextPlaces): InstructionReader {
  // Twice the size, because text in UTF-16 may need only half of it in UTF-8.
  return new InstructionReader({ root: projectRoot(cwd), config, home, mayImport, limit: 2 * budget })
}

function readAtStart(reader: InstructionReader, { cwd }: ContextPlaces): readonly Instructions[] {
  const own = reader.own()
  return [...own, ...pathDown(projectRoot(cwd), cwd).flatMap((folder) => reader.folder(folder))]
}

function cutAll(found: readonly Instructions[], before: readonly ContextFault[]): ContextFiles {
  const faults = [...before]
  let left = budget
  const files: ContextFile[] = []
  for (const { path, text, isWhole, isOwn } of found.toReversed()) {
    const start = cutToBytes(text, left)
    const truncated = start !== text || !isWhole
    left -= Buffer.byteLength(start)
    if (start.trim() !== '') files.push({ path, text: start, truncated, isOwn })
    if (truncated) faults.push({ path, what: cutNote(start), isBroken: false })
  }
  return { files: files.reverse(), faults }
}

function cutNote(start: string): string {
  const limit = `the limit for instructions is ${budget / 1024} KiB in all`
  return start.trim() === ''
    ? `is skipped: ${limit}, and nearer files fill it`
    : `is cut after ${Buffer.byteLength(start)} bytes: ${limit}`
}

/** Instructions that count once work goes to the files that they are about: those of subfolders, and rules with paths. */
export class LaterInstructions {
  readonly #places: ContextPlaces
  readonly #given: Set<string>
  #reader: InstructionReader | undefined
  readonly #folders = new Set<string>()

  /** `given`: files whose instructions the model has from an earlier run of its conversation. */
  constructor(places: ContextPlaces, given: readonly string[]) {
    this.#places = places
    this.#given = new Set(given)
  }

  /** Returns the instructions about these files and folders of the project that were not returned before. Takes real paths. */
  about(paths: readonly string[]): ContextFiles {
    const root = projectRoot(this.#places.cwd)
    const inside = paths.filter((path) => isWithin(path, root))
    if (inside.length === 0) return { files: [], faults: [] }
    const reader = this.#opened()
    const known = reader.faults.length
    const folders = inside.flatMap((path) => pathDown(root, isFolder(path) ? path : dirname(path)))
    const news = folders.flatMap((folder) => {
      if (this.#folders.has(folder)) return []
      this.#folders.add(folder)
      return reader.folder(folder)
    })
    const scoped = reader.scoped.filter(({ isAbout }) => inside.some(isAbout))
    const fresh = [...news, ...scoped].filter(({ path }) => !this.#given.has(path))
    for (const { path } of fresh) this.#given.add(path)
    return cutAll(fresh, reader.faults.slice(known))
  }

  /** Reads what counts from the start when the first question comes. */
  #opened(): InstructionReader {
    if (this.#reader !== undefined) return this.#reader
    const { cwd } = this.#places
    this.#reader = readerOf(this.#places)
    readAtStart(this.#reader, this.#places)
    for (const folder of pathDown(projectRoot(cwd), cwd)) this.#folders.add(folder)
    return this.#reader
  }
}

function isFolder(path: string): boolean {
  return lookThrough(path)?.isDirectory() === true
}

function pathDown(root: string, folder: string): string[] {
  const steps = relative(root, folder).split('/').filter(Boolean)
  return [root, ...steps.map((_, i) => join(root, ...steps.slice(0, i + 1)))]
}
