import { bugOf, type Ending, type Snapshot, type Watched } from '../../conversation.ts'
import { unreachable } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import { endsWithPlan, planQuestion } from '../../frontend/mode-questions.ts'
import { bypassNote } from '../../frontend/words/mode-words.ts'
import { contextTokensOf } from '../../history/context-use.ts'
import type { Interaction } from '../../interaction.ts'
import { printable } from '../../terminal/printable.ts'
import { CleanEvents, cleanly, cleanQuestion } from '../clean.ts'
import { modelStatus } from '../status.ts'
import { nothingMissed } from './catching-up.ts'
import { MissedParts } from './missed-parts.ts'
import { ShownEvents } from './shown-events.ts'
import type { ShownOptions } from './shown-options.ts'
import { ShownQueue } from './shown-queue.ts'
import { Ticking } from './ticking.ts'
import { toldError } from './told-error.ts'

/** Events of the parent about elves in the background, which a stop of its turn does not hide. */
const aboutElves: ReadonlySet<AgentEvent['type']> = new Set(['elf_start', 'elf_end', 'interaction_responded'])

/** Brings the screen up to date with what is read of a conversation. */
export class WatchedScreen {
  readonly queue = new ShownQueue()
  readonly #options: ShownOptions
  readonly #isLocal: boolean
  readonly #events: ShownEvents
  readonly #missed: MissedParts
  readonly #ticking: Ticking
  #cleaning = new CleanEvents()
  #isRunning = false
  /** The turn has ended on the screen, and still saves its files. */
  #isSaving = false
  /** A turn without a message is about to begin. */
  #isBeginning = false
  /** The user stopped the turn: the screen shows it as ended, while the engine winds down. */
  #isStopped = false
  /** Fires when the screen has caught up, because the user stopped the turn or left. */
  #shown = new AbortController()
  #isLeft = false
  /** The running turn has said its last words. */
  #isAnswered = false
  #waiting: readonly (() => void)[] = []

  constructor(options: ShownOptions) {
    const { conversation, server } = options.view
    this.#options = options
    this.#isLocal = server === undefined
    this.#events = new ShownEvents(options)
    this.#missed = new MissedParts(conversation)
    this.#ticking = new Ticking(options)
  }

  /** Whether a turn runs on the screen, or is about to. */
  get isBusy(): boolean {
    return (this.#isRunning && !this.#isStopped) || this.#isBeginning || this.queue.isBeginning
  }

  /** Whether a message that is sent now waits for a turn that the screen shows. */
  get isRunning(): boolean {
    return this.#isRunning && !this.#isStopped
  }

  /** Shows that a turn without a message is about to begin. */
  begin(isBeginning: boolean): void {
    this.#isBeginning = isBeginning
    this.showWork()
  }

  /** Hides what the turn still does until it is over. */
  stop(): void {
    this.#isStopped = this.#isRunning || this.isBusy
    this.#shown.abort()
    this.#shown = new AbortController()
    this.#isBeginning = false
    this.#ticking.set(false)
  }

  /** Resolves when no turn runs, nor winds down or saves its files behind the screen. */
  async free(): Promise<void> {
    while (this.isBusy || this.#isStopped || this.#isSaving)
      await new Promise<void>((resolve) => {
        this.#waiting = [...this.#waiting, resolve]
      })
  }

  /** Leaves the conversation, which may go on elsewhere. */
  leave(): void {
    const { store, clock } = this.#options
    this.#isLeft = true
    this.#shown.abort()
    this.#ticking.set(false)
    if (this.#isLocal) return
    store.dispatch({ type: 'caught_up', missed: nothingMissed, at: clock.monotonic() })
    store.dispatch({ type: 'status', status: { lost: undefined } })
  }

  /** Shows one thing. Returns what to wait for if it is far ahead of the screen. */
  take(watched: Watched): Promise<void> | undefined {
    switch (watched.type) {
      case 'event':
        return this.#hear(watched.event, watched.isOwn)
      case 'snapshot':
        this.#catchUp(watched.snapshot)
        return undefined
      case 'asked':
        this.ask(watched.question, true)
        return undefined
      case 'queue':
        this.queue.replace(watched.queue)
        this.showWork()
        return undefined
      case 'settings':
        this.#showSettings(watched.settings)
        return undefined
      case 'ended':
        this.#end(watched.ending)
        return undefined
      case 'settled':
        return undefined
      case 'lost':
        this.#options.store.dispatch({ type: 'status', status: { lost: printable(watched.reason) } })
        return undefined
      case 'found':
        this.#options.store.dispatch({ type: 'status', status: { lost: undefined } })
        return undefined
      default:
        return unreachable(watched)
    }
  }

  ask(question: Interaction, isOfElf: boolean): void {
    if (this.#isAsked(question)) return
    const interaction = cleanQuestion(question)
    this.#options.store.dispatch({ type: 'asked', interaction, ...(isOfElf && { asker: { type: 'elf' } }) })
  }

  showWork(): void {
    if (this.#isLeft) return
    const { store, clock } = this.#options
    const { isBusy, queue } = this
    store.dispatch({ type: 'followed', queued: queue.waiting, isBusy, at: clock.monotonic() })
    this.#tick()
  }

  #hear(heard: AgentEvent, isOwn: boolean): Promise<void> | undefined {
    if (!isOwn) {
      if (!this.#isStopped || this.#isBackground(heard)) this.#events.seeElf(heard)
      // Its question is gone, whoever asked it.
      if (heard.type === 'interaction_responded') this.#events.see(heard, this.#cleaning)
      this.#tick()
      return undefined
    }
    const event = this.#missed.hear(heard)
    if (event.type === 'interaction_requested' && this.#isAsked(event.interaction)) return undefined
    const isHidden = this.#isStopped && !aboutElves.has(event.type)
    if (!isHidden) this.#events.see(event, this.#cleaning)
    this.#follow(event)
    return isHidden ? undefined : this.#events.keepPace(event, this.#shown.signal)
  }

  #follow(event: AgentEvent): void {
    switch (event.type) {
      case 'turn_start':
        if (event.message !== undefined) this.queue.remove(event.message.id)
        this.#isAnswered = false
        // Drops the question about the plan: starting a turn answers it.
        this.#options.store.dispatch({ type: 'dismissed', question: planQuestion.id })
        this.#run(true)
        break
      case 'round_start':
        // A snapshot between two rounds shows an idle agent.
        if (!this.#isRunning) this.#run(true)
        break
      case 'turn_end':
        this.#cleaning = new CleanEvents()
        this.#isSaving = this.#isLocal
        this.#run(false)
        break
      case 'message':
        if (event.message.type === 'user') this.queue.remove(event.message.id)
        if (event.message.type === 'assistant') this.#isAnswered = endsWithPlan(event.message)
        break
      case 'elf_start':
      case 'elf_end':
        this.#tick()
        break
    }
  }

  #run(isRunning: boolean): void {
    this.#isRunning = isRunning
    this.#isBeginning = false
    this.showWork()
  }

  /** Shows why a turn did not do what was asked, unless the user stopped it. */
  #end(ending: Ending): void {
    const { api, store, note, planned, fail } = this.#options
    const wasStopped = this.#isStopped
    this.#isStopped = false
    this.#isSaving = false
    this.#run(false)
    this.#showCost()
    for (const resolve of this.#waiting) resolve()
    this.#waiting = []
    const bug = bugOf(ending)
    if (bug !== undefined) fail(bug)
    const complaint = wasStopped || bug !== undefined ? undefined : api.complaint(ending)
    if (complaint !== undefined) note('error', printable(toldError(complaint, api, store.screen)))
    else if (!wasStopped && ending.stopReason === 'end_turn' && this.#isAnswered) planned()
    this.#isAnswered = false
  }

  #showCost(): void {
    const { store, api, view } = this.#options
    const { usage, costUsd } = view.conversation
    const place = this.#isLocal ? { branch: api.branch() } : {}
    store.dispatch({ type: 'status', status: cleanly({ usage, costUsd, ...place }, printable) })
  }

  #showSettings({ model, mode }: Snapshot['settings']): void {
    const { store, api, note } = this.#options
    const { mode: before } = store.screen.status
    const status = { ...modelStatus(printable(model), api), mode }
    store.dispatch({ type: 'status', status })
    if (!this.#isLocal && mode === 'bypass' && before !== mode) note('info', bypassNote)
  }

  #catchUp(snapshot: Snapshot): void {
    const { store, clock } = this.#options
    this.#isRunning = snapshot.state !== 'idle'
    this.#isSaving = false
    this.#cleaning = new CleanEvents()
    this.queue.catchUp(snapshot)
    const missed = {
      ...cleanly(this.#missed.take(snapshot, store.screen), printable),
      questions: snapshot.questions.map(cleanQuestion),
      queued: this.queue.waiting,
      isBusy: this.isBusy,
    }
    store.dispatch({ type: 'caught_up', missed, at: clock.monotonic() })
    const { usage, costUsd, messages } = snapshot
    const contextTokens = contextTokensOf(messages)
    store.dispatch({ type: 'status', status: { usage, costUsd, contextTokens, lost: undefined } })
    this.#tick()
  }

  #isAsked({ id }: Interaction): boolean {
    return this.#options.store.screen.questions.some(({ interaction }) => interaction.id === id)
  }

  #isBackground({ agentId }: AgentEvent): boolean {
    const { elves } = this.#options.store.screen
    return elves.some(({ start }) => start.elfId === agentId && start.isBackground === true)
  }

  /** Redraws elapsed times while a turn runs, or an elf in the background. */
  #tick(): void {
    const { elves } = this.#options.store.screen
    const isElf = elves.some(({ state, start }) => state === 'running' && start.isBackground === true)
    this.#ticking.set(!this.#isLeft && (this.isBusy || isElf))
  }
}
