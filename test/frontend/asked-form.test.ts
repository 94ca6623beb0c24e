import { expect, it } from 'vitest'
import { formOf, readForm } from '../../src/frontend/asked-form.ts'
import type { InteractionId } from '../../src/id.ts'
import type { Interaction } from '../../src/interaction.ts'
import { visible } from '../../src/terminal/visible.ts'

const id = (text: string) => `ui_${text.padEnd(12, '0')}` as InteractionId

const permission: Interaction = {
  id: id('a'),
  kind: 'select',
  purpose: 'confirm_risky_action',
  display: {
    title: 'Run this command?',
    content: { command: 'rm -r build\nls\u001b[2K' },
    dangers: [{ text: 'deletes build/' }],
  },
  options: [
    { id: 'allow', label: 'Yes, once' },
    { id: 'allow_session', label: 'Yes, and rm … until pipe exits' },
    { id: 'allow_always', label: 'Yes, always' },
    { id: 'deny', label: 'No', isDefault: true },
  ],
}

const questions: Interaction = {
  id: id('b'),
  kind: 'composite',
  purpose: 'request_info',
  display: { title: 'Two questions' },
  parts: [
    {
      id: id('c'),
      kind: 'select',
      purpose: 'request_info',
      display: { title: 'Which color?' },
      options: [
        { id: '1', label: 'Red' },
        { id: '2', label: 'Blue' },
      ],
    },
    { id: id('d'), kind: 'input', purpose: 'request_info', display: { title: 'Why?' } },
  ],
}

const accept = (content: object) => ({ action: 'accept', content })

it('shows all of a call, with nothing hidden, and offers a yes for this call alone', () => {
  expect(formOf(permission, visible)).toEqual({
    message: 'Run this command?\n  command: rm -r build\n    ls\\x1b[2K\nDanger: deletes build/',
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer', enum: ['Yes, once', 'No'] } },
      required: ['answer'],
    },
  })
})

it('shows a table as rows, as the line mode does', () => {
  const display = {
    title: 'Which files?',
    content: [{ file: 'a.ts', lines: 3 }],
    contentKind: 'table',
    dangers: [{ text: 'deletes a.ts' }, { text: 'deletes a.ts' }],
  } as const
  expect(formOf({ ...permission, display }, visible).message).toBe(
    'Which files?\n    file  lines\n    a.ts  3\nDanger: deletes a.ts',
  )
})

it('takes a yes, a no, and nothing else for an answer', () => {
  const read = (given: unknown) => readForm(permission, given, { answeredBy: 'user_x', show: visible })
  const by = { answeredBy: 'user_x' }
  const about = { interactionId: permission.id, ...by }
  expect(read(accept({ answer: 'Yes, once' }))).toEqual({ ...about, selectedOptionId: 'allow' })
  expect(read(accept({ answer: 'No' }))).toEqual({ ...about, selectedOptionId: 'deny' })
  expect(read({ action: 'decline' })).toEqual({ ...by, selectedOptionId: 'deny' })
  const none = { ...by, cancelled: true }
  for (const given of [
    accept({ answer: 'Yes, always' }),
    accept({ answer: 'allow_always' }),
    accept({ answer: true }),
    accept({}),
    { action: 'accept' },
    { action: 'cancel' },
    { action: 'other' },
    'yes',
    undefined,
  ])
    expect(read(given)).toEqual(none)
})

it('asks several questions in one form', () => {
  expect(formOf(questions, visible).requestedSchema).toEqual({
    type: 'object',
    properties: {
      answer: { type: 'string', title: 'Which color?', enum: ['Red', 'Blue'] },
      answer_2: { type: 'string', title: 'Why?' },
    },
    required: ['answer'],
  })
  const by = { answeredBy: 'user_x' }
  expect(
    readForm(questions, accept({ answer: 'Blue', answer_2: 'the sea' }), {
      answeredBy: 'user_x',
      show: visible,
    }),
  ).toEqual({
    interactionId: questions.id,
    ...by,
    parts: [
      { interactionId: id('c'), ...by, selectedOptionId: '2' },
      { interactionId: id('d'), ...by, inputValue: 'the sea' },
    ],
  })
})
