import { PipeError } from '../../../error.ts'
import type { MemoryScope } from '../../../memory/memories.ts'
import type { Wired } from '../../wiring/wired.ts'

interface Remembering extends Pick<Wired, 'memories' | 'conversation' | 'fileTurns'> {
  readonly signal: AbortSignal
}

/** Keeps a text of the user, as `FrontendApi.remember` promises. */
export async function keepText(
  text: string,
  scope: MemoryScope,
  { memories, conversation, fileTurns, signal }: Remembering,
): Promise<string> {
  if (memories === undefined)
    throw new PipeError('config', 'nothing was saved: your settings have "memory": { "enabled": false }')
  const kept = await memories.open()
  const { memory, path, isNew } = await kept.keep(kept.draft(text, scope), { signal })
  // A conversation that is yet to begin gets it with its first message.
  if (isNew && conversation.engine.history.length > 0)
    fileTurns.leaveNote(`The user asked pipe to remember this for later sessions:\n${memory.text}`)
  const where = scope === 'user' ? 'for all projects' : 'for this project'
  return `${isNew ? 'kept' : 'it was already saved'} ${where}: ${memory.text}\n${memory.id} in ${path}`
}
