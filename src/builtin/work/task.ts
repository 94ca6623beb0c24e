import { oneLine } from '../../characters/one-line.ts'
import { isPipeError } from '../../error.ts'
import type { Interaction } from '../../interaction.ts'
import type { Subtasks, TaskView } from '../../task.ts'
import { errorResult, type ToolContext, type ToolResult, type ToolRun, textResult } from '../../tool.ts'
import { describeReference } from '../../wire/reference.ts'
import { defineRunner } from '../runner.ts'
import { limits } from '../tool-limits.ts'
import type { Workspace } from '../workspace.ts'

export const task = defineRunner({
  name: 'task',
  schema: (schemas) => schemas.task(),
  async *run({ action, text, agent, id }, workspace, context) {
    const { tasks } = workspace
    if (tasks === undefined) return errorResult('there is no board of tasks here')
    try {
      if (action === 'list') return listed(await tasks.list(context))
      if (action === 'add') return yield* add({ text, agent }, { ...workspace, tasks }, context)
      return id === undefined ? errorResult('show needs id') : shown(await tasks.show(id, context))
    } catch (error) {
      if (!isPipeError(error) || !['input', 'conflict'].includes(error.code)) throw error
      return errorResult(error.message)
    }
  },
})

interface Order {
  readonly text?: string | undefined
  readonly agent?: string | undefined
}

type Board = Workspace & { readonly tasks: Subtasks }

/** Adds a task for the agent that is named. Asks the user which one if it may be one of several. */
async function* add({ text = '', agent = '' }: Order, board: Board, context: ToolContext): ToolRun {
  if (text.trim() === '') return errorResult('add needs text: what is to be done, in full')
  const known = await board.tasks.agents(context)
  const given = agent.split(',').flatMap((name) => name.trim().replace(/^agent_/, '') || [])
  const named = given.includes('ask') ? known : given
  const unknown = named.find((name) => !known.includes(name))
  if (unknown !== undefined)
    return errorResult(`there is no agent ${oneLine(unknown, 64)}; the agents are: ${known.join(', ')}`)
  const [only = usual, ...others] = new Set(named)
  let chosen = only
  if (others.length > 0) {
    if (!board.interactive) return errorResult('nobody can be asked here: name one agent')
    const interaction = assignment(text, [only, ...others], board)
    const response = yield { type: 'interaction', interaction }
    const picked = [only, ...others].find((name) => response?.selectedOptionId === `agent_${name}`)
    if (picked === undefined) return errorResult('the user chose no agent, so no task was added')
    chosen = picked
  }
  const draft = { text, agentId: `agent_${chosen}`, author: context.actor.id }
  const { taskId } = await board.tasks.add(draft, context)
  return textResult(`${taskId} is on the board for ${chosen}`, {
    task_id: taskId,
    agent_id: `agent_${chosen}`,
  })
}

/** The agent of a task that names none: the program itself. */
const usual = 'pipe'

function assignment(text: string, names: readonly string[], { newId }: Board): Interaction {
  return {
    id: newId.interaction(),
    kind: 'select',
    purpose: 'assign_subtask',
    display: { title: 'Which agent works on this task?', content: text, contentKind: 'plain_text' },
    options: names.map((name) => ({ id: `agent_${name}`, label: name })),
    validation: { required: true },
  }
}

function listed(tasks: readonly TaskView[]): ToolResult {
  if (tasks.length === 0) return textResult('no tasks')
  const rows = tasks
    .slice(0, limits.searchResults)
    .map(({ taskId, status, agentId, title }) => `${taskId} ${status} ${agentId} ${title}`)
  const left = tasks.length - rows.length
  return textResult([...rows, ...(left > 0 ? [`[${left} more]`] : [])].join('\n'))
}

function shown({ taskId, status, agentId, title, intent, ...more }: TaskView): ToolResult {
  const { artifactRefs = [], childTaskIds = [], summary, reason } = more
  const facts = [
    `${taskId} ${status} ${agentId} ${title}`,
    ...artifactRefs.map((ref) => `about ${describeReference(ref)}`),
    ...childTaskIds.map((id) => `subtask ${id}`),
    ...(reason === undefined ? [] : [`reason: ${reason}`]),
    ...(summary === undefined ? [] : [`summary: ${summary}`]),
  ]
  return textResult(`${facts.join('\n')}\n\n${intent}`)
}
