import { localUser } from '../../actor.ts'
import { isPipeError, type PipeError, unreachable } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import type { FollowedConversation, FollowedNews, FollowedSnapshot } from '../../followed-conversation.ts'
import type { FollowedView } from '../../frontend/conversation-view.ts'
import { bypassNote } from '../../frontend/words/mode-words.ts'
import type { Interaction, InteractionResponse } from '../../interaction.ts'
import type { UserMessage } from '../../message.ts'
import { printable } from '../../terminal/printable.ts'
import { CleanEvents, cleanly, cleanQuestion } from '../clean.ts'
import { ShownEvents } from '../shown-events.ts'
import type { FollowOptions, ShownTurns } from '../shown-turns.ts'
import type { Queued, Waiting } from '../state.ts'
import { modelStatus } from '../status.ts'
import { tickUntil } from '../tick.ts'
import { contextTokensOf } from '../transcript/transcript.ts'
import { nothingMissed } from './catching-up.ts'
import { FollowedQueue } from './followed-queue.ts'
import { MissedParts } from './missed-parts.ts'

/** Shows the turns of a conversation that a server runs, whoever begins them, and sends the server what the user wants. */
export class FollowedTurns implements ShownTurns {
  readonly #options: FollowOptions
  readonly #followed: FollowedConversation
  readonly #events: ShownEvents
  readonly #missed: MissedParts
  readonly #queue = new FollowedQueue()
  #cleaning = new CleanEvents()
  #left = new AbortController()
  #following: Promise<void> = Promise.resolve()
  #isRunning = false
  #stopTicking: (() => void) | undefined

  constructor({ followed }: FollowedView, options: FollowOptions) {
    this.#options = options
    this.#followed = followed
    this.#events = new ShownEvents(options)
    this.#missed = new MissedParts(followed.snapshot)
  }

  get sessionId(): string {
    return this.#followed.sessionId
  }

  get resumable(): string {
    return this.sessionId
  }

  resume(): void {
    this.#left = new AbortController()
    this.#following = this.#follow(this.#left.signal)
  }

  say(message: UserMessage, waiting: Waiting): void {
    this.#send(message, waiting, 'now')
  }

  sayAfter(message: UserMessage, waiting: Waiting): void {
    this.#send(message, waiting, 'after')
  }

  compact(keep: string | undefined): Promise<void> {
    return this.#want(async () => {
      const note = await this.#followed.compact(keep)
      if (note !== undefined) this.#options.note('info', note)
    })
  }

  /** Stops the server's turn, and takes back what was sent for it from here. Between turns, declines the question of an elf. */
  interrupt(): void {
    const [question] = this.#options.store.screen.questions
    if (!this.#isRunning && question?.asker?.type === 'elf')
      this.respond({ interactionId: question.interaction.id, answeredBy: localUser, cancelled: true })
    else
      void this.#want(async () => {
        const own = this.#queue.own
        await this.#followed.interrupt()
        // Each goes before the text in the prompt.
        for (const sent of own.toReversed()) await this.#takeBack(sent)
      })
  }

  takeBack(): void {
    const newest = this.#queue.waiting.at(-1)
    if (newest !== undefined) void this.#want(() => this.#takeBack(newest))
  }

  async #takeBack({ id, written }: Queued): Promise<void> {
    if (!(await unlessGone(this.#followed.takeBack(id)))) return
    this.#queue.remove(id)
    this.#showWork()
    this.#options.store.dispatch({ type: 'given_back', written })
  }

  respond(response: InteractionResponse): void {
    const { store, note } = this.#options
    const [question] = store.screen.questions
    store.dispatch({ type: 'answered' })
    void this.#want(async () => {
      try {
        const isTaken = await unlessGone(this.#followed.respond(response))
        if (!isTaken) note('info', 'that question was answered elsewhere')
      } catch (error) {
        if (question !== undefined) this.#ask(question.interaction, question.asker?.type === 'elf')
        throw error
      }
    })
  }

  /** Leaves the server's turn as it is. */
  async close(): Promise<void> {
    const { store, clock } = this.#options
    this.#left.abort()
    await this.#following
    this.#stopTicking?.()
    this.#stopTicking = undefined
    store.dispatch({ type: 'caught_up', missed: nothingMissed, at: clock.monotonic() })
    store.dispatch({ type: 'status', status: { lost: undefined } })
  }

  async #follow(signal: AbortSignal): Promise<void> {
    try {
      for await (const news of this.#followed.watch(signal)) {
        if (signal.aborted) return
        await this.#take(news, signal)
      }
    } catch (error) {
      if (!signal.aborted) this.#options.fail(error)
    }
  }

  #take(news: FollowedNews, signal: AbortSignal): Promise<void> | undefined {
    const { store } = this.#options
    switch (news.type) {
      case 'event':
        this.#hear(news.event, news.isOwn)
        return this.#events.keepPace(news.event, signal)
      case 'snapshot':
        this.#catchUp(news.snapshot)
        return undefined
      case 'queue':
        this.#queue.replace(news.queue)
        this.#showWork()
        return undefined
      case 'settings': {
        const { mode: before } = store.screen.status
        store.dispatch({
          type: 'status',
          status: { ...modelStatus(printable(news.model), this.#options.api), mode: news.mode },
        })
        if (news.mode === 'bypass' && before !== news.mode) this.#options.note('info', bypassNote)
        return undefined
      }
      case 'failed':
        this.#options.note('error', printable(news.reason))
        return undefined
      case 'lost':
        store.dispatch({ type: 'status', status: { lost: printable(news.reason) } })
        return undefined
      case 'found':
        store.dispatch({ type: 'status', status: { lost: undefined } })
        return undefined
      default:
        return unreachable(news)
    }
  }

  #hear(heard: AgentEvent, isOwn: boolean): void {
    if (!isOwn) {
      this.#events.seeElf(heard)
      if (heard.type === 'interaction_requested' && !this.#isRelayed(heard))
        this.#ask(heard.interaction, true)
      // Its question is gone, whoever asked it.
      if (heard.type === 'interaction_responded') this.#events.see(heard, this.#cleaning)
      return
    }
    const event = this.#missed.hear(heard)
    if (event.type === 'interaction_requested' && this.#isAsked(event.interaction)) return
    this.#events.see(event, this.#cleaning)
    if (event.type === 'turn_start') this.#begin(event.message)
    // A snapshot between two rounds shows an idle agent.
    else if (event.type === 'round_start' && !this.#isRunning) this.#begin(undefined)
    else if (event.type === 'turn_end') this.#end()
    else if (event.type === 'message') this.#queue.remove(event.message.id)
  }

  #begin(message: UserMessage | undefined): void {
    this.#isRunning = true
    if (message !== undefined) this.#queue.remove(message.id)
    this.#showWork()
  }

  #end(): void {
    this.#isRunning = false
    this.#cleaning = new CleanEvents()
    this.#showWork()
  }

  #catchUp(snapshot: FollowedSnapshot): void {
    const { store, clock } = this.#options
    this.#isRunning = snapshot.state !== 'idle'
    this.#cleaning = new CleanEvents()
    this.#queue.catchUp(snapshot)
    const missed = {
      ...cleanly(this.#missed.take(snapshot, store.screen.size.columns), printable),
      questions: snapshot.questions.map(cleanQuestion),
      queued: this.#queue.waiting,
      isBusy: this.#isRunning || this.#queue.isBeginning,
    }
    store.dispatch({ type: 'caught_up', missed, at: clock.monotonic() })
    const { usage, costUsd, messages } = snapshot
    const contextTokens = contextTokensOf(messages)
    store.dispatch({ type: 'status', status: { usage, costUsd, contextTokens, lost: undefined } })
    this.#tick(missed.isBusy)
  }

  #send(message: UserMessage, waiting: Waiting, when: 'now' | 'after'): void {
    const kind = when === 'now' ? 'next' : 'after'
    this.#queue.send({ id: message.id, ...waiting, kind }, this.#isRunning)
    this.#showWork()
    void this.#want(async () => {
      try {
        this.#queue.answered(message.id, await this.#followed.say(message, when))
      } catch (error) {
        this.#queue.remove(message.id)
        this.#options.store.dispatch({ type: 'given_back', written: waiting.written })
        throw error
      } finally {
        this.#showWork()
      }
    })
  }

  /** Whether the parent asks the question of this elf too: unless it is one in the background, or not known here. */
  #isRelayed({ agentId }: AgentEvent): boolean {
    const elf = this.#options.store.screen.elves.find(({ start }) => start.elfId === agentId)
    return elf !== undefined && elf.start.isBackground !== true
  }

  #isAsked({ id }: Interaction): boolean {
    return this.#options.store.screen.questions.some(({ interaction }) => interaction.id === id)
  }

  #ask(question: Interaction, isOfElf: boolean): void {
    if (this.#isAsked(question)) return
    const interaction = cleanQuestion(question)
    this.#options.store.dispatch({ type: 'asked', interaction, ...(isOfElf && { asker: { type: 'elf' } }) })
  }

  #showWork(): void {
    if (this.#left.signal.aborted) return
    const { store, clock } = this.#options
    const isBusy = this.#isRunning || this.#queue.isBeginning
    store.dispatch({ type: 'followed', queued: this.#queue.waiting, isBusy, at: clock.monotonic() })
    this.#tick(isBusy)
  }

  /** Redraws elapsed times while the server works. */
  #tick(isBusy: boolean): void {
    if (isBusy === (this.#stopTicking !== undefined)) return
    this.#stopTicking?.()
    this.#stopTicking = undefined
    if (!isBusy) return
    const over = new AbortController()
    this.#stopTicking = () => over.abort()
    tickUntil(over.signal, this.#options).catch(this.#options.fail)
  }

  /** Asks the server for something and shows its refusal. Any other error is a bug. */
  async #want(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!isPipeError(error)) this.#options.fail(error)
      else if (!this.#left.signal.aborted) this.#options.note('error', error.message)
    }
  }
}

/** Returns false if what was asked for is too late. */
async function unlessGone(asked: Promise<void>): Promise<boolean> {
  try {
    await asked
    return true
  } catch (error) {
    if (isPipeError(error) && isGone(error)) return false
    throw error
  }
}

/** Another process that holds the session (`pid`) is no reason to forget what was asked for. */
function isGone({ code, details }: PipeError): boolean {
  return code === 'not_found' || (code === 'conflict' && details['pid'] === undefined)
}
