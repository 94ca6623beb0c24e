import { testExecutor } from '../conformance/executor.ts'
import { createBench } from './bench.ts'

testExecutor('builtin', async () => {
  const bench = await createBench()
  await bench.put('a.txt', 'hello\n')
  return {
    executor: bench.executor,
    good: { name: 'read', arguments: { path: 'a.txt' } },
    bad: { name: 'read', arguments: { path: 3 } },
    endless: { name: 'bash', arguments: { command: 'sleep 600' } },
    close: () => bench.close(),
  }
})
