import { resolve } from 'node:path'
import type { LocalConversation } from '../../../conversation.ts'
import { isSurvivable } from '../../../error.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { Host } from '../../host.ts'
import type { Wired } from '../../wiring/wired.ts'
import { listMessageTree } from '../go-to.ts'

export interface FileRewind {
  readonly host: Host
  readonly wired: Wired
  readonly conversation: Pick<LocalConversation, 'goTo'>
  /** Says what would change, and changes nothing. */
  readonly isTrial: boolean
  readonly signal: AbortSignal
}

/**
 * Restores the files to before a message of the user, as they are saved at each turn. Returns which files change, with the lines that come
 * back and go. The conversation goes on where it is. Throws `conflict` while a turn runs.
 */
export async function rewindFiles(id: string, options: FileRewind): Promise<JsonObject> {
  const { host, wired, conversation, isTrial, signal } = options
  const find = async () =>
    (await listMessageTree({ machine: host, wired, signal })).find(
      ({ messageId, role }) => messageId === id && role === 'user',
    )
  const message = await find()
  if (message === undefined) return refusal(`the user sent no message ${JSON.stringify(id)}`)
  const { turns = 0 } = message
  if (turns === 0) return { canRewind: true, filesChanged: [], insertions: 0, deletions: 0 }
  const diff = await wired.fileTurns.diff({ turns, signal })
  const files = diff?.files ?? []
  const sum = (counts: readonly (number | undefined)[]) =>
    counts.reduce((all: number, one = 0) => all + one, 0)
  const done = {
    canRewind: true,
    filesChanged: files.map(({ path }) => resolve(host.cwd, path)),
    insertions: sum(files.map(({ removed }) => removed)),
    deletions: sum(files.map(({ added }) => added)),
  }
  if (isTrial) return done
  try {
    const { report = '' } = await conversation.goTo(message.messageId, { what: 'files', signal })
    return (await find())?.turns === undefined ? done : refusal(report)
  } catch (error) {
    if (!isSurvivable(error) || error.code === 'conflict') throw error
    return refusal(error.message)
  }
}

function refusal(error: string): JsonObject {
  return { canRewind: false, error }
}
