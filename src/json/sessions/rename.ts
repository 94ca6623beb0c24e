import { stat, utimes } from 'node:fs/promises'
import { PipeError } from '../../error.ts'
import { fileError } from '../../files/system-error.ts'
import { firstWords } from '../../history/title-text.ts'
import type { SessionId } from '../../id.ts'
import type { SessionStore } from '../../session.ts'
import { sessionPath } from './session-lock.ts'

export interface Renaming {
  readonly store: SessionStore
  readonly directory: string
  readonly signal: AbortSignal
}

/**
 * Gives a session a title, and keeps its place in lists, so that `-c` still continues the one written last. An empty title
 * stands for the user's first words. Returns the title. Throws what opening it does, and `input` if its beginning is lost.
 */
export async function renameSession(
  id: SessionId,
  title: string,
  { store, directory, signal }: Renaming,
): Promise<string> {
  const path = sessionPath(directory, id, '.json')
  const { log, loaded } = await store.open(id, { signal })
  try {
    const { messages, systemPrompt } = loaded.session
    if (loaded.damage.length > 0 && systemPrompt === '')
      throw new PipeError('input', `the beginning of ${path} is lost; continue it first with pipe -r ${id}`)
    const first = messages.find(({ type }) => type === 'user')
    const chosen = title !== '' ? title : ((first && firstWords(first, (text) => text)) ?? '')
    await keepingTimes(path, async () => {
      await log.update({ title: chosen })
      await log.sync()
    })
    return chosen
  } finally {
    await log.close()
  }
}

async function keepingTimes(path: string, work: () => Promise<void>): Promise<void> {
  try {
    const { atime, mtime } = await stat(path)
    await work()
    await utimes(path, atime, mtime)
  } catch (error) {
    throw fileError(error, path, 'write')
  }
}
