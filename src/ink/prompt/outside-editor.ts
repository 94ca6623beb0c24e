import { localUser } from '../../actor.ts'
import type { Clock } from '../../clock.ts'
import { PipeError } from '../../error.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { InteractionResponse } from '../../interaction.ts'
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

/**
 * Lets the user change the text of the call in question in their own editor, and answers with it. The question stays open if the editor
 * leaves no text, or the one that it got. Throws `PipeError`, with the question open, if it fails.
 */
export async function reviseOutside(
  { store, api, lend }: OutsideEditorOptions,
  answer: (response: InteractionResponse) => void | Promise<void>,
): Promise<void> {
  const edit = api.editText?.bind(api)
  const [{ interaction } = {}] = store.screen.questions
  const proposal = interaction?.call?.proposal
  if (interaction === undefined || proposal === undefined || edit === undefined || lend === undefined)
    throw new PipeError('input', 'there is no editor to open here')
  let text = proposal.text
  await lend(async () => {
    text = await edit(proposal.text, proposal.path)
  })
  const why = text.trim() === '' ? 'the editor left no text' : 'the text is as it was'
  if (text.trim() === '' || text === proposal.text)
    return store.dispatch({ type: 'noted', level: 'info', text: `nothing was changed: ${why}` })
  if (store.screen.questions[0]?.interaction.id !== interaction.id)
    throw new PipeError('conflict', 'that question is over: what you wrote was not used')
  await answer({ interactionId: interaction.id, answeredBy: localUser, revisedText: text })
}
