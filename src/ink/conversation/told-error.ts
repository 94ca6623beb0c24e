import type { PipeError } from '../../error.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { wayOut } from '../../frontend/words/way-out.ts'
import { keyOf } from '../keys/bindings.ts'
import type { Screen } from '../state.ts'

/** Returns the message of an error, with a line about how the conversation goes on if something helps. */
export function toldError(
  error: PipeError,
  { keys }: Pick<FrontendApi, 'keys'>,
  { bindings }: Pick<Screen, 'bindings'>,
): string {
  const way = wayOut(error, { hasKeys: keys !== undefined, recall: keyOf(bindings, 'up') })
  return way === undefined ? error.message : `${error.message}\n${way}`
}
