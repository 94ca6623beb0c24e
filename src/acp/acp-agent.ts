import { isAbsolute } from 'node:path'
import {
  type AgentContext,
  agent,
  type ClientCapabilities,
  type InitializeResponse,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type SessionConfigOption,
  type SessionModeState,
  type Stream,
} from '@agentclientprotocol/sdk'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { type NewId, readSessionId } from '../id.ts'
import type { EditorBackend, EditorRequest } from './editor-backend.ts'
import { editorBuffers } from './editor-buffers.ts'
import { serversOf } from './editor-servers.ts'
import { EditorSession } from './editor-session.ts'
import { requestError } from './request-error.ts'
import { listPage } from './session-page.ts'

export interface EditorServing {
  readonly backend: EditorBackend
  readonly newId: NewId
  readonly clock: Clock
  /** The messages of both sides. */
  readonly stream: Stream
  /** Ends the connection. */
  readonly signal: AbortSignal
  /** Takes a line for whoever reads the editor's log. */
  readonly report: (line: string) => void
}

/** Opens a session. */
interface Opening {
  readonly cwd: string
  readonly additionalDirectories?: readonly string[] | null
  readonly mcpServers?: readonly McpServer[] | null
}

interface Opened {
  readonly session: EditorSession
  readonly modes: SessionModeState
  readonly configOptions: SessionConfigOption[]
}

/** Speaks to one editor until the stream ends or the signal fires. Its sessions are closed then. */
export async function serveEditor(serving: EditorServing): Promise<void> {
  const editor = new Editor(serving)
  const connection = editor.connect()
  const leave = () => connection.close()
  serving.signal.addEventListener('abort', leave, { once: true })
  if (serving.signal.aborted) leave()
  try {
    await connection.closed
  } finally {
    serving.signal.removeEventListener('abort', leave)
    await editor.close()
  }
}

/** One connected editor and its sessions. */
class Editor {
  readonly #serving: EditorServing
  readonly #sessions = new Map<string, EditorSession>()
  readonly #leaving = new AbortController()
  #capabilities: ClientCapabilities = {}

  constructor(serving: EditorServing) {
    this.#serving = serving
  }

  connect() {
    const { session } = methods.agent
    return agent({ name: 'pipe' })
      .onRequest(methods.agent.initialize, ({ params }) => {
        this.#capabilities = params.clientCapabilities ?? {}
        return answered(() => this.#initialize())
      })
      .onRequest(methods.agent.authenticate, () => answered(() => this.#authenticate()))
      .onRequest(methods.agent.logout, () =>
        answered(async () => {
          await this.#serving.backend.signOut({ signal: this.#leaving.signal })
          return {}
        }),
      )
      .onRequest(session.new, ({ params, client }) => answered(() => this.#begin(params, client)))
      .onRequest(session.load, ({ params, client }) =>
        answered(() => this.#continue(params.sessionId, params, { client, isShown: true })),
      )
      .onRequest(session.resume, ({ params, client }) =>
        answered(() => this.#continue(params.sessionId, params, { client, isShown: false })),
      )
      .onRequest(session.list, ({ params, signal }) =>
        answered(() =>
          listPage(this.#serving.backend.sessions(params.cwd ?? undefined, { signal }), params.cursor),
        ),
      )
      .onRequest(session.close, ({ params }) => answered(() => this.#close(params.sessionId)))
      .onRequest(session.delete, ({ params, signal }) =>
        answered(async () => {
          await this.#close(params.sessionId)
          await this.#serving.backend.remove(params.sessionId, { signal })
          return {}
        }),
      )
      .onRequest(session.prompt, ({ params, signal }) =>
        answered(async () => ({
          stopReason: await this.#find(params.sessionId).prompt(params.prompt, signal),
        })),
      )
      .onRequest(session.setMode, ({ params }) =>
        answered(async () => {
          await this.#find(params.sessionId).setMode(params.modeId)
          return {}
        }),
      )
      .onRequest(session.setConfigOption, ({ params }) =>
        answered(async () => {
          const found = this.#find(params.sessionId)
          await found.configure(params.configId, params.value)
          return { configOptions: found.configOptions }
        }),
      )
      .onNotification(session.cancel, ({ params }) => this.#sessions.get(params.sessionId)?.cancel())
      .connect(this.#serving.stream)
  }

  async close(): Promise<void> {
    this.#leaving.abort()
    const open = [...this.#sessions.values()]
    this.#sessions.clear()
    await Promise.all(open.map((session) => session.close()))
  }

  async #initialize(): Promise<InitializeResponse> {
    const { backend } = this.#serving
    const missing = await backend.missingModel({ signal: this.#leaving.signal })
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'pipe', title: 'pipe', version: backend.version },
      agentCapabilities: {
        loadSession: true,
        auth: { logout: {} },
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
      },
      // Some editors call the first method always, so there is none where nothing is missing.
      authMethods: missing === undefined ? [] : [signIn(missing, this.#capabilities)],
    }
  }

  async #authenticate(): Promise<Record<string, never>> {
    const missing = await this.#serving.backend.missingModel({ signal: this.#leaving.signal })
    if (missing !== undefined) throw new PipeError('auth', missing)
    return {}
  }

  async #begin(params: Opening, client: AgentContext) {
    const { session, ...shown } = await this.#open(undefined, params, client)
    // The editor learns the id by the answer, and what comes before is of no session that it knows.
    setImmediate(() => session.tellCommands())
    return { sessionId: session.id, ...shown }
  }

  async #continue(
    id: string,
    params: Opening,
    { client, isShown }: { readonly client: AgentContext; readonly isShown: boolean },
  ) {
    // An editor that has the session open may load it again.
    await this.#close(id)
    const { session, ...shown } = await this.#open(id, params, client)
    if (isShown) session.replay()
    setImmediate(() => session.tellCommands())
    return shown
  }

  async #open(id: string | undefined, params: Opening, client: AgentContext): Promise<Opened> {
    const { backend, newId, clock, report } = this.#serving
    const { signal } = this.#leaving
    let session: EditorSession | undefined
    const request: EditorRequest = {
      cwd: absolute(params.cwd, 'cwd'),
      added: (params.additionalDirectories ?? []).map((path) => absolute(path, 'additionalDirectories')),
      session: id === undefined ? { type: 'new' } : { type: 'resume', id: readSessionId(id) },
      servers: serversOf(params.mcpServers ?? []),
      buffers: editorBuffers({
        client,
        capabilities: this.#capabilities,
        clock,
        sessionId: () => session?.id,
      }),
    }
    const [conversation, models] = await Promise.all([
      backend.open(request, { signal }),
      backend.models(request.cwd, { signal }),
    ])
    session = new EditorSession(conversation, {
      id: conversation.sessionId ?? newId.session(),
      cwd: request.cwd,
      client,
      capabilities: this.#capabilities,
      factsOf: (name) => backend.factsOf(name),
      models,
      clock,
      report,
    })
    if (signal.aborted) {
      await session.close()
      signal.throwIfAborted()
    }
    this.#sessions.set(session.id, session)
    return { session, modes: session.modes, configOptions: session.configOptions }
  }

  async #close(id: string): Promise<Record<string, never>> {
    const open = this.#sessions.get(id)
    this.#sessions.delete(id)
    await open?.close()
    return {}
  }

  #find(id: string): EditorSession {
    const session = this.#sessions.get(id)
    if (session === undefined) throw RequestError.sessionNotFound(id)
    return session
  }
}

/** Answers a request, with errors in the words of the protocol. */
async function answered<T>(answer: () => Promise<T>): Promise<T> {
  try {
    return await answer()
  } catch (error) {
    throw requestError(error)
  }
}

/** Leads to a model: by a command in the editor's terminal, where it has one. The editor adds these words to those that start pipe. */
function signIn(missing: string, { auth }: ClientCapabilities) {
  const words = { id: 'key', name: 'Store the key of a provider', description: missing }
  return auth?.terminal === true ? { ...words, type: 'terminal' as const, args: ['sign-in'] } : words
}

function absolute(path: string, name: string): string {
  if (isAbsolute(path)) return path
  throw new PipeError('invalid', `${name} must be an absolute path, not ${JSON.stringify(path)}`)
}
