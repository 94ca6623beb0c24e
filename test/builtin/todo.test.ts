import { expect, it, onTestFinished } from 'vitest'
import { createBench } from './bench.ts'

async function open() {
  const bench = await createBench()
  onTestFinished(() => bench.close())
  return bench
}

it('counts a plan for the model, and keeps it whole for users', async () => {
  const items = [
    { text: 'read', status: 'done' },
    { text: 'write', status: 'in_progress' },
    { text: 'test', status: 'pending' },
  ]
  const bench = await open()
  expect(await bench.call('todo', { items })).toEqual({
    isError: false,
    text: '1 of 3 done',
    details: { todo: items },
    outputs: [],
  })
  expect((await bench.call('todo', { items: [] })).text).toBe('0 of 0 done')
})

it('names an unknown status', async () => {
  const bench = await open()
  const { isError, text } = await bench.call('todo', { items: [{ text: 'x', status: 'maybe' }] })
  expect({ isError, text }).toEqual({
    isError: true,
    text: expect.stringMatching(/^bad arguments for todo: items\.0\.status: .*"pending"/),
  })
})
