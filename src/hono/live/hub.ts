import type { Clock } from '../../clock.ts'
import { PipeError } from '../../error.ts'
import { isSessionId, type SessionId } from '../../id.ts'
import type { SessionRow } from '../../json/served/session-schema.ts'
import { ShutdownReason } from '../../machine/shutdown-reason.ts'
import type { Backend, OpenRequest, ServedConversation } from '../backend.ts'
import { LiveSession } from './live-session.ts'
import { sessionRow } from './live-session-row.ts'
import { RecentKeys } from './recent-keys.ts'
import { RowChanges } from './row-changes.ts'
import { noSession, StoredSessions } from './stored-sessions.ts'
import { settleUnwatched } from './unwatched.ts'
import { WatchBell } from './watch-bell.ts'

export interface HubOptions {
  readonly backend: Backend
  readonly clock: Clock
  /** Conversations that may be open at once. Default: 200. */
  readonly mostOpen?: number
}

/** A conversation to open. Questions of all of them go to those who watch. */
export type HubRequest = Omit<OpenRequest, 'onAsk'>

interface Opening {
  /** Number of questions that an earlier run has left open. */
  readonly left: number
  /** Somebody else runs its turns. */
  readonly isBorrowed: boolean
}

/** Facts about the last opening of a session that its file does not hold. */
type Remembered = Pick<OpenRequest, 'project' | 'model' | 'thinking' | 'mode' | 'agent'>

const usualMostOpen = 200
/** Sessions whose last opening is remembered. */
const mostRemembered = 10_000
/** Milliseconds after which a conversation that nothing uses is closed, and between two looks for such. */
const unusedMs = 5 * 60_000
const sweepMs = 30_000

/** The open conversations of the server, one for each session. Whoever makes it closes it. */
export class Hub {
  readonly stored: StoredSessions
  readonly changes = new RowChanges()
  readonly #options: HubOptions
  readonly #live = new Map<SessionId, LiveSession>()
  readonly #reopening = new Map<SessionId, Promise<LiveSession>>()
  readonly #closing = new Map<SessionId, Promise<void>>()
  readonly #remembered = new RecentKeys<Remembered>(mostRemembered)
  readonly #opened = new WatchBell()
  readonly #ending = new AbortController()
  readonly #stopSweeping: () => void
  /** Conversations that are being opened. */
  #begun = 0
  /** Of a conversation that nobody used and that could not be closed. */
  #failure: { readonly error: unknown } | undefined

  constructor(options: HubOptions) {
    this.#options = options
    this.stored = new StoredSessions(options.backend)
    this.#stopSweeping = options.clock.every(sweepMs, () => this.#sweep())
  }

  /** The open sessions. */
  get all(): readonly LiveSession[] {
    return [...this.#live.values()]
  }

  /** Returns a session if it is open. */
  get(id: string): LiveSession | undefined {
    return isSessionId(id) ? this.#live.get(id) : undefined
  }

  isWatched(id: string): boolean {
    return this.get(id)?.isWatched ?? false
  }

  /** Waits until a session is open. Returns `undefined` once the signal fires or the hub is closed. */
  async whenOpen(id: string, signal: AbortSignal): Promise<LiveSession | undefined> {
    while (!signal.aborted && !this.#ending.signal.aborted) {
      const live = this.get(id)
      if (live !== undefined) return live
      await this.#opened.next(signal)
    }
    return undefined
  }

  /**
   * Returns a session, and opens it where needed; requests at once share one opening. Throws `not_found`, `conflict` with `details.pid` if
   * another process has it, `overloaded`, and as `Backend.open` does.
   */
  open(id: string): Promise<LiveSession> {
    if (!isSessionId(id)) return Promise.reject(noSession(id))
    const live = this.#live.get(id)
    live?.touch()
    if (live !== undefined) return Promise.resolve(live)
    const begun = this.#reopening.get(id)
    if (begun !== undefined) return begun
    const opening = this.#reopen(id).finally(() => this.#reopening.delete(id))
    this.#reopening.set(id, opening)
    return opening
  }

  /** Begins a session. Throws `overloaded`, and as `Backend.open` does. */
  begin(request: Omit<HubRequest, 'session'>): Promise<LiveSession> {
    return this.#open({ ...request, session: { type: 'new' } }, { left: 0, isBorrowed: false })
  }

  /**
   * Opens a conversation whose turns the caller runs, and which the caller discards. Clients can watch it meanwhile and answer its questions.
   * Throws as `open` does.
   */
  borrow(request: HubRequest): Promise<LiveSession> {
    return this.#open(request, { left: 0, isBorrowed: true })
  }

  /** Closes a session. What waits for it stays on disk. Throws what closing its conversation throws. */
  discard(live: LiveSession): Promise<void> {
    const { id, project, conversation } = live
    const known = this.#closing.get(id)
    if (known !== undefined) return known
    if (this.#live.get(id) !== live) return Promise.resolve()
    const { agent, settings } = conversation
    this.#remembered.set(id, { ...settings, project, agent })
    this.#live.delete(id)
    const closing = live.close().finally(() => {
      this.#closing.delete(id)
      this.changes.mark(id)
    })
    this.#closing.set(id, closing)
    return closing
  }

  /** Describes a session, open or not. Throws `not_found`. */
  async row(id: string, signal: AbortSignal): Promise<SessionRow> {
    const live = this.get(id)
    const stored = await this.stored.find(id, { signal })
    if (live === undefined && stored === undefined) throw noSession(id)
    return sessionRow(stored, live)
  }

  /** Closes all conversations: their turns are interrupted, and their questions wait for the next run. */
  async close(): Promise<void> {
    this.#stopSweeping()
    this.#ending.abort(new ShutdownReason('the server ends'))
    this.#opened.ring()
    await Promise.allSettled(this.#reopening.values())
    const closed = await Promise.allSettled([
      ...this.#closing.values(),
      ...this.all.map((live) => this.discard(live)),
    ])
    const failed = closed.find(({ status }) => status === 'rejected')
    if (this.#failure !== undefined) throw this.#failure.error
    if (failed?.status === 'rejected') throw failed.reason
  }

  async #reopen(id: SessionId): Promise<LiveSession> {
    await this.#closing.get(id)
    const stored = await this.stored.find(id, { signal: this.#ending.signal })
    const remembered = this.#remembered.get(id)
    const project = stored?.project ?? remembered?.project
    if (project === undefined) throw noSession(id)
    const { mode, agent, model, thinking } = remembered ?? {}
    const left = stored?.summary.pending ?? 0
    // The file names the model that was chosen last; a session without a file has no message yet.
    const chosen = { mode, agent, thinking, model: stored === undefined ? model : undefined }
    return this.#open({ ...chosen, project, session: { type: 'named', id } }, { left, isBorrowed: false })
  }

  async #open(request: HubRequest, how: Opening): Promise<LiveSession> {
    const { signal } = this.#ending
    this.#begun++
    try {
      await this.#makeRoom()
      const { backend } = this.#options
      let live: LiveSession | undefined
      const onQuestion = settleUnwatched(backend.onUnwatched, () => live?.isWatched ?? false)
      const conversation = await backend.open(
        { ...request, onAsk: 'ask', onQuestion, leavesQueue: how.isBorrowed },
        { signal },
      )
      try {
        live = await this.#register(conversation, { ...how, project: request.project })
        return live
      } catch (error) {
        await conversation.close()
        throw error
      }
    } finally {
      this.#begun--
    }
  }

  async #register(
    conversation: ServedConversation,
    how: Opening & Pick<OpenRequest, 'project'>,
  ): Promise<LiveSession> {
    const { clock } = this.#options
    const { sessionId } = conversation
    if (sessionId === undefined)
      throw new PipeError('internal', 'the server opened a conversation that is not saved')
    if (this.#ending.signal.aborted) throw new PipeError('aborted', 'the server ends')
    const changed = () => this.changes.mark(sessionId)
    const live = new LiveSession({ ...how, conversation, sessionId, changed, clock })
    this.#live.set(sessionId, live)
    await live.begin()
    this.changes.mark(sessionId)
    this.#opened.ring()
    return live
  }

  /** Closes the conversation that was not used for longest, if too many are open. Throws `overloaded` if all are in use. */
  async #makeRoom(): Promise<void> {
    const { mostOpen = usualMostOpen } = this.#options
    if (this.#live.size + this.#begun <= mostOpen) return
    const [oldest] = this.all
      .filter(({ unusedFor }) => unusedFor > 0)
      .sort((a, b) => b.unusedFor - a.unusedFor)
    if (oldest === undefined)
      throw new PipeError('overloaded', `${mostOpen} conversations are already open, and all are in use`)
    await this.discard(oldest)
  }

  #sweep(): void {
    for (const live of this.all.filter(({ unusedFor }) => unusedFor >= unusedMs))
      this.discard(live).catch((error: unknown) => {
        this.#failure ??= { error }
      })
  }
}
