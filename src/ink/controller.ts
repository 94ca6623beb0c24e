import type { Clock } from '../clock.ts'
import type { Abilities, ConversationView } from '../conversation-view.ts'
import { isPipeError, unreachable } from '../error.ts'
import type { InteractionResponse } from '../interaction.ts'
import { printable } from '../terminal/printable.ts'
import { readSlashCommand, type SlashCommand } from '../text/slash-command.ts'
import { Admission } from './admission.ts'
import { BackgroundElves } from './background-elves.ts'
import { Commands } from './commands.ts'
import { GoingBack } from './going-back.ts'
import { type Action, quitWindow, readKey } from './keymap.ts'
import type { Key } from './keys.ts'
import { nextMode } from './mode-cycle.ts'
import { openingOf } from './opening.ts'
import { Panels } from './panel/panels.ts'
import { Picking } from './picking.ts'
import { promptText, type Written } from './prompt.ts'
import type { Store } from './store.ts'
import { Tasks } from './tasks.ts'
import { Turns } from './turns.ts'

export interface ControllerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly abilities: Abilities
  readonly view: ConversationView
  /** Hands the terminal to the shell and resolves when it is back. */
  readonly suspend: () => Promise<void>
  /** Resolves when all pending finished rows are drawn. */
  readonly drained?: () => Promise<void>
}

/** Executes the user's keys and commands. */
export class Controller {
  /** Resolves when the user quits; rejects on an internal error. */
  readonly done: Promise<void>
  readonly #options: ControllerOptions
  readonly #closing = new AbortController()
  readonly #tasks: Tasks
  readonly #picking: Picking
  readonly #goingBack: GoingBack
  readonly #background: BackgroundElves
  readonly #panels: Panels
  readonly #commands: Commands
  readonly #admission: Admission
  #turns: Turns
  #isLeaving = false
  #finish: () => void = () => undefined
  #fail: (error: unknown) => void = () => undefined

  constructor(options: ControllerOptions) {
    this.#options = options
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
    const { store, clock, abilities } = options
    const attempt = (act: () => Promise<void>) => this.attempt(act)
    this.#background = new BackgroundElves({
      ...{ store, clock, attempt, signal: this.#closing.signal },
      say: (message, waiting) => {
        if (this.#tasks.isBusy) this.#tasks.postpone(waiting.written, waiting.text)
        else this.#turns.say(message, waiting)
      },
    })
    this.#turns = this.#open(options.view)
    this.#picking = new Picking(store)
    const note = (text: string) => this.#note('info', text)
    // The prompt may hold other text by then, so it is not cleared.
    const submit = async (written: Written) => this.#sendOrPostpone(written, () => undefined)
    this.#admission = new Admission({ store, abilities, note, submit })
    this.#tasks = new Tasks({
      ...{ store, clock },
      note: (level, text) => this.#note(level, text),
      submit: (written) => this.attempt(() => submit(written)),
    })
    this.#goingBack = new GoingBack({
      ...{ store, clock, abilities, tasks: this.#tasks, picking: this.#picking },
      leave: () => this.#turns.close(),
      arrive: (view) => this.#arrive(view),
    })
    this.#panels = new Panels({
      ...{ store, clock, abilities, note, attempt, signal: this.#closing.signal },
    })
    this.#commands = new Commands({
      ...{ store, clock, abilities, note, tasks: this.#tasks, picking: this.#picking },
      ...{ goingBack: this.#goingBack, panels: this.#panels },
      turns: () => this.#turns,
      change: (open) => this.#change(open),
      quit: () => this.quit(),
    })
  }

  /** Begins to watch the board. Asks what an earlier run left open, unless the user has yet to trust the folder. */
  start(): void {
    this.#panels.start()
    this.#resume()
  }

  /** Asks what an earlier run left open. In a folder that the user has yet to trust, the first message does. */
  #resume(): void {
    if (this.#options.abilities.trustQuestion?.() === undefined) this.#turns.resume()
  }

  /** Id of the session to resume, if it has any messages. */
  get resumable(): string | undefined {
    return this.#turns.resumable
  }

  key(key: Key): void {
    const { store, clock } = this.#options
    const at = clock.monotonic()
    const { screen } = store
    store.dispatch({ type: 'pressed', at })
    this.attempt(() => this.#act(readKey(screen, key, at)))
  }

  /** Handles an external interrupt: stops what runs, as Esc does; acts as Ctrl+C when idle. */
  interrupt(): void {
    const { busySince, task, questions } = this.#options.store.screen
    const isIdle = busySince === undefined && task === undefined && questions.length === 0
    if (isIdle) this.key({ type: 'press', name: 'ctrl+c' })
    else this.attempt(() => this.#interrupt())
  }

  /** Quits after the running task. A second call stops the task. */
  quit(): void {
    if (this.#isLeaving) this.#tasks.stop()
    this.#isLeaving = true
    this.#finish()
  }

  /** Waits for the running task, stops the turn and waits until the engine has released it. May be called repeatedly. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#picking.close()
    await this.#tasks.close()
    await this.#turns.close()
  }

  #act(action: Action): void | Promise<void> {
    const { store, clock } = this.#options
    const at = clock.monotonic()
    switch (action.type) {
      case 'edit':
        return store.dispatch({ type: 'edited', prompt: action.prompt, at })
      case 'submit':
        return this.#submit(action.written)
      case 'take_back':
        return this.#takeBack()
      case 'answer':
        return this.#answer(action.response)
      case 'consider':
        return store.dispatch({ type: 'considered', question: action.question })
      case 'interrupt':
        return this.#interrupt()
      case 'cycle_mode':
        return this.#commands.setMode(nextMode(store.screen.status.mode))
      case 'clear':
        return store.dispatch({ type: 'cleared' })
      case 'ask_quit':
        return this.#askQuit(at)
      case 'quit':
        return this.quit()
      case 'suspend':
        return this.#options.suspend()
      case 'change_picker':
        return store.dispatch({ type: 'picker', picker: action.picker })
      case 'pick':
        return this.#picking.choose(action.id)
      case 'cancel_pick':
        return this.#picking.close()
      case 'change_panel':
        return store.dispatch({ type: 'panel', panel: action.panel })
      case 'use_panel':
        return this.#panels.use(action.verb)
      case 'close_panel':
        return this.#panels.close()
      case 'escape':
        return store.dispatch({ type: 'escaped', at })
      case 'rewind':
        return this.#goingBack.rewind()
      case 'nothing':
        return
      default:
        return unreachable(action)
    }
  }

  /** Answers whoever asks the shown question: a task of the board, the program, or the conversation. */
  #answer(response: InteractionResponse): void | Promise<void> {
    const { asker } = this.#options.store.screen.questions[0] ?? {}
    if (asker?.type === 'task') return this.#panels.answer(asker.id, response)
    if (asker?.type === 'elf') return this.#background.answer(response)
    return this.#admission.isAsked ? this.#admission.answer(response) : this.#turns.respond(response)
  }

  /** Stops what runs. The question of a task is only closed: it stays open on the board. */
  #interrupt(): void {
    const { store } = this.#options
    const [question] = store.screen.questions
    if (question?.asker?.type === 'task') store.dispatch({ type: 'answered' })
    else if (question?.asker?.type === 'elf') this.#background.decline(question.interaction)
    else if (this.#admission.isAsked) this.#admission.cancel()
    else if (this.#tasks.isBusy) this.#tasks.stop()
    else this.#turns.interrupt()
  }

  /** Moves the newest waiting message back into the prompt, unless it was delivered meanwhile. */
  #takeBack(): void {
    if (this.#tasks.isBusy) this.#options.store.dispatch({ type: 'taken_back' })
    else this.#turns.takeBack()
  }

  #submit(written: Written): void | Promise<void> {
    return this.#sendOrPostpone(written, () => this.#options.store.dispatch({ type: 'sent', written }))
  }

  /** Sends the text, or postpones it until the running task has ended. */
  #sendOrPostpone(written: Written, onTaken: () => void): void | Promise<void> {
    if (!this.#tasks.isBusy) return this.#send(written, onTaken)
    this.#tasks.postpone(written, printable(promptText(written)))
    onTaken()
  }

  #send(written: Written, onTaken: () => void): void | Promise<void> {
    const { abilities } = this.#options
    const text = promptText(written)
    const command = this.#readCommand(text, onTaken)
    const question = command === undefined ? abilities.trustQuestion?.() : undefined
    if (question !== undefined) {
      onTaken()
      return this.#admission.ask(question, written)
    }
    const message = command === undefined ? abilities.compose(text) : undefined
    onTaken()
    if (command !== undefined) return this.#commands.obey(command)
    if (message !== undefined) this.#turns.say(message, { text: printable(text), written })
  }

  /** Parses a command. Removes an invalid one from the prompt too, so that later text is not appended to it. Up recalls it. */
  #readCommand(text: string, onTaken: () => void): SlashCommand | undefined {
    try {
      return readSlashCommand(text, this.#options.abilities)
    } catch (error) {
      onTaken()
      throw error
    }
  }

  async #askQuit(at: number): Promise<void> {
    const { store, clock } = this.#options
    store.dispatch({ type: 'quit_asked', at })
    try {
      await clock.sleep(quitWindow, this.#closing.signal)
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error
    }
    store.dispatch({ type: 'lapsed' })
  }

  /** Ends this conversation's turn and switches to another conversation. */
  async #change(open: (() => Promise<ConversationView>) | undefined): Promise<void> {
    if (open === undefined) return
    await this.#turns.close()
    this.#arrive(await open())
  }

  /** Shows another conversation, or another branch, and asks what it left open. */
  #arrive(view: ConversationView): void {
    this.#turns = this.#open(view)
    this.#resume()
  }

  /** Shows the conversation so far and prepares its turns. */
  #open(view: ConversationView): Turns {
    const { store, clock, abilities, drained } = this.#options
    store.dispatch(openingOf(view, abilities, store.screen.size.columns))
    this.#background.follow(view.elves)
    return new Turns({ store, clock, abilities, view, drained, fail: (error) => this.#fail(error) })
  }

  #note(level: 'info' | 'error', text: string): void {
    const { store } = this.#options
    store.dispatch({ type: 'noted', level, text: printable(text) })
  }

  /** Shows a `PipeError` to the user. Any other error is a bug and rejects `done`. */
  attempt(act: () => void | Promise<void>): void {
    const attempt = async () => act()
    attempt().catch((error: unknown) =>
      isPipeError(error) ? this.#note('error', error.message) : this.#fail(error),
    )
  }
}
