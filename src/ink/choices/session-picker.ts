import type { ReadPreview } from '../../frontend/session-preview.ts'
import type { SessionSummary } from '../../session.ts'
import type { Action } from '../keys/action.ts'
import { readKey } from '../keys/keymap.ts'
import { Picking } from '../picker/picking.ts'
import { Stage, type StageOptions } from '../stage.ts'
import type { Key } from '../tty/key.ts'
import type { SessionItemsOptions } from './session-items.ts'
import { openSessionLists, type SessionLists } from './session-lists.ts'
import { SessionPreviews } from './session-previews.ts'

export interface SessionPickerOptions
  extends StageOptions,
    Pick<SessionItemsOptions, 'now' | 'note'>,
    Pick<SessionLists, 'elsewhere'> {
  readonly sessions: AsyncIterable<SessionSummary>
  /** Default: a preview has only what a list knows. */
  readonly preview?: ReadPreview
}

/**
 * Shows the sessions on a screen of its own until the user chooses one. Returns its id; `undefined` if the user leaves or the signal
 * fires. Throws `input` if there are none, and what reading them throws.
 */
export async function pickSession(options: SessionPickerOptions): Promise<string | undefined> {
  const { sessions, elsewhere, now, note, clock, signal } = options
  const stage = new Stage(options, '')
  const picking = new Picking(stage.store)
  const previews = new SessionPreviews(picking, options.preview)
  let leave: (id?: string) => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const chosen = new Promise<string | undefined>((resolve, reject) => {
    leave = resolve
    fail = reject
  })
  const act = async (action: Action) => {
    if (action.type === 'change_picker' || action.type === 'pick' || action.type === 'next_list')
      await picking.act(action)
    if (action.type === 'cancel_pick') leave()
    if (action.type === 'suspend') await stage.suspend()
  }
  const attempt = (tried: () => Promise<void>) => void tried().catch(fail)
  const key = (pressed: Key) => attempt(() => act(readKey(stage.store.screen, pressed, clock.monotonic())))
  const onAbort = () => leave()
  signal.addEventListener('abort', onAbort, { once: true })
  stage.open({ key, attempt })
  // No event tells of a signal that has fired before.
  if (signal.aborted) leave()
  try {
    const onFocused = (id: string) => previews.show(id)
    openSessionLists({
      picking,
      here: () => sessions,
      elsewhere,
      now,
      note,
      onChosen: leave,
      onFocused,
      none: 'there is no conversation to continue',
    }).catch(fail)
    return await chosen
  } finally {
    signal.removeEventListener('abort', onAbort)
    previews.close()
    picking.close()
    await stage.close()
  }
}
