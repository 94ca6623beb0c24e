import type { Clock } from '../../clock.ts'
import { PipeError } from '../../error.ts'
import type { MessageId, SessionId } from '../../id.ts'
import type { InteractionResponse } from '../../interaction.ts'
import type { Posted } from '../../json/served/command-schema.ts'
import type { UserMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { PermissionMode } from '../../permission.ts'
import type { ServedSnapshot } from '../../wire/snapshot-json.ts'
import type { Project, ServedConversation } from '../backend.ts'
import type { Bell } from './bell.ts'
import { Recent } from './recent.ts'
import { Resumption } from './resumption.ts'
import { TurnFacts } from './turn-facts.ts'
import { Turns, type TurnsOptions } from './turns.ts'
import type { WaitingMessages } from './waiting-messages.ts'

export interface LiveSessionOptions
  extends Pick<TurnsOptions, 'conversation' | 'waiting' | 'isBorrowed' | 'onUnwatched'> {
  readonly project: Project
  readonly sessionId: SessionId
  /** Number of questions that an earlier run has left open. */
  readonly left: number
  /** Called when the session's row may have changed. */
  readonly changed: () => void
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
}

/** A message of a client. */
export interface Post {
  readonly text: string
  /** Default: a new one. */
  readonly id?: MessageId
  /** `now` steers a running turn, `after` follows it. Without a turn, both begin one. */
  readonly when: 'now' | 'after'
}

/** Answers and accepted messages to remember, for clients that send them again. */
const mostRemembered = 1000

/** One conversation that the server has open. Its turns go on whether somebody watches or not. */
export class LiveSession {
  readonly id: SessionId
  readonly project: Project
  readonly conversation: ServedConversation
  readonly waiting: WaitingMessages
  readonly facts = new TurnFacts()
  /** ISO 8601, UTC. */
  readonly openedAt: string
  readonly #options: LiveSessionOptions
  readonly #turns: Turns
  readonly #resumption: Resumption
  readonly #answered = new Recent<true>(mostRemembered)
  readonly #accepted = new Recent<Posted>(mostRemembered)
  readonly #following: Promise<void>
  #failure: PipeError | undefined
  /** Settles after the last post; never rejects. */
  #posted: Promise<unknown> = Promise.resolve()
  #watchers = 0
  #lastUsed: number

  constructor(options: LiveSessionOptions) {
    const { conversation, sessionId, project, waiting } = options
    this.id = sessionId
    this.project = project
    this.conversation = conversation
    this.waiting = waiting
    this.openedAt = new Date(options.clock.now()).toISOString()
    this.#options = options
    this.#lastUsed = options.clock.monotonic()
    this.#resumption = new Resumption(conversation.canResume ? options.left : 0)
    this.#turns = new Turns({
      ...options,
      facts: this.facts,
      isWatched: () => this.isWatched,
      ended: (failure) => this.#ended(failure),
    })
    this.#following = this.#follow()
  }

  /** Goes on with what an earlier run of the server has left: open questions first, then the messages that wait. */
  begin(): void {
    if (this.#options.isBorrowed) return
    if (this.conversation.canResume) this.#turns.resume()
    else this.#turns.goOn()
  }

  get isRunning(): boolean {
    return this.#turns.isRunning
  }

  /** Rings when messages wait or wait no longer, when a turn has failed, and when the model or the mode was set. */
  get changes(): Bell {
    return this.waiting.changes
  }

  /** The reason why the last turn that failed did. */
  get failure(): PipeError | undefined {
    return this.#failure
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
    return { ...value.snapshot, position: value.position, queue: this.waiting.all }
  }

  /**
   * Takes a message: begins a turn with it, once it is saved; or keeps it on disk until it is delivered. The same id is answered the same
   * way and delivered once. Throws `input`, `permission`, `overloaded` and the store's errors.
   */
  post(post: Post): Promise<Posted> {
    const posted = this.#posted.then(() => this.#post(post))
    this.#posted = Promise.allSettled([posted])
    return posted
  }

  /** Withdraws a message that waits. Throws `not_found` if none of this id waits any more. */
  async takeBack(id: MessageId): Promise<void> {
    const entry = this.waiting.find(id)
    if (entry === undefined) throw new PipeError('not_found', `no message ${id} is waiting`)
    this.#turns.withdraw(entry)
    await this.waiting.remove(id)
  }

  /** Answers a question. Throws `not_found`, `conflict` if it was answered already, and `invalid`. */
  async respond(response: InteractionResponse): Promise<void> {
    const { interactionId } = response
    await this.#resumption.until(() => this.facts.isAsked(interactionId))
    if (this.#answered.get(interactionId) === true)
      throw new PipeError('conflict', `question ${interactionId} was answered already`)
    this.conversation.send({ type: 'respond', response })
    this.#answered.set(interactionId, true)
  }

  /** Changes the model from the next round on. Throws `usage`, `config`, `auth`. */
  async setModel(name: string): Promise<void> {
    await this.conversation.setModel(name)
    this.#tellSetting()
  }

  /** Changes the mode from the next call on. Returns a note for the user. */
  async setMode(mode: PermissionMode): Promise<string | undefined> {
    const note = await this.conversation.setMode(mode)
    this.#tellSetting()
    return note
  }

  interrupt(): void {
    this.conversation.send({ type: 'interrupt' })
  }

  /** Shortens the history before the next request, or now in a turn of its own. */
  async compact(keep: string | undefined): Promise<void> {
    await this.#turns.untilSaved()
    this.conversation.send({ type: 'compact', ...omitUndefined({ keep }) })
    if (!this.isRunning) this.#turns.resume()
  }

  /** Interrupts a running turn and closes the conversation. What waits stays on disk. */
  async close(): Promise<void> {
    this.#turns.close()
    try {
      await this.conversation.close()
    } finally {
      await this.#turns.settle()
      await this.#following
      this.#turns.release()
      await this.waiting.settle()
    }
  }

  async #post({ text, id, when }: Post): Promise<Posted> {
    this.touch()
    const known = id === undefined ? undefined : this.#known(id)
    if (known !== undefined) return known
    await this.#turns.untilSaved()
    const composed = this.conversation.compose(text)
    const message = id === undefined ? composed : { ...composed, id }
    const isStarted = !this.isRunning && (await this.#start(message))
    const status = isStarted ? 'started' : await this.#keep(message, when)
    const posted: Posted = { message_id: message.id, status }
    this.#accepted.set(message.id, posted)
    return posted
  }

  /** Returns the answer to a message that was accepted before, also by an earlier run of the server. */
  #known(id: MessageId): Posted | undefined {
    const accepted = this.#accepted.get(id)
    if (accepted !== undefined) return accepted
    const kind = this.waiting.find(id)?.kind
    if (kind !== undefined) return { message_id: id, status: statusOf(kind) }
    const isDelivered = this.conversation.messages.some((message) => message.id === id)
    return isDelivered ? { message_id: id, status: 'started' } : undefined
  }

  /** Begins a turn with a message, which is on disk before the turn does anything. Returns false if another turn began first. */
  async #start(message: UserMessage): Promise<boolean> {
    await this.waiting.hold({ message, kind: 'follow_up' })
    const isFree = !this.isRunning
    try {
      if (isFree) await this.#turns.start(message)
      else await this.waiting.drop(message.id)
      return isFree
    } catch (error) {
      await this.waiting.drop(message.id)
      throw error
    }
  }

  async #keep(message: UserMessage, when: Post['when']): Promise<Posted['status']> {
    const kind = when === 'now' ? 'steer' : 'follow_up'
    await this.waiting.add({ message, kind })
    // The turn may have ended while it was written.
    if (!this.isRunning) this.#turns.goOn()
    else if (kind === 'steer') this.#turns.steer(message)
    return statusOf(kind)
  }

  #tellSetting(): void {
    this.touch()
    this.changes.ring()
    this.#options.changed()
  }

  async #follow(): Promise<void> {
    for await (const watched of this.conversation.watch()) {
      const isChanged = this.facts.see(watched)
      this.#resumption.see(watched)
      this.#turns.see(watched)
      if (isChanged) this.#options.changed()
    }
  }

  #ended(failure: PipeError | undefined): void {
    if (failure !== undefined && failure.code !== 'aborted') {
      this.#failure = failure
      this.changes.ring()
    }
    this.#resumption.end()
    this.touch()
    this.#options.changed()
  }
}

function statusOf(kind: 'steer' | 'follow_up'): Posted['status'] {
  return kind === 'steer' ? 'steering' : 'queued'
}
