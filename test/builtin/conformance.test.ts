import { executorConformance } from '../../src/conformance/suites.ts'
import { conforms } from '../support/conforms.ts'
import { createBench } from './bench.ts'

conforms(
  'builtin',
  executorConformance(async () => {
    const bench = await createBench()
    await bench.put('a.txt', 'hello\n')
    return {
      executor: bench.executor,
      good: { name: 'read', arguments: { path: 'a.txt' } },
      bad: { name: 'read', arguments: { path: 3 } },
      endless: { name: 'bash', arguments: { command: 'echo on; sleep 600' } },
      close: () => bench.close(),
    }
  }),
)
