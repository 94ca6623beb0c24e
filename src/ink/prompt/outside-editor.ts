import type { Clock } from '../../clock.ts'
import { PipeError } from '../../error.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { Store } from '../store.ts'
import { folded } from './placeholders.ts'
import { sentText, writePrompt } from './prompt.ts'

export interface OutsideEditorOptions {
  readonly store: Store
  readonly clock: Clock
  readonly api: FrontendApi
  /** Lends the terminal until `use` is over. */
  readonly lend?: (use: () => Promise<void>) => Promise<void>
}

/**
 * Lets the user write the draft in their own editor. Pastes are there in full, and placeholders again afterwards. If the editor fails, the
 * draft stays as it was. Throws `PipeError`.
 */
export async function editOutside({ store, clock, api, lend }: OutsideEditorOptions): Promise<void> {
  const edit = api.editText?.bind(api)
  if (edit === undefined || lend === undefined)
    throw new PipeError('input', 'there is no editor to open here')
  const { prompt } = store.screen
  const before = sentText(prompt)
  let after = before
  await lend(async () => {
    after = await edit(before)
  })
  if (after === before) return
  const written = folded({ text: after, pastes: store.screen.prompt.pastes })
  store.dispatch({ type: 'edited', prompt: writePrompt(store.screen.prompt, written), at: clock.monotonic() })
}
