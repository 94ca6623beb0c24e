import { expect, it, onTestFinished } from 'vitest'
import { createToolbox } from '../toolbox.ts'

it('a command in the background takes little memory, whatever it writes', async () => {
  const { call, close, processes } = await createToolbox()
  onTestFinished(close)
  await call('bash', { command: 'sleep 1.2; yes | head -c 200000000', background: true })
  const before = process.memoryUsage().rss
  while (processes.find('p1')?.exit === undefined)
    await call('process', { action: 'wait', id: 'p1', timeout: 60 })
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
})
