import type { Clock } from '../clock.ts'
import type { Abilities, ConversationView } from '../conversation-view.ts'
import { modelName } from '../engine.ts'
import { isPipeError, PipeError, unreachable } from '../error.ts'
import type { InteractionResponse } from '../interaction.ts'
import type { PermissionMode } from '../permission.ts'
import { printable } from '../terminal/printable.ts'
import { visible } from '../terminal/visible.ts'
import { readSlashCommand, type SlashCommand } from '../text/slash-command.ts'
import { cleanly } from './clean.ts'
import { helpText } from './help.ts'
import { type Action, quitWindow, readKey } from './keymap.ts'
import type { Key } from './keys.ts'
import { nextMode } from './mode-cycle.ts'
import { openingOf } from './opening.ts'
import { promptText, type Written } from './prompt.ts'
import { modelStatus } from './status.ts'
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
  #turns: Turns
  /** The message held back until the trust question is answered. */
  #held: Written | undefined
  #isLeaving = false
  #finish: () => void = () => undefined
  #fail: (error: unknown) => void = () => undefined

  constructor(options: ControllerOptions) {
    this.#options = options
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
    this.#turns = this.#open(options.view)
    const { store, clock } = options
    this.#tasks = new Tasks({
      store,
      clock,
      note: (level, text) => this.#note(level, text),
      // The prompt may hold other text by then, so it is not cleared.
      submit: (written) => this.attempt(() => this.#sendOrPostpone(written, () => undefined)),
    })
  }

  /** Asks what an earlier run left open, unless the user has yet to trust the folder: then the first message does. */
  start(): void {
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
        return this.#held === undefined
          ? this.#turns.respond(action.response)
          : this.#admit(this.#held, action.response)
      case 'consider':
        return store.dispatch({ type: 'considered', question: action.question })
      case 'interrupt':
        return this.#interrupt()
      case 'cycle_mode':
        return this.#setMode(nextMode(store.screen.status.mode))
      case 'clear':
        return store.dispatch({ type: 'cleared' })
      case 'ask_quit':
        return this.#askQuit(at)
      case 'quit':
        return this.quit()
      case 'suspend':
        return this.#options.suspend()
      case 'nothing':
        return
      default:
        return unreachable(action)
    }
  }

  #interrupt(): void {
    if (this.#held !== undefined) this.#giveBack(this.#held)
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
    const { store, abilities } = this.#options
    const text = promptText(written)
    const command = this.#readCommand(text, onTaken)
    const question = command === undefined ? abilities.trustQuestion?.() : undefined
    if (question !== undefined) {
      this.#held = written
      onTaken()
      return store.dispatch({ type: 'asked', interaction: cleanly(question, visible) })
    }
    const message = command === undefined ? abilities.compose(text) : undefined
    onTaken()
    if (command !== undefined) return this.#obey(command)
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

  /** Applies the answer to the trust question, then sends the message that waited for it. */
  async #admit(written: Written, response: InteractionResponse): Promise<void> {
    if (response.cancelled === true) return this.#giveBack(written)
    this.#withdraw()
    try {
      const told = await this.#options.abilities.answerTrust?.(response)
      if (told !== undefined) this.#note('info', told)
      await this.#sendOrPostpone(written, () => undefined)
    } catch (error) {
      this.#options.store.dispatch({ type: 'given_back', written })
      throw error
    }
  }

  /** Removes the trust question, and puts the message that waited for it back into the prompt. */
  #giveBack(written: Written): void {
    this.#withdraw()
    this.#options.store.dispatch({ type: 'given_back', written })
  }

  #withdraw(): void {
    this.#held = undefined
    this.#options.store.dispatch({ type: 'answered' })
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

  #obey(command: SlashCommand): void | Promise<void> {
    const { store, abilities } = this.#options
    const { model, mode } = store.screen.status
    switch (command.type) {
      case 'help':
        return this.#note('info', helpText(abilities, store.screen.size.columns))
      case 'model':
        return command.name === undefined
          ? this.#note('info', `model: ${model}`)
          : this.#chooseModel(command.name)
      case 'mode':
        return command.mode === undefined
          ? this.#note('info', `mode: ${mode ?? 'default'}`)
          : this.#setMode(command.mode)
      case 'compact':
        this.#turns.view.engine.send({ type: 'compact' })
        return this.#note('info', 'the history is summarised before the next request')
      case 'undo':
        return this.#undo({ redo: command.redo, force: command.force })
      case 'recall':
        return this.#recall(command.words)
      case 'clear':
        return this.#begin()
      case 'resume':
        return this.#change(abilities.openConversation?.bind(abilities, command.id))
      case 'quit':
        return this.quit()
      default:
        return unreachable(command)
    }
  }

  async #setMode(mode: PermissionMode): Promise<void> {
    const { store, abilities } = this.#options
    if (abilities.setMode === undefined) return
    const told = abilities.setMode(mode)
    store.dispatch({ type: 'status', status: { mode } })
    const note = await told
    if (note !== undefined) this.#note('info', note)
  }

  async #chooseModel(name: string): Promise<void> {
    const { store, abilities } = this.#options
    const choice = await abilities.chooseModel?.(name)
    if (choice === undefined) return
    this.#turns.view.engine.send({ type: 'set_model', choice })
    const model = modelName(choice)
    store.dispatch({ type: 'status', status: modelStatus(model, abilities) })
    this.#note('info', `model: ${model}`)
  }

  #undo(wanted: { readonly redo: boolean; readonly force: boolean }): Promise<void> {
    const { store, abilities } = this.#options
    if (store.screen.busySince !== undefined) {
      throw new PipeError('conflict', 'a turn is running: stop it with Esc first')
    }
    return this.#tasks.run({
      doing: wanted.redo ? 'redoing' : 'undoing',
      stopped: `stopped: nothing was ${wanted.redo ? 'redone' : 'undone'}`,
      act: async (signal) => {
        await this.#turns.close()
        return abilities.undo?.({ ...wanted, signal })
      },
    })
  }

  #recall(words: string): Promise<void> {
    const act = async (signal: AbortSignal) => this.#options.abilities.recall?.(words, signal)
    return this.#tasks.run({ doing: 'searching', stopped: 'the search was stopped', act })
  }

  async #begin(): Promise<void> {
    const { abilities } = this.#options
    await this.#change(abilities.newConversation?.bind(abilities))
    this.#note('info', 'a new conversation')
  }

  /** Ends this conversation's turn and switches to another conversation. */
  async #change(open: (() => Promise<ConversationView>) | undefined): Promise<void> {
    if (open === undefined) return
    await this.#turns.close()
    this.#turns = this.#open(await open())
    this.start()
  }

  /** Shows the conversation so far and prepares its turns. */
  #open(view: ConversationView): Turns {
    const { store, clock, abilities, drained } = this.#options
    store.dispatch(openingOf(view, abilities, store.screen.size.columns))
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
