import { join } from 'node:path'
import { oneLine } from '../../../characters/one-line.ts'
import { findDirectories } from '../../../config/directories.ts'
import { PipeError } from '../../../error.ts'
import { lookThrough } from '../../../files/look.ts'
import type { ReadPreview } from '../../../frontend/session-preview.ts'
import { branchOf } from '../../../history/branch.ts'
import { readSessionId } from '../../../id.ts'
import { isLoopMessage, type Message, spokenText } from '../../../message.ts'
import type { Machine } from '../../machine.ts'
import { openSessions } from '../../wiring/session-records.ts'

/** Characters of a message that are shown. */
const longest = 400

/** A larger file would take long to read, for a few words. */
const largest = 8 * 1024 * 1024

/** Creates a function that reads previews of the sessions on this machine. */
export function previewReader(machine: Machine): ReadPreview {
  return async (id, signal) => {
    const path = join(findDirectories(machine.env, machine.home).sessions, `${readSessionId(id)}.json`)
    if ((lookThrough(path)?.size ?? 0) > largest)
      throw new PipeError('input', 'the session is too large for a preview')
    const { session } = await openSessions(machine).load(readSessionId(id), { signal })
    const messages = branchOf(session).filter((one) => one.type !== 'tool_result' && !isLoopMessage(one))
    const asked = messages.findLast(({ type }) => type === 'user')
    const answered = messages.findLast((one) => one.type === 'assistant' && wordsOf(one) !== undefined)
    return {
      messages: messages.length,
      model: session.model,
      asked: asked && wordsOf(asked),
      answered: answered && wordsOf(answered),
    }
  }
}

function wordsOf(message: Message): string | undefined {
  return oneLine(spokenText(message), longest) || undefined
}
