import { oneLine } from '../characters/one-line.ts'
import { isPipeError, type PipeError, unreachable } from '../error.ts'
import type { ConversationView } from '../frontend/conversation-view.ts'
import { printable } from '../terminal/printable.ts'
import type { OpenAnother } from './commands.ts'
import type { ControllerOptions } from './controller-options.ts'
import { type ControllerParts, createParts } from './controller-parts.ts'
import { ShownConversation } from './conversation/shown-conversation.ts'
import { toldError } from './conversation/told-error.ts'
import type { Action } from './keys/action.ts'
import { quitWindow, readKey } from './keys/keymap.ts'
import { editOutside, reviseOutside } from './prompt/outside-editor.ts'
import { openingEvent } from './transcript/opening.ts'
import type { Key } from './tty/key.ts'

/** Characters of the title of an earlier session that the prompt names. */
const longestTitle = 32

/** Executes the user's keys and commands. */
export class Controller {
  /** Resolves when the user quits; rejects on an internal error. */
  readonly done: Promise<void>
  readonly #options: ControllerOptions
  readonly #closing = new AbortController()
  readonly #parts: ControllerParts
  #view: ConversationView
  #shown: ShownConversation
  #isLeaving = false
  #finish: () => void = () => undefined
  #fail: (error: unknown) => void = () => undefined

  constructor(options: ControllerOptions) {
    this.#options = options
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
    this.#view = options.view
    this.#shown = this.#open(options.view)
    this.#parts = createParts({
      options,
      signal: this.#closing.signal,
      view: () => this.#view,
      shown: () => this.#shown,
      arrive: (view) => this.#arrive(view),
      changeTo: (prepare) => this.#changeTo(prepare),
      note: (level, text) => this.#note(level, text),
      attempt: (act) => this.attempt(act),
      fail: (error) => this.#fail(error),
      quit: () => this.quit(),
    })
  }

  /** Begins to watch the board. Asks what an earlier run left open, unless the user has yet to trust the folder. */
  start(): void {
    this.#parts.panels.start()
    this.attempt(() => this.#parts.past.load())
    this.attempt(() => this.#offerEarlier())
    this.#resume()
  }

  /** Names the last session of this folder at the prompt of a new conversation. */
  async #offerEarlier(): Promise<void> {
    const { api, store } = this.#options
    if (this.#view.conversation.messages.length > 0) return
    for await (const { title, opening, fault } of api.sessions?.() ?? []) {
      const words = title ?? opening
      if (fault !== undefined || words === undefined) continue
      const earlier = oneLine(printable(words), longestTitle)
      if (!this.#closing.signal.aborted) store.dispatch({ type: 'status', status: { earlier } })
      return
    }
  }

  /** Asks what an earlier run left open. In a folder that the user has yet to trust, the first message does. */
  #resume(): void {
    if (this.#options.api.trustQuestion?.() === undefined) this.#shown.resume()
  }

  /** Id of the session to resume, if it has any messages. */
  get resumable(): string | undefined {
    return this.#shown.resumable
  }

  key(key: Key): void {
    const { store, clock } = this.#options
    const at = clock.monotonic()
    const { screen } = store
    store.dispatch({ type: 'pressed', at })
    this.attempt(() => this.#act(readKey(screen, key, at)))
  }

  /** Sends a text as if the user had typed it. One that cannot be sent stays in the prompt. */
  submit(text: string): void {
    const written = { text, pastes: [] }
    this.#options.store.dispatch({ type: 'given_back', written })
    this.attempt(() => this.#parts.sending.submit(written))
  }

  /** Handles an external interrupt: stops what runs, as Esc does; acts as Ctrl+C when idle, or where a server runs it. */
  interrupt(): void {
    const { busySince, task, questions, status, isAway } = this.#options.store.screen
    // It is meant for the program that has the terminal.
    if (isAway) return
    const isIdle = busySince === undefined && task === undefined && questions.length === 0
    if (isIdle || status.server !== undefined) this.key({ type: 'press', name: 'ctrl+c' })
    else this.attempt(() => this.#parts.answering.interrupt())
  }

  /** Quits after the running task. A second call stops the task. */
  quit(): void {
    if (this.#isLeaving) this.#parts.tasks.stop()
    this.#isLeaving = true
    this.#finish()
  }

  /** Waits for the running task, stops the turn and waits until the engine has released it. May be called repeatedly. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#parts.picking.close()
    this.#parts.views.close()
    await this.#parts.tasks.close()
    await this.#shown.close()
  }

  #act(action: Action): void | Promise<void> {
    const { store, clock } = this.#options
    switch (action.type) {
      case 'edit':
        return this.#parts.completing.edit(action.prompt)
      case 'paste':
        return this.#parts.completing.edit(
          this.#parts.images.paste(store.screen.prompt, action.text) ?? action.prompt,
        )
      case 'take_completion':
      case 'change_completion':
      case 'close_completion':
      case 'complete':
        return this.#parts.completing.act(action)
      case 'search':
        return store.dispatch({ type: 'searched', search: action.search })
      case 'submit':
        this.#parts.modes.dismiss()
        return this.#parts.sending.submit(action.written)
      case 'submit_after':
        this.#parts.modes.dismiss()
        return this.#parts.sending.submitAfter(action.written)
      case 'take_back':
        return this.#parts.sending.takeBack()
      case 'answer':
        return this.#parts.answering.answer(action.response)
      case 'revise':
        return reviseOutside(this.#options, (response) => this.#parts.answering.answer(response))
      case 'consider':
        return store.dispatch({ type: 'considered', question: action.question })
      case 'interrupt':
        return this.#parts.answering.interrupt()
      case 'cycle_mode':
        return this.#parts.modes.cycle()
      case 'clear':
        return this.#parts.past.clear({ type: 'cleared' })
      case 'ask_quit':
        return this.#askQuit(clock.monotonic())
      case 'quit':
        return this.quit()
      case 'suspend':
        return this.#options.suspend()
      case 'change_picker':
      case 'pick':
      case 'use_item':
      case 'next_list':
      case 'cancel_pick':
        return this.#parts.picking.act(action)
      case 'change_secret':
      case 'enter_secret':
      case 'cancel_secret':
        return this.#parts.commands.takeSecret(action)
      case 'next_model':
        return this.#parts.commands.nextModel()
      case 'change_panel':
        return store.dispatch({ type: 'panel', panel: action.panel })
      case 'use_panel':
        return this.#parts.panels.use(action.verb)
      case 'close_panel':
        return this.#parts.panels.close()
      case 'show_keys':
        return store.dispatch({ type: 'keys_shown', isShown: action.isShown })
      case 'escape':
        return store.dispatch({ type: 'escaped', at: clock.monotonic() })
      case 'rewind':
        return this.#parts.rewind.rewind()
      case 'redraw':
        return this.#options.redraw?.()
      case 'open_output':
      case 'toggle_thoughts':
      case 'change_view':
      case 'search_view':
      case 'use_view':
      case 'close_view':
        return this.#parts.views.act(action)
      case 'paste_image':
        return this.#pasteImage()
      case 'edit_outside':
        return editOutside(this.#options)
      case 'nothing':
        return
      default:
        return unreachable(action)
    }
  }

  /** Attaches the image on the clipboard at the cursor, wherever it is by then. */
  async #pasteImage(): Promise<void> {
    const { images, completing } = this.#parts
    const pasted = await images.fromClipboard(() => this.#options.store.screen.prompt)
    if (pasted !== undefined && !this.#closing.signal.aborted) completing.edit(pasted)
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

  /** Switches to another conversation. Our own turn ends first. If the other one does not open, this one goes on. */
  async #changeTo(prepare: () => Promise<OpenAnother>): Promise<void> {
    const open = await prepare()
    await this.#shown.stop()
    try {
      this.#arrive(await open())
    } catch (error) {
      this.#resume()
      throw error
    }
  }

  /** Shows another conversation, or another branch, and asks what it left open. */
  #arrive(view: ConversationView): void {
    this.#shown.leave()
    this.#shown = this.#open(view)
    this.#resume()
  }

  /** Shows the conversation so far. */
  #open(view: ConversationView): ShownConversation {
    const { store, clock, api, drained } = this.#options
    store.dispatch(openingEvent(view, api, store.screen.size.columns))
    this.#view = view
    const note = (level: 'info' | 'error', text: string) => this.#note(level, text)
    return new ShownConversation({
      view,
      store,
      clock,
      api,
      drained,
      note,
      planned: () => this.#parts.modes.planned(),
      fail: (error) => this.#fail(error),
    })
  }

  #note(level: 'info' | 'error', text: string): void {
    this.#options.store.dispatch({ type: 'noted', level, text: printable(text) })
  }

  /** Only a missing key is mended by another command than the one that failed. */
  #told(error: PipeError): string {
    const { api, store } = this.#options
    return error.code === 'auth' ? toldError(error, api, store.screen) : error.message
  }

  /** Shows a `PipeError` to the user. Any other error is a bug and rejects `done`. */
  attempt(act: () => void | Promise<void>): void {
    const attempt = async () => act()
    attempt().catch((error: unknown) =>
      isPipeError(error) ? this.#note('error', this.#told(error)) : this.#fail(error),
    )
  }
}
