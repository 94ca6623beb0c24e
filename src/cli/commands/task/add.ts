import { ownAgent } from '../../../actor.ts'
import type { EventStore } from '../../../event-store.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { permissionModes } from '../../../permission.ts'
import { type ArtifactRef, type TaskOptions, taskPriorities } from '../../../task.ts'
import { addTask, type TaskDraft } from '../../../tasks/change.ts'
import { mentions } from '../../../text/mentions.ts'
import { formatReference, parseReference, referenceForms } from '../../../text/reference.ts'
import { cleanTitle } from '../../../text/title.ts'
import { readLimits } from '../../choices.ts'
import { usageError } from '../../flags.ts'
import { attachPart, mentionedParts } from '../../run/mentioned-part.ts'
import type { RunContext } from '../../run-context.ts'
import { openTaskAuthor } from '../../wiring/actors.ts'
import { taskOrigin } from '../../wiring/task-origin.ts'
import { readBoard, withTasks } from '../../wiring/tasks.ts'
import { printId } from './print.ts'

const help = 'pipe task --help'

/** Puts a task on the board and prints its id, or its view as one line of JSON. Throws `usage`, `input`, `tool`. */
export async function addNewTask(text: string, context: RunContext): Promise<void> {
  const { host, signal } = context
  const title = cleanTitle(text)
  if (title === '') throw usageError('pipe task add needs TEXT that says what is to be done', help)
  const flags = readFlags(context)
  const author = await openTaskAuthor(host)
  const draft = {
    ...{ authorActorId: author.id, title, intent: text },
    ...{ ...flags, agentId: flags.agentId ?? author.defaultAgentId ?? ownAgent },
    ...readReferences(text, context),
  }
  const wishes = readWishes(context)
  const task = await withTasks(host, async (store) => {
    await store.ensureSchema({ signal })
    const after = await readAfter(store, context)
    const options = { ...(await taskOrigin(host, signal)), ...wishes, ...omitUndefined({ after }) }
    return addTask({ ...draft, options }, { store, newId: host.newId, signal })
  })
  printId(task, context)
}

function readFlags({ flags }: RunContext) {
  const given = flags.text('agent')
  if (given !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(given))
    throw usageError(`--agent takes a name of letters, digits, - and _, not ${JSON.stringify(given)}`, help)
  return {
    agentId: given === undefined ? undefined : `agent_${given.replace(/^agent_/, '')}`,
    priority: taskPriorities.find((one) => one === flags.text('priority')) ?? 'normal',
  }
}

/** Reads what the flags and the text refer to. A file that the text mentions must exist to count, and have such a part. */
function readReferences(text: string, { flags, host: { cwd } }: RunContext): Pick<TaskDraft, 'artifactRefs'> {
  for (const part of mentionedParts(text, cwd)) attachPart(part, cwd)
  const parts = mentionedParts(text, cwd).map(({ name }) => name)
  const named = mentions(text).filter((word) => /^(asset|cite):./.test(word) || parts.includes(word))
  const refs = [
    ...flags.all('ref').map(readReference),
    ...named.flatMap((word) => parseReference(word) ?? []),
  ]
  const unique = new Map(refs.map((ref) => [formatReference(ref), ref]))
  return unique.size === 0 ? {} : { artifactRefs: [...unique.values()] }
}

/** Reads the model, mode and limits that the task is to be carried out with. */
function readWishes({ flags }: RunContext): Pick<TaskOptions, 'model' | 'mode' | 'limits'> {
  const model = flags.text('model')
  if (model?.trim() === '') throw usageError('--model takes provider/model, or the name of a route', help)
  const mode = permissionModes.find((one) => one === flags.text('permission-mode'))
  const limits = readLimits(flags)
  return {
    ...omitUndefined({ model, mode }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  }
}

function readReference(text: string): ArtifactRef {
  const ref = parseReference(text)
  if (ref !== undefined) return ref
  throw usageError(
    `--ref takes ${referenceForms}, with paths below the working folder, not ${JSON.stringify(text)}`,
    help,
  )
}

async function readAfter(store: EventStore, { flags, signal }: RunContext) {
  const after = flags.text('after')
  return after === undefined ? undefined : (await readBoard(store, signal)).find(after).taskId
}
