import type { Clock } from '../../clock.ts'
import type { Ending } from '../../conversation.ts'
import { isPipeError, PipeError } from '../../error.ts'
import type { MessageId, SessionId } from '../../id.ts'
import type { InteractionResponse } from '../../interaction.ts'
import type { Posted } from '../../json/served/command-schema.ts'
import type { PermissionMode } from '../../permission.ts'
import type { ThinkingLevel } from '../../provider.ts'
import type { ServedSnapshot } from '../../wire/snapshot-json.ts'
import type { SentFile, ServedConversation, ServedProject } from '../backend.ts'
import { Resumption } from './live-resumption.ts'
import { OpenTurnFacts, turnOutcome } from './open-turn-facts.ts'
import { RecentKeys } from './recent-keys.ts'
import { requireChoice } from './required-choice.ts'

export interface LiveSessionOptions {
  readonly conversation: ServedConversation
  readonly project: ServedProject
  readonly sessionId: SessionId
  /** Number of questions that an earlier run has left open. */
  readonly left: number
  /** Somebody else runs the turns. */
  readonly isBorrowed: boolean
  /** Called when the session's row may have changed. */
  readonly changed: () => void
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
}

/** A message of a client. */
export interface Post {
  readonly text: string
  readonly files?: readonly SentFile[] | undefined
  /** Default: a new one. */
  readonly id?: MessageId | undefined
  /** `now` steers a running turn, `after` follows it. Without a turn, both begin one. */
  readonly when: 'now' | 'after'
}

/** Answers and accepted messages to remember, for clients that send them again. */
const mostRemembered = 1000

/** One conversation that the server has open. Its turns go on whether somebody watches or not. */
export class LiveSession {
  readonly id: SessionId
  readonly project: ServedProject
  readonly conversation: ServedConversation
  readonly facts = new OpenTurnFacts()
  /** ISO 8601, UTC. */
  readonly openedAt: string
  readonly #options: LiveSessionOptions
  readonly #resumption: Resumption
  readonly #answered = new RecentKeys<true>(mostRemembered)
  readonly #accepted = new RecentKeys<Posted>(mostRemembered)
  readonly #following: Promise<void>
  /** Settles after the last post; never rejects. */
  #posted: Promise<unknown> = Promise.resolve()
  readonly #closing = new AbortController()
  #watchers = 0
  #lastUsed: number

  constructor(options: LiveSessionOptions) {
    const { conversation, sessionId, project } = options
    this.id = sessionId
    this.project = project
    this.conversation = conversation
    this.openedAt = new Date(options.clock.now()).toISOString()
    this.#options = options
    this.#lastUsed = options.clock.monotonic()
    this.#resumption = new Resumption(conversation.canResume ? options.left : 0)
    this.#following = this.#follow()
  }

  /** Goes on with what an earlier run of the server has left: open questions first, then the messages that wait. */
  async begin(): Promise<void> {
    if (!this.#options.isBorrowed) await this.conversation.goOn()
  }

  get isRunning(): boolean {
    return this.conversation.isRunning
  }

  get isWatched(): boolean {
    return this.#watchers > 0
  }

  /** Milliseconds for which nothing has used it; 0 while something does. */
  get unusedFor(): number {
    const { facts } = this
    const isUsed = this.isRunning || this.isWatched || facts.questions > 0 || facts.elves.isAnyWorking
    return isUsed || this.#options.isBorrowed ? 0 : this.#options.clock.monotonic() - this.#lastUsed
  }

  touch(): void {
    this.#lastUsed = this.#options.clock.monotonic()
  }

  /** Counts a watcher until the returned function is called. */
  addWatcher(): () => void {
    this.#watchers++
    let isCounted = true
    return () => {
      if (isCounted) this.#watchers--
      isCounted = false
      this.touch()
    }
  }

  async snapshot(): Promise<ServedSnapshot> {
    const watched = this.conversation.watch()
    const { value } = await watched.next()
    await watched.return?.()
    if (value?.type !== 'snapshot') throw new PipeError('conflict', 'the session is being closed')
    return { ...value.snapshot, position: value.position }
  }

  /**
   * Takes a message: begins a turn with it, once it is saved; or keeps it on disk until it is delivered. The same id is answered the same
   * way and delivered once. Throws `input`, `permission`, `tool`, `overloaded` and the store's errors.
   */
  post(post: Post): Promise<Posted> {
    const posted = this.#posted.then(() => this.#post(post))
    this.#posted = Promise.allSettled([posted])
    return posted
  }

  /** Withdraws a message that waits. Throws `not_found` if none of this id waits any more. */
  takeBack(id: MessageId): Promise<void> {
    return this.conversation.takeBack(id)
  }

  /** Answers a question. Throws `not_found`, `conflict` if it was answered already, and `invalid`. */
  async respond(response: InteractionResponse): Promise<void> {
    const { interactionId } = response
    await this.#resumption.until(() => this.facts.isAsked(interactionId))
    if (this.#answered.get(interactionId) === true)
      throw new PipeError('conflict', `question ${interactionId} is already answered`)
    const { questions } = await this.snapshot()
    requireChoice(
      questions.find(({ id }) => id === interactionId),
      response,
    )
    await this.conversation.respond(response)
    this.#answered.set(interactionId, true)
  }

  /** Changes the model from the next round on. Throws `usage`, `config`, `auth`. */
  async setModel(name: string): Promise<void> {
    await this.conversation.setModel(name)
    this.touch()
  }

  /** Changes how much the model thinks from the next round on. Throws `usage`. */
  async setThinking(level: ThinkingLevel): Promise<void> {
    await this.conversation.setThinking(level)
    this.touch()
  }

  /** Changes the mode from the next call on. Returns a note for the user. */
  async setMode(mode: PermissionMode): Promise<string | undefined> {
    const note = await this.conversation.setMode(mode)
    this.touch()
    return note
  }

  /**
   * Returns what turns changed, as `ServedConversation.changes` does, once the last one has saved its files. Throws `conflict` while one
   * runs.
   */
  async changes(wanted: Parameters<ServedConversation['changes']>[0]): Promise<string | undefined> {
    if (this.facts.isTurn) throw new PipeError('conflict', 'the changes are known once the turn has ended')
    return this.conversation.alone(() => this.conversation.changes(wanted))
  }

  interrupt(): Promise<void> {
    return this.conversation.interrupt()
  }

  /** Interrupts a running turn and closes the conversation. What waits stays on disk. */
  async close(): Promise<void> {
    this.#closing.abort()
    try {
      await this.conversation.close()
    } finally {
      await this.#following
    }
  }

  async #post({ text, files, id, when }: Post): Promise<Posted> {
    this.touch()
    const known = id === undefined ? undefined : this.#known(id)
    if (known !== undefined) return known
    await this.conversation.prepare(text, this.#closing.signal)
    const composed = this.conversation.compose(text, files)
    const message = id === undefined ? composed : { ...composed, id }
    const status = await this.conversation.send(message, when === 'now' ? 'now' : 'later')
    const posted: Posted = { message_id: message.id, status }
    this.#accepted.set(message.id, posted)
    return posted
  }

  /** Returns the answer to a message that was accepted before, also by an earlier run of the server. */
  #known(id: MessageId): Posted | undefined {
    const accepted = this.#accepted.get(id)
    if (accepted !== undefined) return accepted
    const kind = this.conversation.queue.find((queued) => queued.id === id)?.kind
    if (kind !== undefined) return { message_id: id, status: statusOf(kind) }
    const isDelivered = this.conversation.messages.some((message) => message.id === id)
    return isDelivered ? { message_id: id, status: 'started' } : undefined
  }

  async #follow(): Promise<void> {
    for await (const watched of this.conversation.watch()) {
      this.#resumption.see(watched)
      if (watched.type === 'ended') {
        this.touch()
        await this.#saveEnd(watched.ending)
      }
      if (this.facts.see(watched)) this.#options.changed()
    }
    this.#resumption.end()
  }

  /** Saves the end before anybody is told of it. Without it, a later run only knows less. */
  async #saveEnd(ending: Ending): Promise<void> {
    const [outcome, after] = [turnOutcome(ending), this.facts.last]
    if (outcome === undefined || after === undefined) return
    try {
      await this.conversation.saveEnd({ after, outcome })
    } catch (error) {
      if (!isPipeError(error)) throw error
    }
  }
}

function statusOf(kind: 'steer' | 'follow_up'): Posted['status'] {
  return kind === 'steer' ? 'steering' : 'queued'
}
