import { resolve } from 'node:path'
import { isAgentName, ownAgent } from '../../../actor.ts'
import { PipeError } from '../../../error.ts'
import { lookThrough } from '../../../files/look.ts'
import { mentions } from '../../../frontend/mentions.ts'
import type { TaskWishes } from '../../../frontend/task-actions.ts'
import { cleanTitle } from '../../../history/title-text.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { ArtifactRef, TaskView } from '../../../task.ts'
import { addTask } from '../../../tasks/task-change.ts'
import { formatReference, parseFilePart, parseReference, referenceForms } from '../../../wire/reference.ts'
import { usageError } from '../../flags.ts'
import type { Machine } from '../../machine.ts'
import { openTaskAuthor } from '../../wiring/run-actors.ts'
import { withTaskStores } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'
import { openOrigin, shareOrigin } from '../../wiring/tasks/task-origin.ts'
import { attachPart, mentionedParts } from '../message/mentioned-part.ts'

interface Here {
  readonly machine: Machine
  readonly signal: AbortSignal
}

/**
 * Puts a task of the user on the board, to be done in this folder, by their usual agent unless they wish for another, and where machines
 * share the board, the files that it begins with. `undefined` for a text without a visible character. Throws `permission` if the user may
 * not create tasks, `usage` for malformed wishes, `input` for a reference or a task that does not exist, `config` and `tool`.
 */
export async function addOwnTask(
  text: string,
  wishes: TaskWishes,
  here: Here,
): Promise<TaskView | undefined> {
  const { machine, signal } = here
  const title = cleanTitle(text)
  if (title === '') return undefined
  const { priority = 'normal', after: wanted, agent, model, mode, limits } = wishes
  const wishedAgent = agent === undefined ? undefined : readAgent(agent)
  const wishedRefs = (wishes.refs ?? []).map(readReference)
  const author = await openTaskAuthor(machine)
  const refs = together([...wishedRefs.map((ref) => existing(ref, machine)), ...referencesIn(text, machine)])
  const taskId = machine.newId.task()
  return withTaskStores(machine, async (stores) => {
    const { events, bundles } = stores
    await events.ensureSchema({ signal })
    const after = wanted === undefined ? undefined : (await readBoard(events, signal)).find(wanted).taskId
    const draft = {
      taskId,
      authorActorId: author.id,
      title,
      intent: text,
      priority,
      agentId: wishedAgent ?? author.defaultAgentId ?? ownAgent,
      ...(refs.length === 0 ? {} : { artifactRefs: refs }),
      options: {
        ...(await openOrigin(taskId, machine, signal)),
        ...omitUndefined({ model, mode, limits, after }),
      },
    }
    if (bundles !== undefined) await shareOrigin(draft, { bundles, machine, signal })
    return addTask(draft, { store: events, newId: machine.newId, signal })
  })
}

function readAgent(given: string): string {
  if (isAgentName(given)) return `agent_${given.replace(/^agent_/, '')}`
  throw usageError(`--agent takes a name of letters, digits, - and _, not ${JSON.stringify(given)}`, help)
}

const help = 'pipe task --help'

function readReference(text: string): ArtifactRef {
  const ref = parseReference(text)
  if (ref !== undefined) return ref
  throw usageError(
    `--ref takes ${referenceForms}, with paths below the working folder, not ${JSON.stringify(text)}`,
    help,
  )
}

/** Returns a reference whose file has the part that it names. Throws `input` for another. */
function existing(ref: ArtifactRef, { cwd }: Pick<Machine, 'cwd'>): ArtifactRef {
  const name = formatReference(ref)
  const part = ref.kind === 'asset' || ref.kind === 'citation' ? undefined : parseFilePart(name)
  if (part === undefined) return ref
  if (lookThrough(resolve(cwd, part.path))?.isFile() !== true)
    throw new PipeError('input', `cannot refer to ${name}: there is no file ${part.path} in ${cwd}`)
  attachPart({ path: part.path, name, part }, cwd)
  return ref
}

/** Returns each reference once. */
function together(refs: readonly ArtifactRef[]): readonly ArtifactRef[] {
  return [...new Map(refs.map((ref) => [formatReference(ref), ref])).values()]
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
