import type { ConversationView, FrontendApi } from '../frontend/conversation-view.ts'
import { Controller } from './controller.ts'
import { KeptDraft } from './prompt/kept-draft.ts'
import { Stage, type StageOptions } from './stage.ts'

export interface TuiOptions extends StageOptions {
  readonly view: ConversationView
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
  const quit = () => controller.quit()
  const unwatchInterrupt = options.watchInterrupt(() => controller.interrupt())
  stage.open({ key: (key) => controller.key(key), attempt: (act) => controller.attempt(act) })
  signal.addEventListener('abort', quit, { once: true })
  try {
    if (signal.aborted) quit()
    else {
      controller.start()
      controller.attempt(() => draft.open())
    }
    await controller.done
  } finally {
    signal.removeEventListener('abort', quit)
    unwatchInterrupt()
    await draft.close()
    await controller.close()
    await stage.close()
  }
  return { sessionId: controller.resumable }
}
