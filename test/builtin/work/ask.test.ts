import { describe, expect, it, onTestFinished } from 'vitest'
import { type Interaction, type InteractionResponse, validateResponse } from '../../../src/interaction.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import { textContent } from '../../../src/message.ts'
import { toolContext } from '../../support/conversations/tool-run.ts'
import { createToolbox, path as PATH } from '../toolbox.ts'

type Answer = Pick<InteractionResponse, 'selectedOptionId' | 'inputValue' | 'comment' | 'cancelled'>

async function open(interactive = true) {
  const toolbox = await createToolbox({ PATH }, { interactive })
  onTestFinished(() => toolbox.close())
  return toolbox
}

/** The prompt that a user sees, and the answers that the model gets. */
async function ask(questions: readonly JsonObject[], ...answers: readonly Answer[]) {
  const { executor } = await open()
  const run = executor.execute('ask', { questions }, toolContext())
  const step = await run.next(undefined)
  if (step.done === true || step.value.type !== 'interaction') throw new Error('nothing was asked')
  const { interaction } = step.value
  const to = ({ id }: Interaction, answer: Answer = { cancelled: true }): InteractionResponse => ({
    interactionId: id,
    answeredBy: 'user_test',
    ...answer,
  })
  const response = {
    ...to(interaction, interaction.parts === undefined ? answers[0] : {}),
    ...(interaction.parts && { parts: interaction.parts.map((part, i) => to(part, answers[i])) }),
  }
  validateResponse(interaction, response)
  const end = await run.next(response)
  if (end.done !== true) throw new Error('more was asked')
  const { content, isError, details } = end.value
  return { interaction, isError, text: textContent({ content }), details }
}

const anything = expect.stringMatching(/^ui_/)

describe('a question', () => {
  it('may ask to select an answer', async () => {
    const question = { question: 'Which?', kind: 'select', options: ['A', 'B'], default: 'B' }
    expect(await ask([question], { selectedOptionId: '1' })).toEqual({
      interaction: {
        id: anything,
        kind: 'select',
        purpose: 'choose_strategy',
        display: { title: 'Which?' },
        options: [
          { id: '1', label: 'A', isDefault: false },
          { id: '2', label: 'B', isDefault: true },
        ],
        validation: { required: false },
      },
      isError: false,
      text: 'Which? → A',
      details: { answers: [{ question: 'Which?', answer: 'A' }] },
    })
  })

  it('may be answered in other words, or with a comment', async () => {
    const question = { question: 'Which?', kind: 'select', options: ['A', 'B'] }
    expect((await ask([question], { inputValue: 'neither' })).text).toBe('Which? → neither')
    expect((await ask([question], { selectedOptionId: '2', comment: 'for now' })).text).toBe(
      'Which? → B: for now',
    )
  })

  it('may be answered with yes or no', async () => {
    const question = { question: 'Go on?', kind: 'confirm' }
    const { interaction, text } = await ask([{ ...question, default: 'No' }], { selectedOptionId: 'yes' })
    expect([interaction.options, interaction.validation, text]).toEqual([
      [
        { id: 'yes', label: 'Yes', isDefault: false },
        { id: 'no', label: 'No', isDefault: true },
      ],
      { required: false },
      'Go on? → Yes',
    ])
    expect((await ask([question], { selectedOptionId: 'no' })).interaction.validation).toEqual({
      required: true,
    })
  })

  it('takes options and a default that are not text', async () => {
    const number = { question: 'How many?', kind: 'select', options: [1, 2, 3], default: 3 }
    expect((await ask([number], {})).interaction.options).toEqual([
      { id: '1', label: '1', isDefault: false },
      { id: '2', label: '2', isDefault: false },
      { id: '3', label: '3', isDefault: true },
    ])
    for (const preset of [true, false]) {
      const { interaction } = await ask([{ question: 'Go on?', kind: 'confirm', default: preset }], {})
      expect(interaction.options).toEqual([
        { id: 'yes', label: 'Yes', isDefault: preset },
        { id: 'no', label: 'No', isDefault: !preset },
      ])
    }
  })

  it('takes free text, and its default for an empty answer', async () => {
    const question = { question: 'Name?', kind: 'input', default: 'Ann' }
    const { interaction, text } = await ask([question], {})
    expect([interaction.display, interaction.validation, text]).toEqual([
      { title: 'Name?', description: 'Enter alone: Ann' },
      { required: false },
      'Name? → Ann',
    ])
    expect((await ask([question], { inputValue: 'Bob' })).text).toBe('Name? → Bob')
  })

  it('is an error if the user does not answer', async () => {
    expect(await ask([{ question: 'Name?', kind: 'input' }], { cancelled: true })).toMatchObject({
      isError: true,
      text: 'the user did not answer: decide yourself, or end and say what you need to know',
    })
  })

  it('needs at least two options to select from', async () => {
    const question = { question: 'Which?', kind: 'select', options: ['A'] }
    expect(await (await open()).call('ask', { questions: [question] })).toEqual({
      isError: true,
      text: '"Which?" has nothing to select from: give at least two options',
      outputs: [],
    })
  })
})

describe('several questions', () => {
  const questions = [
    { question: 'Which?', kind: 'select', options: ['A', 'B'] },
    { question: 'Sure?', kind: 'confirm' },
    { question: 'Name?', kind: 'input' },
  ]

  it('are one interaction, with one answer per line', async () => {
    const { interaction, text } = await ask(
      questions,
      { selectedOptionId: '2' },
      { selectedOptionId: 'yes' },
      { inputValue: 'Ann' },
    )
    expect([interaction.kind, interaction.display.title, interaction.parts?.map(({ kind }) => kind)]).toEqual(
      ['composite', '3 questions', ['select', 'confirm', 'input']],
    )
    expect(new Set([interaction.id, ...(interaction.parts ?? []).map(({ id }) => id)]).size).toBe(4)
    expect(text).toBe('Which? → B\nSure? → Yes\nName? → Ann')
  })

  it('may be left unanswered one by one', async () => {
    expect((await ask(questions, { selectedOptionId: '1' })).text).toBe(
      'Which? → A\nSure? → (no answer)\nName? → (no answer)',
    )
  })
})

it('refuses more than nine questions at once, and none', async () => {
  const toolbox = await open()
  for (const count of [0, 10]) {
    const questions = Array.from({ length: count }, () => ({ question: 'Sure?', kind: 'confirm' }))
    expect((await toolbox.call('ask', { questions })).text).toBe(
      'bad arguments for ask: questions: ask one to nine questions\nusage: ask(questions: [{question: string, kind: select|confirm|input, options?: [string], default?: string}])',
    )
  }
})

it('offers no ask tool if no user can be asked', async () => {
  const toolbox = await open(false)
  expect(toolbox.executor.tools().map(({ name }) => name)).not.toContain('ask')
  expect((await toolbox.call('ask', { questions: [] })).text).toMatch(
    /^there is no tool ask; the tools are: read,/,
  )
})
