import { isPipeError, unreachable } from '../error.ts'
import type { ConversationView } from '../frontend/conversation-view.ts'
import { printable } from '../terminal/printable.ts'
import { Answering } from './answering.ts'
import { Rewind } from './choices/rewind.ts'
import { Commands, type OpenAnother } from './commands.ts'
import { Completing } from './completion/completing.ts'
import { touchedFiles } from './completion/touched-files.ts'
import type { ControllerOptions } from './controller-options.ts'
import { ShownConversation } from './conversation/shown-conversation.ts'
import { ConversationSwitch } from './conversation-switch.ts'
import type { Action } from './keys/action.ts'
import { quitWindow, readKey } from './keys/keymap.ts'
import { nextMode } from './mode-cycle.ts'
import { Panels } from './panel/panels.ts'
import { Picking } from './picker/picking.ts'
import { Images } from './prompt/images.ts'
import { editOutside } from './prompt/outside-editor.ts'
import type { PromptText } from './prompt/prompt.ts'
import { PromptHistory } from './prompt/prompt-history.ts'
import { Sending } from './prompt/sending.ts'
import { ShellLine } from './prompt/shell-line.ts'
import { Tasks } from './tasks.ts'
import { openingEvent } from './transcript/opening.ts'
import { TrustPrompt } from './trust-prompt.ts'
import type { Key } from './tty/key.ts'
import { Views } from './view/views.ts'

/** Executes the user's keys and commands. */
export class Controller {
  /** Resolves when the user quits; rejects on an internal error. */
  readonly done: Promise<void>
  readonly #options: ControllerOptions
  readonly #closing = new AbortController()
  readonly #conversationSwitch = new ConversationSwitch()
  readonly #tasks: Tasks
  readonly #picking: Picking
  readonly #rewind: Rewind
  readonly #panels: Panels
  readonly #past: PromptHistory
  readonly #views: Views
  readonly #commands: Commands
  readonly #trustPrompt: TrustPrompt
  readonly #completing: Completing
  readonly #images: Images
  readonly #sending: Sending
  readonly #answering: Answering
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
    const { store, clock, api } = options
    const attempt = (act: () => Promise<void>) => this.attempt(act)
    this.#view = options.view
    this.#shown = this.#open(options.view)
    this.#picking = new Picking(store)
    const note = (text: string) => this.#note('info', text)
    // The prompt may hold other text by then, so it is not cleared.
    const submit = async (written: PromptText) => this.#sending.send(written)
    this.#trustPrompt = new TrustPrompt({ store, api, note, submit })
    this.#tasks = new Tasks({
      ...{ store, clock },
      note: (level, text) => this.#note(level, text),
      submit: (written) => this.attempt(() => submit(written)),
    })
    this.#images = new Images({ api, showError: (text) => this.#note('error', text) })
    this.#completing = new Completing({
      ...{ store, clock, api, images: this.#images, signal: this.#closing.signal },
      touched: () =>
        this.#view.server === undefined
          ? touchedFiles(this.#view.conversation.messages, options.store.screen.look)
          : [],
      fail: (error) => this.#fail(error),
    })
    this.#rewind = new Rewind({
      ...{ store, clock, api, tasks: this.#tasks, picking: this.#picking },
      leave: () => this.#shown.ended(),
      arrive: (view) => this.#arrive(view),
    })
    this.#past = new PromptHistory(store, api)
    this.#panels = new Panels({ store, clock, api, note, attempt, signal: this.#closing.signal })
    this.#views = new Views({
      ...{ store, clock, api, note, lend: options.lend },
      messages: () => this.#view.conversation.messages,
    })
    this.#commands = new Commands({
      ...{ store, clock, api, note, tasks: this.#tasks, picking: this.#picking },
      ...{ rewind: this.#rewind, panels: this.#panels, views: this.#views },
      clipboard: options.clipboard,
      ...{ themeSetting: options.themeSetting, signal: this.#closing.signal },
      shown: () => this.#shown,
      change: async (open) => open && this.#conversationSwitch.run(() => this.#changeTo(open)),
      quit: () => this.quit(),
    })
    this.#answering = new Answering({
      ...{ store, tasks: this.#tasks, trustPrompt: this.#trustPrompt, panels: this.#panels },
      shown: () => this.#shown,
    })
    this.#sending = new Sending({
      ...{ store, api, attempt, note, tasks: this.#tasks, trustPrompt: this.#trustPrompt },
      ...{ past: this.#past, commands: this.#commands },
      shell: new ShellLine({ store, clock, api, tasks: this.#tasks }),
      view: () => this.#view,
      shown: () => this.#shown,
      changing: () => this.#conversationSwitch.opening,
    })
  }

  /** Begins to watch the board. Asks what an earlier run left open, unless the user has yet to trust the folder. */
  start(): void {
    this.#panels.start()
    this.attempt(() => this.#past.load())
    this.#resume()
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

  /** Handles an external interrupt: stops what runs, as Esc does; acts as Ctrl+C when idle, or where a server runs it. */
  interrupt(): void {
    const { busySince, task, questions, status, isAway } = this.#options.store.screen
    // It is meant for the program that has the terminal.
    if (isAway) return
    const isIdle = busySince === undefined && task === undefined && questions.length === 0
    if (isIdle || status.server !== undefined) this.key({ type: 'press', name: 'ctrl+c' })
    else this.attempt(() => this.#answering.interrupt())
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
    this.#views.close()
    await this.#tasks.close()
    await this.#shown.close()
  }

  #act(action: Action): void | Promise<void> {
    const { store, clock } = this.#options
    switch (action.type) {
      case 'edit':
        return this.#completing.edit(action.prompt)
      case 'paste':
        return this.#completing.edit(this.#images.paste(store.screen.prompt, action.text) ?? action.prompt)
      case 'take_completion':
      case 'change_completion':
      case 'close_completion':
      case 'complete':
        return this.#completing.act(action)
      case 'search':
        return store.dispatch({ type: 'searched', search: action.search })
      case 'submit':
        return this.#sending.submit(action.written)
      case 'submit_after':
        return this.#sending.submitAfter(action.written)
      case 'take_back':
        return this.#sending.takeBack()
      case 'answer':
        return this.#answering.answer(action.response)
      case 'consider':
        return store.dispatch({ type: 'considered', question: action.question })
      case 'interrupt':
        return this.#answering.interrupt()
      case 'cycle_mode':
        return this.#commands.setMode(nextMode(store.screen.status.mode))
      case 'clear':
        return this.#past.clear({ type: 'cleared' })
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
        return this.#picking.act(action)
      case 'change_secret':
      case 'enter_secret':
      case 'cancel_secret':
        return this.#commands.takeSecret(action)
      case 'next_model':
        return this.#commands.nextModel()
      case 'change_panel':
        return store.dispatch({ type: 'panel', panel: action.panel })
      case 'use_panel':
        return this.#panels.use(action.verb)
      case 'close_panel':
        return this.#panels.close()
      case 'escape':
        return store.dispatch({ type: 'escaped', at: clock.monotonic() })
      case 'rewind':
        return this.#rewind.rewind()
      case 'redraw':
        return this.#options.redraw?.()
      case 'open_output':
      case 'toggle_thoughts':
      case 'help':
      case 'change_view':
      case 'search_view':
      case 'use_view':
      case 'close_view':
        return this.#views.act(action)
      case 'edit_outside':
        return editOutside(this.#options)
      case 'nothing':
        return
      default:
        return unreachable(action)
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

  /** Leaves this conversation and switches to another one. Our own turn ends first; one that a server runs is followed until then. */
  async #changeTo(open: OpenAnother): Promise<void> {
    const next = this.#view.server === undefined ? undefined : await open()
    await this.#shown.close()
    this.#arrive(next ?? (await open()))
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
      fail: (error) => this.#fail(error),
    })
  }

  #note(level: 'info' | 'error', text: string): void {
    this.#options.store.dispatch({ type: 'noted', level, text: printable(text) })
  }

  /** Shows a `PipeError` to the user. Any other error is a bug and rejects `done`. */
  attempt(act: () => void | Promise<void>): void {
    const attempt = async () => act()
    attempt().catch((error: unknown) =>
      isPipeError(error) ? this.#note('error', error.message) : this.#fail(error),
    )
  }
}
