import { truncate } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createToolbox } from '../toolbox.ts'

it('TOOL-319: a file of 3 GB is read in a range, with little memory', async () => {
  const toolbox = await createToolbox()
  onTestFinished(() => toolbox.close())
  const path = await toolbox.put('big.log', `${'x'.repeat(30_000_000)}\nsecond\nthird\n`)
  await truncate(path, 3_000_000_000)
  const before = process.memoryUsage().rss
  expect(await toolbox.call('read', { path: 'big.log', offset: 2, limit: 1 })).toMatchObject({
    isError: false,
    text: '2\tsecond\n[lines 2-2; use offset=3 to continue]',
  })
  expect(await toolbox.call('read', { path: 'big.log', offset: 9 })).toMatchObject({
    isError: true,
    text: 'offset 9 is beyond the end of big.log, which has 4 lines',
  })
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
})
