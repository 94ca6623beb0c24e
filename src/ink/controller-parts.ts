import type { ConversationView } from '../frontend/conversation-view.ts'
import { Answering } from './answering.ts'
import { Rewind } from './choices/rewind.ts'
import { Commands, type OpenAnother } from './commands.ts'
import { Completing } from './completion/completing.ts'
import { touchedFiles } from './completion/touched-files.ts'
import type { ControllerOptions } from './controller-options.ts'
import type { ShownConversation } from './conversation/shown-conversation.ts'
import { ConversationSwitch } from './conversation-switch.ts'
import { ModeControl } from './mode-control.ts'
import { Panels } from './panel/panels.ts'
import { Picking } from './picker/picking.ts'
import { Images } from './prompt/images.ts'
import type { PromptText } from './prompt/prompt.ts'
import { PromptHistory } from './prompt/prompt-history.ts'
import { Sending } from './prompt/sending.ts'
import { ShellLine } from './prompt/shell-line.ts'
import { Tasks } from './tasks.ts'
import { TrustPrompt } from './trust-prompt.ts'
import { Views } from './view/views.ts'

/** Does for the parts of the controller what only the whole can do. */
export interface PartsOwner {
  readonly options: ControllerOptions
  /** Aborts when the terminal UI closes. */
  readonly signal: AbortSignal
  readonly view: () => ConversationView
  readonly shown: () => ShownConversation
  /** Shows another branch of the conversation. */
  readonly arrive: (view: ConversationView) => void
  /** Leaves this conversation for another one. */
  readonly changeTo: (prepare: () => Promise<OpenAnother>) => Promise<void>
  readonly note: (level: 'info' | 'error', text: string) => void
  /** Runs an action and shows its `PipeError`. */
  readonly attempt: (act: () => void | Promise<void>) => void
  readonly fail: (error: unknown) => void
  readonly quit: () => void
}

export type ControllerParts = ReturnType<typeof createParts>

/** Creates the objects that execute keys and commands for a controller. */
export function createParts(owner: PartsOwner) {
  const { options, signal, view, shown } = owner
  const { store, clock, api } = options
  const attempt = (act: () => Promise<void>) => owner.attempt(act)
  const note = (text: string) => owner.note('info', text)
  // The prompt may hold other text by then, so it is not cleared.
  const submit = async (written: PromptText) => sending.send(written)
  const picking = new Picking(store)
  const conversationSwitch = new ConversationSwitch()
  const changeOnceReady = async (prepare: (() => Promise<OpenAnother>) | undefined) =>
    prepare && conversationSwitch.run(() => owner.changeTo(prepare))
  const change = (open: OpenAnother | undefined) => changeOnceReady(open && (async () => open))
  const begin = () => change(api.newConversation?.bind(api))
  const trustPrompt = new TrustPrompt({ store, api, note, begin, submit })
  const tasks = new Tasks({
    store,
    clock,
    note: owner.note,
    submit: (written) => owner.attempt(() => submit(written)),
  })
  const images = new Images({
    api,
    clipboard: options.clipboard,
    showError: (text) => owner.note('error', text),
  })
  const completing = new Completing({
    store,
    clock,
    api,
    images,
    signal,
    touched: () =>
      view().server === undefined ? touchedFiles(view().conversation.messages, store.screen.look) : [],
    fail: owner.fail,
  })
  const rewind = new Rewind({
    store,
    clock,
    api,
    tasks,
    picking,
    leave: () => shown().ended(),
    arrive: owner.arrive,
  })
  const past = new PromptHistory(store, api)
  const panels = new Panels({ store, clock, api, note, attempt, signal })
  const views = new Views({
    store,
    clock,
    api,
    note,
    lend: options.lend,
    messages: () => view().conversation.messages,
  })
  const modes = new ModeControl({
    store,
    api,
    view,
    note,
    send: (text) => sending.send({ text, pastes: [] }),
  })
  const commands = new Commands({
    store,
    clock,
    api,
    note,
    tasks,
    picking,
    rewind,
    panels,
    modes,
    views,
    clipboard: options.clipboard,
    themeSetting: options.themeSetting,
    signal,
    shown,
    change,
    changeOnceReady,
    quit: owner.quit,
  })
  const answering = new Answering({ store, tasks, trustPrompt, panels, modes, shown })
  const sending = new Sending({
    store,
    api,
    attempt,
    note,
    tasks,
    trustPrompt,
    past,
    commands,
    shell: new ShellLine({ store, clock, api, tasks }),
    view,
    shown,
    changing: () => conversationSwitch.opening,
  })
  return {
    tasks,
    picking,
    rewind,
    panels,
    modes,
    past,
    views,
    commands,
    completing,
    images,
    sending,
    answering,
  }
}
