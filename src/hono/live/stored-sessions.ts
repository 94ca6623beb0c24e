import { PipeError } from '../../error.ts'
import { branchOf } from '../../history/branch.ts'
import { queued } from '../../history/message-queue.ts'
import { isSessionId, type SessionId } from '../../id.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Session, SessionSummary } from '../../session.ts'
import { noUsage } from '../../usage.ts'
import type { ServedSnapshot } from '../../wire/snapshot-json.ts'
import type { Backend, ServedProject } from '../backend.ts'

/** A session in the store, and the project in whose folder it was begun. */
export interface StoredSession {
  readonly summary: SessionSummary
  readonly project: ServedProject
}

interface Reading {
  readonly signal: AbortSignal
}

export interface ListOptions extends Reading {
  /** Default: those of all projects. */
  readonly project?: ServedProject | undefined
  /** Lists the elves' sessions of this one. Default: those that are no elf's. */
  readonly parent?: SessionId
}

/** The error of an id that no session of the projects has. */
export function noSession(id: string): PipeError {
  return new PipeError('not_found', `there is no session ${id} in the folders of this server`)
}

/** The sessions on disk that this server may show: those of its projects. Reading takes no lock. */
export class StoredSessions {
  readonly #backend: Pick<Backend, 'projectOf' | 'sessions' | 'summary' | 'queues'>

  constructor(backend: Pick<Backend, 'projectOf' | 'sessions' | 'summary' | 'queues'>) {
    this.#backend = backend
  }

  /** Returns `undefined` if there is no such session in the projects. Reads the ends of its file only. */
  async find(id: string, { signal }: Reading): Promise<StoredSession | undefined> {
    if (!isSessionId(id)) return undefined
    const summary = await this.#backend.summary(id, { signal })
    return summary && this.#served(summary)
  }

  /** Lists sessions, the one written last first. */
  async *list({ signal, project, parent }: ListOptions): AsyncGenerator<StoredSession, undefined, undefined> {
    for await (const summary of this.#backend.sessions.list({ signal })) {
      if (summary.parentId !== parent) continue
      const served = this.#served(summary)
      if (served !== undefined && (project === undefined || served.project.name === project.name))
        yield served
    }
  }

  /** Loads a whole session. Throws `not_found`, `input`. */
  async load(id: string, { signal }: Reading): Promise<Session> {
    const stored = await this.find(id, { signal })
    if (stored === undefined) throw noSession(id)
    return (await this.#backend.sessions.load(stored.summary.id, { signal })).session
  }

  /** Describes a session that this server has not open. Throws as `load` does. */
  async snapshot(id: string, { signal }: Reading): Promise<ServedSnapshot> {
    const session = await this.load(id, { signal })
    const messages = branchOf(session)
    const written = new Set(session.messages.map((message) => message.id))
    const queue = await this.#backend.queues.read(session.id)
    const { pending = [], usage = noUsage, costUsd } = session
    return {
      position: 'stored-0',
      state: 'idle',
      isSettled: true,
      messages,
      usage,
      ...omitUndefined({ costUsd }),
      reply: [],
      calls: [],
      questions: pending.flatMap(({ interaction, response }) =>
        response === undefined ? [interaction] : [],
      ),
      queue: queue.filter(({ message }) => !written.has(message.id)).map(queued),
    }
  }

  #served(summary: SessionSummary): StoredSession | undefined {
    const project = summary.cwd === undefined ? undefined : this.#backend.projectOf(summary.cwd)
    return project && { summary, project }
  }
}
