import type { TaskWishes } from '../../../frontend/task-actions.ts'
import { permissionModes } from '../../../permission.ts'
import { taskPriorities } from '../../../task.ts'
import { readChoices, readLimits } from '../../choices.ts'
import { usageError } from '../../flags.ts'
import { addOwnTask } from '../../run/tasks/task-draft.ts'
import type { RunContext } from '../../run-context.ts'
import { requireModel } from '../../wiring/model/required-model.ts'
import { printId } from './print.ts'

const help = 'pipe task --help'

/** Puts a task on the board and prints its id, or its view as one line of JSON. Throws as `addOwnTask` and `requireModel` do. */
export async function addNewTask(text: string, context: RunContext): Promise<void> {
  const { host: machine, signal, flags } = context
  const wishes = readWishes(context)
  if (wishes.model !== undefined) await requireModel(machine, readChoices(flags, true), signal)
  const task = await addOwnTask(text, wishes, { machine, signal })
  if (task === undefined) throw usageError('pipe task add needs TEXT: what to do', help)
  printId(task, context)
}

function readWishes({ flags }: RunContext): TaskWishes {
  const model = flags.text('model')
  if (model?.trim() === '') throw usageError('--model takes provider/model, or the name of a route', help)
  const limits = readLimits(flags)
  return {
    refs: flags.all('ref'),
    priority: taskPriorities.find((one) => one === flags.text('priority')),
    agent: flags.text('agent'),
    after: flags.text('after'),
    mode: permissionModes.find((one) => one === flags.text('permission-mode')),
    model,
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  }
}
