import { PipeError } from '../error.ts'
import type { ConversationView } from '../frontend/conversation-view.ts'
import { isSessionId, type SessionId } from '../id.ts'
import { decodeSnapshot } from '../json/served/decode-snapshot.ts'
import { modelListSchema } from '../json/served/model-schema.ts'
import { projectListSchema } from '../json/served/project-schema.ts'
import { type SessionRow, sessionRowSchema } from '../json/served/session-schema.ts'
import { snapshotSchema } from '../json/served/snapshot-schema.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'
import type { Message } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { PermissionMode } from '../permission.ts'
import type { SessionSummary } from '../session.ts'
import { reconnecting } from './reconnecting.ts'
import { RemoteConversation, type RemoteOptions } from './remote-conversation.ts'

/** A conversation to begin at a server, each with the server's own defaults. */
export interface NewRemoteSession {
  /** Its name. */
  readonly project?: string | undefined
  readonly model?: string | undefined
  readonly mode?: PermissionMode | undefined
  readonly agent?: string | undefined
  /** The name of a git worktree to work in. Default: the project's own folder. */
  readonly worktree?: string | undefined
  /** Its first message. Default: none. */
  readonly text?: string | undefined
}

/** An open session of a server, as the screen takes it, and what only servers offer. */
export interface RemoteView extends ConversationView {
  readonly conversation: RemoteConversation
  readonly sessionId: SessionId
  readonly mode: PermissionMode
  readonly project: string | undefined
}

/** Sessions asked for at once. */
const pageSize = 100

/** Owns the names in a list of models that stand for agents. */
const ownName = 'pipe'

/** The sessions of one server. Methods throw as those of `ServerClient`. */
export class RemoteServer {
  readonly #options: RemoteOptions

  constructor(options: RemoteOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.client.name
  }

  /** Lists the sessions of a project, by default of all, the one written last first. */
  async *sessions(project?: string): AsyncGenerator<SessionSummary, undefined, undefined> {
    for await (const row of this.#rows(project)) yield summaryOf(row)
    return undefined
  }

  /** Lists the models that it can use now, as `provider/model`. */
  async models(): Promise<readonly string[]> {
    const { client, signal } = this.#options
    const { success, data } = modelListSchema.safeParse(await client.get('/v1/models', signal))
    if (!success) throw this.#unlike('its models')
    return data.data.filter((model) => model.owned_by !== ownName).map(({ id }) => id)
  }

  /** Lists the folders that it works in. */
  async projects(): Promise<readonly { readonly name: string; readonly cwd: string }[]> {
    const { client, signal } = this.#options
    const { success, data } = projectListSchema.safeParse(await client.get('/v1/projects', signal))
    if (success) return data.projects
    throw this.#unlike('its folders')
  }

  /** Begins a session and returns its id. Throws `not_found` for an unknown project. */
  async begin(beginning: NewRemoteSession): Promise<SessionId> {
    const { client, signal } = this.#options
    return this.#readRow(await client.post('/v1/sessions', omitUndefined(beginning), signal)).id
  }

  /** Opens a session. Throws `not_found` if the server has none of this id. */
  async open(id: string): Promise<RemoteView> {
    const { client, signal } = this.#options
    const { snapshot, ...row } = await client.get(`/v1/sessions/${encodeURIComponent(id)}`, signal)
    const { id: sessionId, model, mode, agent, project } = this.#readRow(row)
    const now = this.#readSnapshot(snapshot, sessionId)
    const settings = { model: model ?? lastModel(now.messages), mode: mode ?? 'default' }
    return {
      conversation: new RemoteConversation(sessionId, { ...now, settings }, this.#options),
      sessionId,
      ...settings,
      agent,
      project,
      server: this.name,
      warnings: [],
    }
  }

  /** Finds a session by its id or the beginning of it. Throws `input` if several begin so. */
  async find(text: string): Promise<NamedSession | undefined> {
    let begun: Row | undefined
    for await (const row of this.#rows()) {
      if (row.id === text) return foundOf(row)
      if (!row.id.startsWith(text)) continue
      if (begun !== undefined)
        throw new PipeError(
          'input',
          `several sessions of ${this.name} begin with ${text}: type more of the id`,
        )
      begun = row
    }
    return begun && foundOf(begun)
  }

  /** Yields the lines of a session's events as the server sends them, until the signal fires. `onLost` gets each loss of the connection. */
  async *lines(id: string, onLost: (reason: string) => void): AsyncGenerator<JsonObject, void, undefined> {
    const { client, ...options } = this.#options
    const { signal } = options
    let after: string | undefined
    const path = `/v1/sessions/${encodeURIComponent(id)}/events`
    const listen = () => client.listen(path, { after, signal })
    for await (const step of reconnecting(listen, { ...options, name: client.name })) {
      if (step.type === 'lost') onLost(step.reason)
      if (step.type !== 'line') continue
      after = step.sent.id ?? after
      yield step.sent.line
    }
  }

  async *#rows(project?: string): AsyncGenerator<Row, undefined, undefined> {
    const { client, signal } = this.#options
    let before: string | undefined
    do {
      const query = new URLSearchParams({ limit: String(pageSize), ...omitUndefined({ project, before }) })
      const { sessions, next } = await client.get(`/v1/sessions?${query}`, signal)
      if (!Array.isArray(sessions)) throw this.#unlike('its sessions')
      for (const row of sessions) yield this.#readRow(row)
      before = typeof next === 'string' && sessions.length > 0 ? next : undefined
    } while (before !== undefined)
    return undefined
  }

  #readSnapshot(value: JsonValue | undefined, session: SessionId) {
    const { success, data } = snapshotSchema.safeParse(value)
    if (success) return decodeSnapshot(data, session)
    throw this.#unlike('the messages of a session')
  }

  #readRow(value: JsonValue): Row {
    const { success, data } = sessionRowSchema.safeParse(value)
    if (success && isSessionId(data.id)) return { ...data, id: data.id }
    throw this.#unlike('a session')
  }

  #unlike(what: string): PipeError {
    return new PipeError(
      'protocol',
      `${this.name} describes ${what} in a way that this version of pipe does not understand`,
    )
  }
}

/** A session that a text names. */
export interface NamedSession {
  readonly id: SessionId
  /** The server has it open. */
  readonly isOpen: boolean
}

function foundOf({ id, is_open: isOpen }: Row): NamedSession {
  return { id, isOpen }
}

type Row = Omit<SessionRow, 'id'> & { readonly id: SessionId }

/** Returns the model of the last reply: the server does not know that of a session which is not open. */
function lastModel(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.type === 'assistant')
  return last?.provider === undefined ? 'no model yet' : `${last.provider}/${last.model ?? ''}`
}

function summaryOf({ id, title, opening, cwd, ...row }: Row): SessionSummary {
  const { created_at: createdAt, updated_at: updatedAt, questions: pending } = row
  const activity = row.questions > 0 ? 'waiting' : row.is_running ? 'running' : row.outcome
  return { id, createdAt, updatedAt, pending, ...omitUndefined({ title, opening, cwd, activity }) }
}
