import { ownAgent } from '../../actor.ts'
import type { ArtifactRef } from '../../task.ts'
import type { TaskDraft } from '../../tasks/change.ts'
import { mentions } from '../../text/mentions.ts'
import { parseReference } from '../../text/reference.ts'
import { cleanTitle } from '../../text/title.ts'
import type { Machine } from '../machine.ts'
import { openTaskAuthor } from '../wiring/actors.ts'
import { taskOrigin } from '../wiring/task-origin.ts'
import { attachPart, mentionedParts } from './mentioned-part.ts'

/**
 * Composes a task of the user for this folder, and for their usual agent. `undefined` for a text without a visible character. Throws
 * `permission` if the user may not create tasks, `input` for a part of a file that does not exist, `config` and `tool`.
 */
export async function draftTask(
  text: string,
  machine: Machine,
  signal: AbortSignal,
): Promise<TaskDraft | undefined> {
  const title = cleanTitle(text)
  if (title === '') return undefined
  const author = await openTaskAuthor(machine)
  const refs = referencesIn(text, machine)
  return {
    ...{ authorActorId: author.id, title, intent: text, agentId: author.defaultAgentId ?? ownAgent },
    priority: 'normal',
    ...(refs.length === 0 ? {} : { artifactRefs: refs }),
    options: await taskOrigin(machine, signal),
  }
}

/** Reads what a text refers to. A file must exist to count, and have the part that is mentioned. */
function referencesIn(text: string, { cwd }: Pick<Machine, 'cwd'>): readonly ArtifactRef[] {
  const parts = mentionedParts(text, cwd)
  for (const part of parts) attachPart(part, cwd)
  const names = parts.map(({ name }) => name)
  return mentions(text)
    .filter((word) => /^(asset|cite):./.test(word) || names.includes(word))
    .flatMap((word) => parseReference(word) ?? [])
}
