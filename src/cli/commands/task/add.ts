import type { EventStore } from '../../../event-store.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { permissionModes } from '../../../permission.ts'
import { type ArtifactRef, type TaskOptions, taskPriorities } from '../../../task.ts'
import type { TaskDraft } from '../../../tasks/change.ts'
import { formatReference, parseReference, referenceForms } from '../../../text/reference.ts'
import { readLimits } from '../../choices.ts'
import { usageError } from '../../flags.ts'
import { addDraft, draftTask } from '../../run/task-draft.ts'
import type { RunContext } from '../../run-context.ts'
import { readBoard, withTaskStores } from '../../wiring/tasks.ts'
import { printId } from './print.ts'

const help = 'pipe task --help'

/** Puts a task on the board and prints its id, or its view as one line of JSON. Throws `usage`, `input`, `permission`, `tool`. */
export async function addNewTask(text: string, context: RunContext): Promise<void> {
  const { host, signal } = context
  const given = { ...readAgent(context), ...readPriority(context) }
  const wishes = readWishes(context)
  const refs = context.flags.all('ref').map(readReference)
  const draft = await draftTask(text, host, signal)
  if (draft === undefined) throw usageError('pipe task add needs TEXT that says what is to be done', help)
  const task = await withTaskStores(host, async (stores) => {
    await stores.events.ensureSchema({ signal })
    const after = await readAfter(stores.events, context)
    const options = { ...draft.options, ...wishes, ...omitUndefined({ after }) }
    const whole = { ...draft, ...given, ...together(refs, draft.artifactRefs), options }
    return addDraft(whole, stores, { machine: host, signal })
  })
  printId(task, context)
}

function readAgent({ flags }: RunContext): Pick<TaskDraft, 'agentId'> | undefined {
  const given = flags.text('agent')
  if (given === undefined) return undefined
  if (/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(given)) return { agentId: `agent_${given.replace(/^agent_/, '')}` }
  throw usageError(`--agent takes a name of letters, digits, - and _, not ${JSON.stringify(given)}`, help)
}

function readPriority({ flags }: RunContext): Pick<TaskDraft, 'priority'> | undefined {
  const priority = taskPriorities.find((one) => one === flags.text('priority'))
  return priority && { priority }
}

/** Joins the references of the flags and of the text, each once. */
function together(
  refs: readonly ArtifactRef[],
  others: readonly ArtifactRef[] = [],
): Pick<TaskDraft, 'artifactRefs'> {
  const unique = new Map([...refs, ...others].map((ref) => [formatReference(ref), ref]))
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
