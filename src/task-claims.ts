import type { TaskId } from './id.ts'

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
