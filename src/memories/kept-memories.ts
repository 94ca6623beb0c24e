import type { Clock } from '../clock.ts'
import { isPipeError, PipeError } from '../error.ts'
import type { PatientLockOptions } from '../files/lock/lock.ts'
import { localDay } from '../machine/local-day.ts'
import type { KeptMemory, Memories, Memory, MemoryDraft, MemoryScope } from '../memory/memories.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Redact } from '../redaction/redaction.ts'
import { cleanText } from './clean-text.ts'
import type { MemoryDocument } from './memory-document.ts'
import { changeMemoryFile, type MemoryPlace, readMemoryFile } from './memory-file.ts'

export interface KeptMemoriesOptions {
  /** The file of each scope, the project's first. New memories go to the first file of their scope. */
  readonly places: readonly MemoryPlace[]
  readonly redact: Redact
  readonly clock: Clock
  /** Returns eight hexadecimal digits at random. */
  readonly newId: () => string
  /** The process that takes locks. */
  readonly holder: Omit<PatientLockOptions, 'signal'>
  /** Id of the session that keeps them. Default: none. */
  readonly session?: string | undefined
}

/** The memories of all files. */
export interface FoundMemories {
  /** The project's, then the user's, each in the order of its file. */
  readonly memories: readonly Memory[]
  /** The files that cannot be read, one line each. */
  readonly faults: readonly string[]
}

/** The memories of a project and of its user, in their files. */
export class KeptMemories implements Memories {
  readonly #options: KeptMemoriesOptions

  constructor(options: KeptMemoriesOptions) {
    this.#options = options
  }

  /** Reads all memories. Never throws: a file that cannot be read has a fault. */
  list(): FoundMemories {
    const memories: Memory[] = []
    const faults: string[] = []
    for (const place of this.#options.places) {
      try {
        memories.push(...readMemoryFile(place).memories)
      } catch (error) {
        if (!isPipeError(error)) throw error
        faults.push(error.message)
      }
    }
    return { memories, faults }
  }

  /** Finds the memory whose id begins so. Throws `input` if none or several do. */
  find(beginning: string): Memory {
    const { memories } = this.list()
    const found = memories.filter(({ id }) => id.startsWith(beginning.toLowerCase()))
    const [only, second] = found
    if (only === undefined || beginning === '')
      throw new PipeError('input', `there is no memory ${beginning}: pipe memory list shows their ids`)
    if (second !== undefined && second.id !== only.id)
      throw new PipeError(
        'input',
        `several ids begin with ${beginning}: ${found.map(({ id }) => id).join(', ')}`,
      )
    return only
  }

  /** Returns the file of a scope. */
  pathOf(scope: MemoryScope): string {
    return this.#place(scope).path
  }

  /** Returns the file that a memory is in. */
  fileOf({ id, scope }: Memory): string {
    const places = this.#options.places.filter((one) => one.scope === scope)
    const [only = this.#place(scope), ...more] = places
    if (more.length === 0) return only.path
    return (places.find((one) => readMemoryFile(one).memories.some((kept) => kept.id === id)) ?? only).path
  }

  draft(text: string, scope: MemoryScope): MemoryDraft {
    return { scope, text: cleanText(text, this.#options.redact), path: this.pathOf(scope) }
  }

  async keep(
    { text, scope, path }: MemoryDraft,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<KeptMemory> {
    const { clock, newId, holder, session } = this.#options
    const place = this.#place(scope)
    const date = localDay(clock.now())
    const add = (document: MemoryDocument) => {
      const { memories } = document
      const known = memories.find((one) => one.text === text)
      if (known !== undefined) return { result: { memory: known, path, isNew: false } }
      const entry = { id: freeId(newId, memories), text, date, ...omitUndefined({ session }) }
      const next = document.with(entry, place.heading)
      const memory = next.memories.find((one) => one.id === entry.id && one.text === text)
      if (memory === undefined)
        throw new PipeError('input', `${path} ends inside a code block or comment: close it, and try again`)
      return { document: next, result: { memory, path, isNew: true } }
    }
    return changeMemoryFile(place, add, { ...holder, signal })
  }

  /** Removes memories from their files. Those that are gone already are ignored. Throws as `keep`. */
  async forget(memories: readonly Memory[], { signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { places, holder } = this.#options
    for (const place of places) {
      const ids = new Set(memories.flatMap(({ id, scope }) => (scope === place.scope ? [id] : [])))
      const remove = (document: MemoryDocument) => ({
        ...(document.memories.some(({ id }) => ids.has(id)) && { document: document.without(ids) }),
        result: undefined,
      })
      if (ids.size > 0) await changeMemoryFile(place, remove, { ...holder, signal })
    }
  }

  #place(scope: MemoryScope): MemoryPlace {
    const place = this.#options.places.find((one) => one.scope === scope)
    if (place === undefined) throw new PipeError('internal', `memories have no file for ${scope}`)
    return place
  }
}

function freeId(newId: () => string, memories: readonly Memory[]): string {
  for (;;) {
    const id = newId()
    if (memories.every((one) => one.id !== id)) return id
  }
}
