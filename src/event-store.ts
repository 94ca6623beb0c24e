import { PipeError } from './error.ts'
import type { TaskId } from './id.ts'
import type { JsonValue } from './json-value.ts'
import type { TaskEvent } from './task.ts'

/** An event as the store keeps it. */
export type StoredEvent = TaskEvent & {
  /** Counted from 1 over all streams, without gaps, in the order of commits. */
  readonly id: number
  /** The id of the event's task. */
  readonly streamId: string
  /** Counted from 1 within the stream. */
  readonly seq: number
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

interface Cancellable {
  readonly signal: AbortSignal
}

export interface AppendOptions extends Cancellable {
  /** Events that the stream must have before. Default: any number. */
  readonly expectedSeq?: number
}

/** A state folded from events, and its JSON form. */
export interface Projection<State> {
  /** Letters, digits, `_` and `-`. */
  readonly name: string
  readonly defaultState: State
  encode(state: State): JsonValue
  /** Returns `undefined` for JSON that is not such a state. */
  decode(value: JsonValue): State | undefined
}

/** A saved state, and the last event in it; 0 before the first. */
export interface SavedProjection<State> {
  readonly cursorEventId: number
  readonly state: State
}

/**
 * A log of events that several processes append to and read. Every method may throw `aborted`, `permission` and `internal`; after
 * `close` all others throw `conflict`.
 */
export interface EventStore {
  /** Creates what is missing. Throws `input` if a newer version of pipe has written it. */
  ensureSchema(options: Cancellable): Promise<void>
  /**
   * Appends all events or none, on disk when it resolves. Throws `conflict` with `details.expected_seq` and `details.actual_seq` if the
   * stream has other events than expected, and `invalid` for a malformed event or a full disk.
   */
  append(
    streamId: string,
    events: readonly TaskEvent[],
    options: AppendOptions,
  ): Promise<readonly StoredEvent[]>
  /** Reads all events after this id, in order. Default: from the first. */
  readAll(
    options: Cancellable & { readonly after?: number },
  ): AsyncGenerator<StoredEvent, undefined, undefined>
  /** Reads the events of a stream from this number on. Default: from the first. */
  readStream(
    streamId: string,
    options: Cancellable & { readonly fromSeq?: number },
  ): AsyncGenerator<StoredEvent, undefined, undefined>
  /** Returns one event; `undefined` if there is none. */
  readById(id: number, options: Cancellable): Promise<StoredEvent | undefined>
  /** Returns a saved state, or the default one with cursor 0 if there is none that fits the log. */
  getProjection<State>(projection: Projection<State>, options: Cancellable): Promise<SavedProjection<State>>
  saveProjection<State>(
    projection: Projection<State>,
    saved: SavedProjection<State>,
    options: Cancellable,
  ): Promise<void>
  /** Yields all events after this id, then those that any process appends, until the signal fires: it ends by throwing `aborted`. */
  watch(options: Cancellable & { readonly after?: number }): AsyncGenerator<StoredEvent, never, undefined>
  /** Resolves once appends that have begun are over. May be called any number of times. */
  close(): Promise<void>
}

/** The error of an append to a stream that has other events than expected. */
export function overtaken(streamId: string, expected: number, actual: number): PipeError {
  return new PipeError(
    'conflict',
    `${streamId} has ${actual} events, not ${expected}: another process has changed it meanwhile`,
    { details: { stream_id: streamId, expected_seq: String(expected), actual_seq: String(actual) } },
  )
}

/** Throws `invalid` if a projection may not be called this. */
export function requireProjectionName(name: string): void {
  if (/^[A-Za-z0-9_-]+$/.test(name)) return
  throw new PipeError('invalid', `not a name of a projection: ${JSON.stringify(name)}`)
}

/** Lets one worker at a time work on a task. */
export interface TaskClaims {
  /**
   * Claims a task until `release`, or until this process or its connection ends. Returns `undefined` while another worker holds it. Throws
   * `aborted`, `network`.
   */
  claim(taskId: TaskId, options: { readonly signal: AbortSignal }): Promise<TaskClaim | undefined>
}

/** The right to work on a task. */
export interface TaskClaim {
  /** Fires once the claim is lost: the worker must stop its turn and its commands. */
  readonly lost: AbortSignal
  /** May be called any number of times. */
  release(): Promise<void>
}

/** Keeps the work of tasks for other machines: git bundles of their refs. */
export interface WorkBundles {
  put(taskId: TaskId, bundle: Uint8Array, options: { readonly signal: AbortSignal }): Promise<void>
  /** Returns `undefined` if none was put. */
  get(taskId: TaskId, options: { readonly signal: AbortSignal }): Promise<Uint8Array | undefined>
  /** Returns the first bytes of what `get` returns, at most 4 KiB: the list of refs stands there. */
  start(taskId: TaskId, options: { readonly signal: AbortSignal }): Promise<Uint8Array | undefined>
  remove(taskId: TaskId, options: { readonly signal: AbortSignal }): Promise<void>
}
