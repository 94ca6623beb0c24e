import { executorConformance } from '../../src/conformance/suites.ts'
import { conforms } from '../support/conforms.ts'
import { createToolbox } from './toolbox.ts'

conforms(
  'builtin',
  executorConformance(async () => {
    const toolbox = await createToolbox()
    await toolbox.put('a.txt', 'hello\n')
    return {
      executor: toolbox.executor,
      good: { name: 'read', arguments: { path: 'a.txt' } },
      bad: { name: 'read', arguments: { path: 3 } },
      endless: { name: 'bash', arguments: { command: 'echo on; sleep 600' } },
      close: () => toolbox.close(),
    }
  }),
)
