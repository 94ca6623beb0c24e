import type { AuditLog } from '../../../audit.ts'
import { hasCode, isSurvivable } from '../../../error.ts'
import type { SessionId } from '../../../id.ts'
import type { SessionLog, SessionStore, SessionSummary } from '../../../session.ts'
import type { Machine } from '../../machine.ts'
import type { TaskAuditOptions } from '../audit/task-audit.ts'
import type { SharedTasks } from '../tasks/open-task-database.ts'
import { findTaskStore } from '../tasks/task-store.ts'

/** The sessions on disk, then those of tasks in the database that keeps them, if there is one. New ones are on disk. */
export interface AllSessions extends SessionStore {
  /** Opens the audit log of a session that this store has opened in the database; `undefined` for one on disk. */
  openAudit(session: SessionLog, options: TaskAuditOptions): AuditLog | undefined
  /** Closes the connections. */
  close(): Promise<void>
}

export interface AllSessionsOptions {
  readonly machine: Machine
  /** The sessions on disk. */
  readonly files: SessionStore
  /** Wraps the sessions of the database. Default: they stay as they are. */
  readonly wrap?: (store: SessionStore) => SessionStore
}

/**
 * Joins the sessions on disk with those of tasks. Connects to the database only for a session that is not on disk, and for a list. A list
 * leaves its sessions out with a warning if it cannot be reached.
 */
export function joinTaskSessions(options: AllSessionsOptions): AllSessions {
  return new JoinedSessions(options)
}

class JoinedSessions implements AllSessions {
  readonly #options: AllSessionsOptions
  readonly #openedThere = new Set<SessionId>()
  #opening: Promise<{ readonly tasks: SharedTasks; readonly store: SessionStore } | undefined> | undefined
  #tasks: SharedTasks | undefined

  constructor(options: AllSessionsOptions) {
    this.#options = options
  }

  create: SessionStore['create'] = (session, options) => this.#options.files.create(session, options)

  open: SessionStore['open'] = (id, options) =>
    this.#whereItIs(
      () => this.#options.files.open(id, options),
      async (shared) => {
        const opened = await shared.open(id, options)
        this.#openedThere.add(id)
        return opened
      },
    )

  load: SessionStore['load'] = (id, options) =>
    this.#whereItIs(
      () => this.#options.files.load(id, options),
      (shared) => shared.load(id, options),
    )

  find: SessionStore['find'] = async (beginning, options) => {
    const onDisk = await this.#options.files.find(beginning, options)
    if (onDisk.length > 0) return onDisk
    return (await this.#shared())?.find(beginning, options) ?? []
  }

  list: SessionStore['list'] = (options) =>
    newestFirst(this.#options.files.list(options)[Symbol.asyncIterator](), this.#listShared(options))

  openAudit: AllSessions['openAudit'] = (session, options) =>
    this.#openedThere.has(session.id) ? this.#tasks?.openAudit(session, options) : undefined

  async close(): Promise<void> {
    await (await this.#opening)?.tasks.close()
  }

  async #whereItIs<Result>(
    onDisk: () => Promise<Result>,
    there: (store: SessionStore) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await onDisk()
    } catch (error) {
      if (!hasCode(error, 'not_found')) throw error
      const shared = await this.#shared()
      if (shared === undefined) throw error
      return there(shared)
    }
  }

  async *#listShared(
    options: Parameters<SessionStore['list']>[0],
  ): AsyncGenerator<SessionSummary, undefined, undefined> {
    try {
      const shared = await this.#shared()
      if (shared !== undefined) yield* shared.list(options)
    } catch (error) {
      if (!isSurvivable(error)) throw error
      this.#options.machine.warn(`the sessions of tasks are left out: ${error.message}`)
    }
  }

  /** The sessions in the database; `undefined` if files keep the tasks. */
  async #shared(): Promise<SessionStore | undefined> {
    this.#opening ??= this.#connect()
    return (await this.#opening)?.store
  }

  async #connect() {
    const { machine, wrap = (store) => store } = this.#options
    const url = await findTaskStore(machine)
    if (url === undefined) return undefined
    const { openSharedTasks } = await import('../tasks/open-task-database.ts')
    const tasks = openSharedTasks(machine, url)
    this.#tasks = tasks
    return { tasks, store: wrap(await tasks.sessions()) }
  }
}

/** Merges two lists, each with what was written last first. */
async function* newestFirst(
  one: AsyncIterator<SessionSummary>,
  other: AsyncIterator<SessionSummary>,
): AsyncGenerator<SessionSummary, undefined, undefined> {
  try {
    let [a, b] = [await one.next(), await other.next()]
    for (;;) {
      if (a.done !== true && (b.done === true || a.value.updatedAt >= b.value.updatedAt)) {
        yield a.value
        a = await one.next()
      } else if (b.done !== true) {
        yield b.value
        b = await other.next()
      } else return
    }
  } finally {
    await one.return?.()
    await other.return?.()
  }
}
