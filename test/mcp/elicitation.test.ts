import { describe, expect, it } from 'vitest'
import type { Interaction, InteractionResponse } from '../../src/interaction.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../src/json-value.ts'
import type { ToolRun } from '../../src/tool.ts'
import { oddServer, openServers } from '../support/mcp/server-pool.ts'

const form = {
  message: 'Who pays?',
  requestedSchema: {
    type: 'object',
    properties: {
      who: { type: 'string', title: 'Name' },
      amount: { type: 'integer', default: 3 },
      kind: { type: 'string', enum: ['card', 'cash'], enumNames: ['Card', 'Cash'] },
      now: { type: 'boolean', default: true },
    },
    required: ['who'],
  },
}

/** Pulls a call to its question. */
async function questionOf(run: ToolRun): Promise<Interaction> {
  const step = await run.next(undefined)
  if (step.done === true || step.value.type !== 'interaction') throw new Error('it asks nothing')
  return step.value.interaction
}

/** Answers a question. Returns what the server was sent. */
async function answered(run: ToolRun, response: InteractionResponse | undefined): Promise<unknown> {
  const step = await run.next(response)
  if (step.done !== true) throw new Error('it goes on')
  const [block] = step.value.content
  return parseJson(block?.type === 'text' ? (block.text.split('\n').at(-1) ?? '') : '')
}

async function asking(params: JsonObject, isAttended = true) {
  const opened = await openServers([oddServer('asking', JSON.stringify(params), { callMs: 300 })], {
    isAttended,
  })
  await opened.run('find_tools', { query: 'work' })
  return opened
}

/** Answers each part of a form in its order. */
function answersTo(
  { id, parts = [] }: Interaction,
  ...answers: readonly Partial<InteractionResponse>[]
): InteractionResponse {
  const by = { answeredBy: 'user_local' }
  return {
    interactionId: id,
    ...by,
    parts: parts.map((part, i) => ({ interactionId: part.id, ...by, ...answers[i] })),
  }
}

describe('what a server asks during a call', () => {
  it('is a form for the user, whose answers go back once he says so', async () => {
    const { call } = await asking(form)
    const run = call('mcp__odd__work')
    const question = await questionOf(run)
    expect(question.display.title).toBe('The MCP server odd asks: Who pays?')
    expect(question.parts?.map(({ kind, display }) => [kind, display.title])).toEqual([
      ['input', 'Name'],
      ['input', 'amount'],
      ['select', 'kind'],
      ['confirm', 'now'],
      ['confirm', 'Send these answers?'],
    ])
    const response = answersTo(
      question,
      { inputValue: 'Ann' },
      { inputValue: '' },
      { selectedOptionId: 'cash' },
      { selectedOptionId: 'no' },
      { selectedOptionId: 'yes' },
    )
    expect(await answered(run, response)).toEqual({
      action: 'accept',
      content: { who: 'Ann', amount: 3, kind: 'cash', now: false },
    })
  })

  it('is declined by a no, and cancelled by none', async () => {
    const { call } = await asking(form)
    const first = call('mcp__odd__work')
    expect(await answered(first, answersTo(await questionOf(first)))).toEqual({ action: 'decline' })
    const second = call('mcp__odd__work')
    await questionOf(second)
    expect(await answered(second, undefined)).toEqual({ action: 'cancel' })
  })

  it('may take the user longer than the call has', async () => {
    const { call } = await asking(form)
    const run = call('mcp__odd__work')
    await questionOf(run)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(await answered(run, undefined)).toEqual({ action: 'cancel' })
  })

  it('may be to open a page, whose address is shown whole', async () => {
    const { call } = await asking({
      mode: 'url',
      message: 'Log in',
      url: 'https://evil.example/x',
      elicitationId: 'e',
    })
    const run = call('mcp__odd__work')
    const question = await questionOf(run)
    expect(question).toMatchObject({
      kind: 'confirm',
      display: { content: { url: 'https://evil.example/x' } },
    })
    expect(
      await answered(run, { interactionId: question.id, answeredBy: 'user_local', selectedOptionId: 'yes' }),
    ).toEqual({
      action: 'accept',
    })
  })

  it('is refused where no user can answer', async () => {
    const { run } = await asking(form, false)
    const text = await run('mcp__odd__work')
    const error = parseJson(text.split('\n').at(-1) ?? '')
    expect(isJsonObject(error) && error['code']).toBe(-32601)
  })
})
