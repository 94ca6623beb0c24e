import { expect, it, onTestFinished } from 'vitest'
import { createToolbox } from '../toolbox.ts'

async function open() {
  const toolbox = await createToolbox()
  onTestFinished(() => toolbox.close())
  return toolbox
}

it('counts a plan for the model, and keeps it whole for users', async () => {
  const items = [
    { text: 'read', status: 'done' },
    { text: 'write', status: 'in_progress' },
    { text: 'test', status: 'pending' },
  ]
  const toolbox = await open()
  expect(await toolbox.call('todo', { items })).toEqual({
    isError: false,
    text: '1 of 3 done',
    details: { todo: items },
    outputs: [],
  })
  expect((await toolbox.call('todo', { items: [] })).text).toBe('0 of 0 done')
})

it('names an unknown status', async () => {
  const toolbox = await open()
  const { isError, text } = await toolbox.call('todo', { items: [{ text: 'x', status: 'maybe' }] })
  expect({ isError, text }).toEqual({
    isError: true,
    text: expect.stringMatching(/^bad arguments for todo: items\.0\.status: .*"pending"/),
  })
})
