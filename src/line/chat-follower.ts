import { WatchedQuestions } from '../agent/conversation/watched-questions.ts'
import { bugOf, type LocalConversation, type Watched } from '../conversation.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import { PromptRefused } from '../turn-hooks.ts'

export interface ChatFollowerOptions {
  readonly conversation: LocalConversation
  /** Shows what happens, in order. */
  readonly onWatched: (watched: Watched) => void
  /** Tells the user that a prompt was not sent. */
  readonly onRefused: (error: PromptRefused) => void
  /** Puts a question to the user. */
  readonly answer: (question: Interaction, signal: AbortSignal) => Promise<InteractionResponse>
}

/** Follows the open conversation: shows its turns and its elves. Questions that come while the user is typing wait for `during`. */
export class ChatFollower {
  readonly #options: ChatFollowerOptions
  readonly #questions: WatchedQuestions
  readonly #leaving = new AbortController()
  readonly #following: Promise<void>
  #news = new AbortController()
  #failure: { readonly error: unknown } | undefined
  /** Number of questions that wait or are being asked. */
  #asked = 0
  #isAttended = false
  readonly #attend: (() => void)[] = []
  #wake: () => void = () => undefined

  constructor(options: ChatFollowerOptions) {
    this.#options = options
    this.#questions = new WatchedQuestions(options.conversation, (question, { signal }) =>
      this.#ask(question, signal),
    )
    this.#following = this.#follow()
  }

  /** Returns a signal that fires when a turn starts that nobody began here, or when an elf asks. What is over by now does not fire it. */
  nextNews(): AbortSignal {
    if (this.#news.signal.aborted) this.#news = new AbortController()
    return this.#news.signal
  }

  /** Whether `during` should be called before the user types on. */
  get isNeeded(): boolean {
    return this.#isBusy || this.#failure !== undefined
  }

  /** Begins something, asks what is asked meanwhile, and resolves once no turn runs. Throws what showing it or asking threw. */
  async during(begin: () => Promise<unknown>): Promise<void> {
    this.#isAttended = true
    for (const attend of this.#attend.splice(0)) attend()
    try {
      // Those who watch are told of all other failures.
      await begin().catch((error: unknown) => {
        if (error instanceof PromptRefused) this.#options.onRefused(error)
      })
      while (this.#isBusy && this.#failure === undefined) await this.#change()
      if (this.#failure !== undefined) throw this.#failure.error
    } finally {
      this.#isAttended = false
    }
  }

  async close(): Promise<void> {
    this.#leaving.abort()
    this.#questions.close()
    await this.#following
  }

  get #isBusy(): boolean {
    return this.#options.conversation.isRunning || this.#asked > 0
  }

  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }

  /** Never rejects. */
  async #follow(): Promise<void> {
    const { conversation, onWatched } = this.#options
    try {
      for await (const watched of conversation.watch({ keepsPace: true, signal: this.#leaving.signal })) {
        onWatched(watched)
        this.#questions.see(watched)
        if (watched.type === 'ended') this.#end(bugOf(watched.ending))
        if (isNews(watched) && !this.#isAttended) this.#news.abort()
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  #end(bug: unknown): void {
    if (bug !== undefined) this.#fail(bug)
    const failure = this.#questions.failure
    if (failure !== undefined) this.#fail(failure.error)
    this.#wake()
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#news.abort()
    this.#wake()
  }

  async #ask(question: Interaction, signal: AbortSignal): Promise<InteractionResponse> {
    this.#asked++
    try {
      if (!this.#isAttended) await new Promise<void>((resolve) => this.#attend.push(resolve))
      return await this.#options.answer(question, signal)
    } finally {
      this.#asked--
      this.#wake()
    }
  }
}

function isNews(watched: Watched): boolean {
  if (watched.type === 'event') return watched.isOwn && watched.event.type === 'turn_start'
  return watched.type === 'asked'
}

/** Follows the conversation that is open: another one may replace it. */
export class OpenFollower {
  readonly #options: () => ChatFollowerOptions
  #opened: { readonly conversation: LocalConversation; readonly follower: ChatFollower } | undefined
  readonly #left: Promise<void>[] = []

  constructor(options: () => ChatFollowerOptions) {
    this.#options = options
  }

  open(): ChatFollower {
    const options = this.#options()
    const { conversation } = options
    if (this.#opened?.conversation === conversation) return this.#opened.follower
    if (this.#opened !== undefined) this.#left.push(this.#opened.follower.close())
    const follower = new ChatFollower(options)
    this.#opened = { conversation, follower }
    return follower
  }

  async close(): Promise<void> {
    await this.#opened?.follower.close()
    await Promise.all(this.#left)
  }
}
