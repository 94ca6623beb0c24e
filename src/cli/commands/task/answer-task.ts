import { PipeError, throwIfAborted } from '../../../error.ts'
import type { Interaction, InteractionResponse } from '../../../interaction.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { requireTask, type TaskReading } from '../../../tasks/stored-task.ts'
import { answerTask } from '../../../tasks/task-change.ts'
import { printable } from '../../../terminal/printable.ts'
import { askOnTerminal } from '../../controlling-terminal.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { isTerminal } from '../../standard-output.ts'
import { openUser } from '../../wiring/run-actors.ts'
import { withTasks } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'
import { describeChoices, readGivenAnswer } from './given-answer.ts'
import { viewLine } from './print.ts'

/**
 * Answers the question of a task: with these words, or without any as the user says on the terminal. Throws `usage`, `input`, `conflict`,
 * `invalid`.
 */
export async function answerTaskQuestion(
  id: string,
  words: readonly string[],
  context: RunContext,
): Promise<void> {
  const { host, flags, signal } = context
  const task = await withTasks(host, async (store) => {
    const { taskId } = (await readBoard(store, signal)).find(id)
    const reading = { store, signal }
    const question = await requireQuestion(taskId, reading)
    return answerTask(taskId, await readAnswer(question, words, context), reading)
  })
  const line = `answered: ${task.taskId}  ${printable(task.title)}\n`
  host.stdout.write(flags.format === 'json' ? viewLine(task) : line)
}

async function requireQuestion(
  taskId: Parameters<typeof requireTask>[0],
  reading: TaskReading,
): Promise<Interaction> {
  const { task, question } = await requireTask(taskId, reading)
  if (question !== undefined) return question
  throw new PipeError('conflict', `task ${taskId} is ${task.status} and has no open question`, {
    details: { task_id: taskId, from: task.status },
  })
}

async function readAnswer(
  question: Interaction,
  words: readonly string[],
  { host, flags, signal }: RunContext,
): Promise<InteractionResponse> {
  const comment = flags.text('comment')
  const { id: answeredBy } = await openUser(host)
  if (words.length > 0) return readGivenAnswer(question, { words, answeredBy, comment })
  if (!(await isTerminal(0))) throw usageError(printable(missingAnswer(question)), 'pipe task --help')
  const { putQuestion: ask } = await import('../../../line/line-question.ts')
  const said = await ask(question, askOnTerminal, signal, answeredBy)
  throwIfAborted(signal)
  if (said.cancelled === true) throw new PipeError('aborted', 'the question was not answered')
  return { ...said, ...omitUndefined({ comment: comment ?? said.comment }) }
}

function missingAnswer(question: Interaction): string {
  const { parts = [question] } = question
  const choices = parts.map((part) => `${part.display.title} – ${describeChoices(part)}`)
  return `pipe task answer needs an answer if stdin is not a terminal: ${choices.join('; ')}`
}
