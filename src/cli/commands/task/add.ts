import { ownAgent } from '../../../actor.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { permissionModes } from '../../../permission.ts'
import {
  type ArtifactRef,
  type TaskOptions,
  type TaskPriority,
  type TaskView,
  taskPriorities,
} from '../../../task.ts'
import { addTask, type TaskDraft } from '../../../tasks/change.ts'
import { mentions } from '../../../text/mentions.ts'
import { formatReference, parseReference, referenceForms } from '../../../text/reference.ts'
import { cleanTitle } from '../../../text/title.ts'
import { readLimits } from '../../choices.ts'
import { usageError } from '../../flags.ts'
import type { Machine } from '../../machine.ts'
import { attachPart, mentionedParts } from '../../run/mentioned-part.ts'
import type { RunContext } from '../../run-context.ts'
import { openTaskAuthor } from '../../wiring/actors.ts'
import { taskOrigin } from '../../wiring/task-origin.ts'
import { readBoard, withTasks } from '../../wiring/tasks.ts'
import { printId } from './print.ts'

const help = 'pipe task --help'

/** The machine, whatever front end it has. */
interface Here {
  readonly host: Machine
  readonly signal: AbortSignal
}

/** Puts a task on the board and prints its id, or its view as one line of JSON. Throws `usage`, `input`, `tool`. */
export async function addNewTask(text: string, context: RunContext): Promise<void> {
  printId(await createTask(text, readFlags(context), context), context)
}

/** Choices for a new task. */
interface Wishes {
  readonly priority: TaskPriority
  readonly agentId?: string | undefined
  readonly refs?: readonly ArtifactRef[]
  /** An id, or a beginning of one. */
  readonly after?: string | undefined
  readonly options?: Pick<TaskOptions, 'model' | 'mode' | 'limits'>
}

/** Puts a task on the board, to be done in the working folder. Throws `usage`, `input`, `tool`. */
export async function createTask(
  text: string,
  { priority, agentId, refs = [], after: follows, options: wishes }: Wishes,
  { host, signal }: Here,
): Promise<TaskView> {
  const title = cleanTitle(text)
  if (title === '') throw usageError('a task needs a TEXT that says what is to be done', help)
  const author = await openTaskAuthor(host)
  const draft = {
    ...{ authorActorId: author.id, title, intent: text, priority },
    agentId: agentId ?? author.defaultAgentId ?? ownAgent,
    ...readReferences(text, refs, host),
  }
  return withTasks(host, async (store) => {
    await store.ensureSchema({ signal })
    const after = follows === undefined ? undefined : (await readBoard(store, signal)).find(follows).taskId
    const options = { ...(await taskOrigin(host, signal)), ...wishes, ...omitUndefined({ after }) }
    return addTask({ ...draft, options }, { store, newId: host.newId, signal })
  })
}

function readFlags(context: RunContext): Wishes {
  const { flags } = context
  const given = flags.text('agent')
  if (given !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(given))
    throw usageError(`--agent takes a name of letters, digits, - and _, not ${JSON.stringify(given)}`, help)
  return {
    agentId: given === undefined ? undefined : `agent_${given.replace(/^agent_/, '')}`,
    priority: taskPriorities.find((one) => one === flags.text('priority')) ?? 'normal',
    refs: flags.all('ref').map(readReference),
    after: flags.text('after'),
    options: readOptions(context),
  }
}

/** Adds what the text refers to. A file that it mentions must exist to count, and have such a part. */
function readReferences(
  text: string,
  given: readonly ArtifactRef[],
  { cwd }: Pick<Machine, 'cwd'>,
): Pick<TaskDraft, 'artifactRefs'> {
  for (const part of mentionedParts(text, cwd)) attachPart(part, cwd)
  const parts = mentionedParts(text, cwd).map(({ name }) => name)
  const named = mentions(text).filter((word) => /^(asset|cite):./.test(word) || parts.includes(word))
  const refs = [...given, ...named.flatMap((word) => parseReference(word) ?? [])]
  const unique = new Map(refs.map((ref) => [formatReference(ref), ref]))
  return unique.size === 0 ? {} : { artifactRefs: [...unique.values()] }
}

/** Reads the model, mode and limits that the task is to be carried out with. */
function readOptions({ flags }: RunContext): Pick<TaskOptions, 'model' | 'mode' | 'limits'> {
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
