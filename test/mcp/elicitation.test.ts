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

const formOf = (properties: JsonObject): JsonObject => ({
  message: 'Say more.',
  requestedSchema: { type: 'object', properties },
})

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

  it('may have several answers in one field', async () => {
    const fish = {
      anyOf: [
        { const: 'fish-1', title: 'Tuna' },
        { const: 'fish-2', title: 'Salmon' },
      ],
    }
    const { call } = await asking(
      formOf({
        tools: {
          type: 'array',
          items: { type: 'string', enum: ['Piano', 'Bass'] },
          minItems: 1,
          maxItems: 2,
        },
        fish: { type: 'array', title: 'Fish', items: fish, default: ['fish-1'] },
      }),
    )
    const run = call('mcp__odd__work')
    const question = await questionOf(run)
    expect(question.parts?.map(({ display }) => display)).toMatchObject([
      {
        title: 'tools',
        description: expect.stringMatching(/1 to 2 of these, with commas between: Piano, Bass$/),
      },
      { title: 'Fish', description: expect.stringMatching(/: Tuna, Salmon · Enter alone: Tuna$/) },
      {},
    ])
    const response = answersTo(question, { inputValue: ' bass,Piano ' }, {}, { selectedOptionId: 'yes' })
    expect(await answered(run, response)).toEqual({
      action: 'accept',
      content: { tools: ['Bass', 'Piano'], fish: ['fish-1'] },
    })
  })

  it.each([
    [{ type: 'integer', minimum: 1, maximum: 10 }, '11', '7', 7, '"11" is not a whole number from 1 to 10'],
    [{ type: 'integer' }, '1.5', '2', 2, '"1.5" is not a whole number'],
    [{ type: 'number', minimum: 0.5 }, 'many', '0.5', 0.5, '"many" is not a number of at least 0.5'],
    [{ type: 'string', format: 'email' }, 'ann', ' a@b.c', 'a@b.c', '"ann" is not an email address'],
    [
      { type: 'string', format: 'date' },
      '3 May',
      '2026-05-03',
      '2026-05-03',
      '"3 May" is not a date such as',
    ],
    [{ type: 'string', maxLength: 3 }, 'long', 'abc', 'abc', '"long" is not a text of at most 3 characters'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'B', 'b', '"c" is not one of: a, b'],
    [
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1 },
      'a, b',
      'a',
      ['a'],
      '"a, b" is not at most 1 of these, with commas between: a, b',
    ],
  ])('is asked again in the field that does not fit: %j', async (field, wrong, right, value, complaint) => {
    const { call } = await asking(formOf({ name: { type: 'string' }, field }))
    const run = call('mcp__odd__work')
    const yes = { selectedOptionId: 'yes' }
    const step = await run.next(
      answersTo(await questionOf(run), { inputValue: 'Ann' }, { inputValue: wrong }, yes),
    )
    const again = step.done !== true && step.value.type === 'interaction' ? step.value.interaction : undefined
    if (again === undefined) throw new Error('it does not ask again')
    expect(again.parts?.map(({ display }) => display.title)).toEqual(['field', 'Send these answers?'])
    expect(again.parts?.[0]?.display.description).toContain(complaint)
    expect(await answered(run, answersTo(again, { inputValue: right }, yes))).toEqual({
      action: 'accept',
      content: { name: 'Ann', field: value },
    })
  })

  it.each([
    [{ who: { type: 'string', enum: [] } }, 'its field "who" is of a kind that it cannot ask for'],
    [
      Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i}`, { type: 'string' }])),
      'it has 21 fields, and 20 are the most',
    ],
  ])('is an error for the server, and no answer, where it cannot be shown: %j', async (fields, reason) => {
    const { run } = await asking(formOf(fields))
    const error = parseJson((await run('mcp__odd__work')).split('\n').at(-1) ?? '')
    expect(isJsonObject(error) && error['message']).toContain(reason)
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
