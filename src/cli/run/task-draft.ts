import { ownAgent } from '../../actor.ts'
import type { TaskId } from '../../id.ts'
import type { ArtifactRef, TaskView } from '../../task.ts'
import { addTask, type TaskDraft } from '../../tasks/change.ts'
import { mentions } from '../../text/mentions.ts'
import { parseReference } from '../../text/reference.ts'
import { cleanTitle } from '../../text/title.ts'
import type { Machine } from '../machine.ts'
import { openTaskAuthor } from '../wiring/actors.ts'
import { openOrigin, shareOrigin } from '../wiring/task-origin.ts'
import type { TaskStores } from '../wiring/tasks.ts'
import { attachPart, mentionedParts } from './mentioned-part.ts'

/** A task of the user, whose id its files are kept under. */
export interface OwnDraft extends TaskDraft {
  readonly taskId: TaskId
}

/**
 * Composes a task of the user for this folder, and for their usual agent. `undefined` for a text without a visible character. Throws
 * `permission` if the user may not create tasks, `input` for a part of a file that does not exist, `config` and `tool`.
 */
export async function draftTask(
  text: string,
  machine: Machine,
  signal: AbortSignal,
): Promise<OwnDraft | undefined> {
  const title = cleanTitle(text)
  if (title === '') return undefined
  const author = await openTaskAuthor(machine)
  const refs = referencesIn(text, machine)
  const taskId = machine.newId.task()
  return {
    taskId,
    ...{ authorActorId: author.id, title, intent: text, agentId: author.defaultAgentId ?? ownAgent },
    priority: 'normal',
    ...(refs.length === 0 ? {} : { artifactRefs: refs }),
    options: await openOrigin(taskId, machine, signal),
  }
}

/** Puts a task on the board, and where machines share it, the files that it begins with. Throws as `addTask` does. */
export async function addDraft(
  draft: OwnDraft,
  { events, bundles }: Pick<TaskStores, 'events' | 'bundles'>,
  { machine, signal }: { readonly machine: Machine; readonly signal: AbortSignal },
): Promise<TaskView> {
  if (bundles !== undefined) await shareOrigin(draft, { bundles, machine, signal })
  return addTask(draft, { store: events, newId: machine.newId, signal })
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
