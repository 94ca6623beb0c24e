import { describe, expect, it, onTestFinished } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import { type InteractionResponse, validateResponse } from '../../../src/interaction.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import { textContent } from '../../../src/message.ts'
import type { SubtaskDraft, Subtasks, TaskView } from '../../../src/task.ts'
import { toolContext } from '../../support/conversations/tool-run.ts'
import { timestamp } from '../../support/messages/messages.ts'
import { taskId } from '../../support/tasks/task-events.ts'
import { createToolbox, path as PATH } from '../toolbox.ts'

const view: TaskView = {
  taskId: taskId(1),
  title: 'fix it',
  intent: 'fix it all',
  createdBy: 'agent_test',
  agentId: 'agent_review',
  priority: 'normal',
  status: 'failed',
  reason: 'no key',
  seq: 3,
  artifactRefs: [{ kind: 'file_range', path: 'a.ts', lineStart: 1, lineEnd: 2 }],
  childTaskIds: [taskId(2)],
  createdAt: timestamp,
  updatedAt: timestamp,
}

/** The tool over a board with one task. `added` gets what is added. */
async function open(interactive = true) {
  const added: SubtaskDraft[] = []
  const tasks: Subtasks = {
    agents: async () => ['pipe', 'review', 'general'],
    add: async (draft) => {
      added.push(draft)
      return { ...view, taskId: taskId(2), agentId: draft.agentId }
    },
    list: async () => [view],
    show: async (id) => {
      if (id !== view.taskId) throw new PipeError('input', `there is no task ${id}`)
      return view
    },
  }
  const toolbox = await createToolbox({ PATH }, { interactive, tasks })
  onTestFinished(() => toolbox.close())
  return { toolbox, added }
}

/** Calls the tool, and answers its question with this option. */
async function call(args: JsonObject, chosen?: string, interactive = true) {
  const { toolbox, added } = await open(interactive)
  const run = toolbox.executor.execute('task', args, toolContext())
  let step = await run.next(undefined)
  const asked = step.done !== true && step.value.type === 'interaction' ? step.value.interaction : undefined
  if (asked !== undefined) {
    const said = chosen === undefined ? { cancelled: true } : { selectedOptionId: chosen }
    const response: InteractionResponse = { interactionId: asked.id, answeredBy: 'user_local', ...said }
    validateResponse(asked, response)
    step = await run.next(response)
  }
  if (step.done !== true) throw new Error('more was asked')
  const { content, isError } = step.value
  return { text: textContent({ content }), isError, added, asked }
}

describe('the tool task', () => {
  it('adds a task for the agent that is named, in the name of whoever calls', async () => {
    const { text, added, asked } = await call({ action: 'add', text: 'fix it', agent: 'agent_review' })
    expect(asked).toBeUndefined()
    expect(text).toBe(`${taskId(2)} is on the board for review`)
    expect(added).toEqual([{ text: 'fix it', agentId: 'agent_review', author: 'agent_test' }])
    expect((await call({ action: 'add', text: 'x' })).added).toMatchObject([{ agentId: 'agent_pipe' }])
  })

  it.each([
    ['ask', ['agent_pipe', 'agent_review', 'agent_general']],
    ['review, general', ['agent_review', 'agent_general']],
  ])('asks who works on it where the agent is %j', async (agent, ids) => {
    const { asked, added } = await call({ action: 'add', text: 'fix it', agent }, 'agent_general')
    expect(asked).toMatchObject({ kind: 'select', purpose: 'assign_subtask' })
    expect(asked?.options?.map(({ id }) => id)).toEqual(ids)
    expect(added).toEqual([{ text: 'fix it', agentId: 'agent_general', author: 'agent_test' }])
  })

  it('adds nothing without an answer, an agent that exists, a text, or anyone to ask', async () => {
    const text = 'fix it'
    const refused = [
      [await call({ action: 'add', text, agent: 'ask' }), 'the user chose no agent, so no task was added'],
      [
        await call({ action: 'add', text, agent: 'ask' }, undefined, false),
        'nobody can be asked here: name one agent',
      ],
      [
        await call({ action: 'add', text, agent: 'eve' }),
        'there is no agent eve; the agents are: pipe, review, general',
      ],
      [await call({ action: 'add' }), 'add needs text: what is to be done, in full'],
    ] as const
    for (const [result, message] of refused) {
      expect(result).toMatchObject({ isError: true, text: message })
      expect(result.added).toEqual([])
    }
  })

  it('lists tasks and shows one', async () => {
    const row = `${taskId(1)} failed agent_review fix it`
    expect((await call({ action: 'list' })).text).toBe(row)
    expect((await call({ action: 'show', id: taskId(1) })).text).toBe(
      `${row}\nabout a.ts:1-2 (code)\nsubtask ${taskId(2)}\nreason: no key\n\nfix it all`,
    )
    expect(await call({ action: 'show', id: 'x' })).toMatchObject({
      isError: true,
      text: 'there is no task x',
    })
    expect(await call({ action: 'show' })).toMatchObject({ isError: true, text: 'show needs id' })
  })

  it('needs the capability to create tasks, is read-only but for adding, and costs at most 90 tokens', async () => {
    const { toolbox } = await open()
    const tool = toolbox.executor.tools().find(({ name }) => name === 'task')
    expect(tool?.capability).toBe('create_task')
    expect(['add', 'list', 'show'].map((action) => tool?.readOnly({ action }))).toEqual([false, true, true])
    const { name, description, parameters } = tool ?? {}
    expect(Buffer.byteLength(JSON.stringify({ name, description, parameters }))).toBeLessThanOrEqual(4 * 90)
  })
})
