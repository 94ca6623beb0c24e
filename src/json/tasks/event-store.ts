import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../clock.ts'
import { PipeError, throwIfAborted } from '../../error.ts'
import {
  type AppendOptions,
  type EventStore,
  overtaken,
  type Projection,
  requireProjectionName,
  type SavedProjection,
  type StoredEvent,
} from '../../event-store.ts'
import { type Lock, waitForLock } from '../../files/lock/lock.ts'
import { tighten } from '../../files/mode.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { fileError } from '../../files/system-error.ts'
import { OneByOne } from '../../records/one-by-one.ts'
import { onlyOnce } from '../../records/only-once.ts'
import type { TaskEvent } from '../../task.ts'
import { asideEnding } from '../aside.ts'
import { requireEvents } from './format.ts'
import { LogReader, openIfThere } from './log-reader.ts'
import { appendLines, openLog, putAside } from './log-writer.ts'
import { encodeProjection, type LogPlace, readProjection } from './saved-projection.ts'
import { encodeLines } from './task-line.ts'

export interface EventStoreOptions {
  /** Absolute. Created with mode 0700 at the first write. */
  readonly directory: string
  readonly clock: Clock
  /** The process that appends, and its machine. */
  readonly pid: number
  readonly host: string
  /** Warns the user about damage in one line. */
  readonly warn: (line: string) => void
  /** Waits between two looks of a watch at the log, and throws `aborted`. Default: 50 ms. */
  readonly untilNextLook?: ((signal: AbortSignal) => Promise<void>) | undefined
}

/**
 * Opens the events of all tasks in a folder: `events.jsonl` with a header line and one line per event. Appends hold the lock
 * `events.lock`. Moves a line cut by a crash to `events.torn-<time>` and warns about it.
 */
export function createEventStore(options: EventStoreOptions): EventStore {
  return new FileEventStore(options)
}

interface Cancellable {
  readonly signal: AbortSignal
}

/** Milliseconds to wait for other processes that append. Each holds the lock for a few. */
const lockWaitMs = 30_000
/** Milliseconds between looks at a log that is watched. */
const watchMs = 50

class FileEventStore implements EventStore {
  readonly #options: EventStoreOptions
  readonly #path: string
  /** Warns about damage, once about each. */
  readonly #warn: (line: string) => void
  #tail: Tail
  /** A place in the log, from a saved projection. */
  #known: LogPlace | undefined
  /** The end of the log when it was last read. */
  #end: LogPlace | undefined
  readonly #appends = new OneByOne()
  #isClosed = false

  constructor(options: EventStoreOptions) {
    this.#options = options
    this.#warn = onlyOnce(options.warn)
    this.#path = join(options.directory, 'events.jsonl')
    this.#tail = this.#startOver()
  }

  async ensureSchema({ signal }: Cancellable): Promise<void> {
    this.#requireUsable(signal)
    const { directory } = this.#options
    makePrivateFolder(directory)
    if (tighten(directory, 0o700) === 'open')
      this.#warn(
        `other users can read your tasks in ${directory}: the file system there cannot restrict permissions`,
      )
    tighten(this.#path, 0o600)
    for await (const _ of this.readAll({ signal })) break
  }

  async append(
    streamId: string,
    events: readonly TaskEvent[],
    options: AppendOptions,
  ): Promise<readonly StoredEvent[]> {
    this.#requireUsable(options.signal)
    // The lock does not tell two appends of one process apart.
    return this.#appends.run(() => this.#append(streamId, events, options))
  }

  async *readAll({
    signal,
    after = 0,
  }: Cancellable & { readonly after?: number }): AsyncGenerator<StoredEvent, undefined, undefined> {
    this.#requireUsable(signal)
    yield* this.#read(this.#newReader(after), { signal, after })
  }

  async *readStream(
    streamId: string,
    { signal, fromSeq = 1 }: Cancellable & { readonly fromSeq?: number },
  ): AsyncGenerator<StoredEvent, undefined, undefined> {
    this.#requireUsable(signal)
    const reader = new LogReader(this.#path, this.#warn, { streamId })
    for await (const event of this.#read(reader, { signal, after: 0 }))
      if (event.streamId === streamId && event.seq >= fromSeq) yield event
  }

  async readById(id: number, { signal }: Cancellable): Promise<StoredEvent | undefined> {
    for await (const event of this.readAll({ signal, after: id - 1 }))
      return event.id === id ? event : undefined
    return undefined
  }

  async *watch({
    signal,
    after = 0,
  }: Cancellable & { readonly after?: number }): AsyncGenerator<StoredEvent, never, undefined> {
    const { clock, untilNextLook = (stop) => clock.sleep(watchMs, stop) } = this.#options
    const reader = this.#newReader(after)
    for (;;) {
      this.#requireUsable(signal)
      yield* this.#read(reader, { signal, after })
      await untilNextLook(signal)
    }
  }

  async getProjection<State>(
    { name, defaultState, decode }: Projection<State>,
    { signal }: Cancellable,
  ): Promise<SavedProjection<State>> {
    this.#requireUsable(signal)
    const none = { cursorEventId: 0, state: defaultState }
    const saved = readProjection(this.#projectionPath(name), this.#path)
    const state = saved && decode(saved.state)
    if (saved === undefined || state === undefined) return none
    const { cursorEventId, place } = saved
    // A cursor beyond the log belongs to a log that was removed.
    if (place === undefined && (await this.readById(cursorEventId, { signal })) === undefined) return none
    this.#known = place ?? this.#known
    return { cursorEventId, state }
  }

  async saveProjection<State>(
    { name, encode }: Projection<State>,
    { cursorEventId, state }: SavedProjection<State>,
    { signal }: Cancellable,
  ): Promise<void> {
    this.#requireUsable(signal)
    const path = this.#projectionPath(name)
    makePrivateFolder(join(this.#options.directory, 'projections'))
    const { writeAtomically } = await import('../../files/writing/atomic.ts')
    const place = this.#end?.id === cursorEventId ? this.#end : undefined
    const file = { cursorEventId, state: encode(state), ...(place !== undefined && { place }) }
    const text = `${JSON.stringify(encodeProjection(file, this.#path))}\n`
    await writeAtomically(path, Buffer.from(text), { mode: 0o600 })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#appends.ended()
  }

  async #append(
    streamId: string,
    events: readonly TaskEvent[],
    { expectedSeq, signal }: AppendOptions,
  ): Promise<readonly StoredEvent[]> {
    const lock = await this.#lock(signal)
    try {
      const file = openLog(this.#path)
      try {
        this.#catchUp(file.descriptor)
        const seq = this.#tail.seqs.get(streamId) ?? 0
        if (expectedSeq !== undefined && expectedSeq !== seq) throw overtaken(streamId, expectedSeq, seq)
        const stored = this.#stamp(streamId, events, seq)
        if (stored.length === 0) return stored
        const lines = encodeLines(stored)
        await requireEvents(lines)
        lock.requireHeld()
        appendLines(file.descriptor, lines, this.#tail.reader.offset)
        await file.sync()
        return stored
      } finally {
        file.close()
      }
    } catch (error) {
      throw fileError(error, this.#path, 'write')
    } finally {
      lock.release()
    }
  }

  #lock(signal: AbortSignal): Promise<Lock> {
    const { directory, pid, host, clock } = this.#options
    makePrivateFolder(directory)
    return waitForLock(join(directory, 'events.lock'), { pid, host, clock, signal, waitMs: lockWaitMs })
  }

  /** Reads what other processes have appended, and moves a cut end away. */
  #catchUp(descriptor: number): void {
    const { directory, clock } = this.#options
    const size = () => statSync(this.#path).size
    if (size() < this.#tail.reader.offset) this.#tail = this.#startOver()
    const { reader, seqs } = this.#tail
    for (let read = reader.read(descriptor); read !== undefined; read = reader.read(descriptor))
      for (const event of read) seqs.set(event.streamId, event.seq)
    const from = reader.offset
    if (size() === from) return
    const name = `events${asideEnding(clock)}`
    putAside(descriptor, { from, path: join(directory, name) })
    this.#warn(`the end of ${this.#path} was damaged by a crash; the damaged part was moved to ${name}`)
  }

  #stamp(streamId: string, events: readonly TaskEvent[], seq: number): readonly StoredEvent[] {
    const createdAt = new Date(this.#options.clock.now()).toISOString()
    const { lastId } = this.#tail.reader
    return events.map((event, i) => ({
      ...event,
      id: lastId + i + 1,
      streamId,
      seq: seq + i + 1,
      createdAt,
    }))
  }

  async *#read(
    reader: LogReader,
    { signal, after }: Cancellable & { readonly after: number },
  ): AsyncGenerator<StoredEvent, undefined, undefined> {
    const file = openIfThere(this.#path)
    if (file === undefined) return
    try {
      for (let read = reader.read(file.descriptor); read !== undefined; read = reader.read(file.descriptor)) {
        throwIfAborted(signal)
        for (const event of read) if (event.id > after) yield event
      }
      this.#end = { id: reader.lastId, offset: reader.offset }
    } finally {
      file.close()
    }
  }

  /** Returns a reader that begins as near before the events after this id as is known. */
  #newReader(after = 0): LogReader {
    const from = this.#known !== undefined && this.#known.id <= after ? this.#known : undefined
    return new LogReader(this.#path, this.#warn, { from })
  }

  #startOver(): Tail {
    return { reader: this.#newReader(), seqs: new Map() }
  }

  #projectionPath(name: string): string {
    requireProjectionName(name)
    return join(this.#options.directory, 'projections', `${name}.json`)
  }

  #requireUsable(signal: AbortSignal): void {
    throwIfAborted(signal)
    if (this.#isClosed) throw new PipeError('conflict', `the store of events in ${this.#path} is closed`)
  }
}

/** The end of the log as this process knows it. */
interface Tail {
  readonly reader: LogReader
  /** The number of the last event of each stream. */
  readonly seqs: Map<string, number>
}
