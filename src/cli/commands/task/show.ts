import { secondOf } from '../../../characters/shown-time.ts'
import type { Limits } from '../../../engine.ts'
import { questionText } from '../../../frontend/question-text.ts'
import { tableText } from '../../../frontend/words/text-table.ts'
import type { Interaction } from '../../../interaction.ts'
import type { TaskView } from '../../../task.ts'
import type { TaskBoard } from '../../../tasks/board.ts'
import { isBlocked } from '../../../tasks/scheduler-policy.ts'
import { readTask } from '../../../tasks/stored-task.ts'
import { printable } from '../../../terminal/printable.ts'
import { visible } from '../../../terminal/visible.ts'
import { describeReference } from '../../../wire/reference.ts'
import type { RunContext } from '../../run-context.ts'
import { withTasks } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'
import { viewLine } from './print.ts'

/**
 * Prints one task: its facts, a line each, its text, and the question that it asks; or its view as one line of JSON. Throws `input`.
 */
export async function showTask(id: string, { host, flags, signal }: RunContext): Promise<void> {
  await withTasks(host, async (store) => {
    const board = await readBoard(store, signal)
    const task = board.find(id)
    if (flags.format === 'json') return host.stdout.write(viewLine(task))
    const facts = tableText(factsOf(task, board))
    const asks =
      task.pendingInteractionId === undefined ? undefined : await readTask(task.taskId, { store, signal })
    const question = asks?.question === undefined ? '' : `\nasks\n${formatQuestion(asks.question)}`
    host.stdout.write(`${printable(facts)}\n\n${printable(task.intent)}\n${question}`)
  })
}

function formatQuestion(question: Interaction): string {
  const { options = [], parts = [] } = question
  const choices = options.map(({ id, label }, i) => printable(`  ${i + 1} ${label} (${id})\n`))
  return [`${visible(questionText(question))}\n`, ...choices, ...parts.map(formatQuestion)].join('')
}

/** Lists the facts of a task in the order in which they are shown. */
export function factsOf(
  task: TaskView,
  board: TaskBoard,
): readonly (readonly [name: string, value: string])[] {
  const { options = {}, artifactRefs = [], childTaskIds = [] } = task
  const { after, retryOf, folder, repo, base, model, mode, limits } = options
  const facts = {
    id: task.taskId,
    title: task.title,
    status: isBlocked(task, (one) => board.get(one)) ? `${task.status}, blocked` : task.status,
    reason: task.reason,
    summary: task.summary,
    priority: task.priority,
    agent: task.agentId,
    model,
    mode,
    limits: limits && limitsText(limits),
    attempt: task.attempt === undefined ? undefined : String(task.attempt),
    worker: task.worker,
    'work folder': task.workFolder,
    session: task.sessionId,
    created: `${secondOf(task.createdAt)} by ${task.createdBy}`,
    updated: secondOf(task.updatedAt),
    // Events of earlier versions name the folder as the repository.
    folder: folder ?? repo,
    base,
    refs: artifactRefs.length === 0 ? undefined : artifactRefs.map(describeReference).join(', '),
    after: after && `${after} (${board.get(after)?.status ?? 'unknown'})`,
    retries: retryOf,
    parent: task.parentTaskId,
    children: childTaskIds.length === 0 ? undefined : childTaskIds.join(', '),
  }
  return Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value.replace(/\s+/g, ' ')]],
  )
}

function limitsText({ maxRounds, maxTokens, maxCostUsd, maxTimeMs }: Limits): string {
  return [
    maxRounds === undefined ? [] : `${maxRounds} rounds`,
    maxTokens === undefined ? [] : `${maxTokens} tokens`,
    maxCostUsd === undefined ? [] : `$${maxCostUsd}`,
    maxTimeMs === undefined ? [] : `${maxTimeMs / 1_000} s`,
  ]
    .flat()
    .join(', ')
}
