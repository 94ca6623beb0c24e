import type { ConversationView, FrontendApi } from '../frontend/conversation-view.ts'
import { printable } from '../terminal/printable.ts'
import { Controller } from './controller.ts'
import { OwnStatus } from './own-status.ts'
import { KeptDraft } from './prompt/kept-draft.ts'
import { Stage, type StageOptions } from './stage.ts'

export interface TuiOptions extends StageOptions {
  readonly view: ConversationView
  /** Sent at the start, as if the user had typed it. Default: none. */
  readonly firstPrompt?: string | undefined
  readonly api: FrontendApi
  /** Calls back for each external interrupt, until the returned function is called. */
  readonly watchInterrupt: (onInterrupt: () => void) => () => void
}

/** The result of a conversation in the terminal. */
export interface TuiEnd {
  /** Id of the session to resume, if it has any messages. */
  readonly sessionId: string | undefined
}

/** Runs a conversation in the terminal. Resolves when the user quits or the signal fires. */
export async function runTui(options: TuiOptions): Promise<TuiEnd> {
  const { clock, view, api, signal } = options
  const stage = new Stage({ ...options, look: api.look }, view.model, () => api.title?.())
  const { store, drained } = stage
  const controller = new Controller({
    store,
    clock,
    api,
    view,
    drained,
    themeSetting: options.themeSetting,
    clipboard: stage.clipboard,
    suspend: () => stage.suspend(),
    lend: (use) => stage.lend(use),
    redraw: () => stage.redraw(),
  })
  const draft = new KeptDraft({ store, clock, pastPrompts: api.pastPrompts })
  const ownStatus = new OwnStatus({
    store,
    clock,
    api,
    note: (text) => store.dispatch({ type: 'noted', level: 'error', text: printable(text) }),
    fail: (error) => controller.attempt(() => Promise.reject(error)),
  })
  const quit = () => controller.quit()
  const unwatchInterrupt = options.watchInterrupt(() => controller.interrupt())
  stage.open({ key: (key) => controller.key(key), attempt: (act) => controller.attempt(act) })
  signal.addEventListener('abort', quit, { once: true })
  try {
    if (signal.aborted) quit()
    else {
      controller.start()
      ownStatus.open()
      if (options.firstPrompt !== undefined) controller.submit(options.firstPrompt)
      controller.attempt(() => draft.open())
    }
    await controller.done
  } finally {
    signal.removeEventListener('abort', quit)
    unwatchInterrupt()
    await ownStatus.close()
    await draft.close()
    await controller.close()
    await stage.close()
  }
  return { sessionId: controller.resumable }
}
