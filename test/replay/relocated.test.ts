import { expect, it } from 'vitest'
import { relocated } from '../../src/replay/relocated.ts'
import { textResult } from '../../src/tool.ts'
import { scriptedTools } from '../support/conversations/scripted-tools.ts'
import { drainRun, toolContext } from '../support/conversations/tool-run.ts'

it('names the folder where it was, in calls and in results, but no other that begins like it', async () => {
  const seen: unknown[] = []
  const inner = scriptedTools({
    look: {
      async *run(args) {
        seen.push(args)
        yield { type: 'output', stream: 'stdout', chunk: '/copy/p\n' }
        return textResult('/copy/p/a.txt and /copy/p2', { path: ['/copy/p'] })
      },
    },
  })
  const outer = relocated(inner, { from: '/home/p', to: '/copy/p' })
  const args = { path: '/home/p/a', list: ['cd /home/p; ls "/home/p"', '/home/p-2 /home/p.old /mnt/home/p'] }
  expect(await drainRun(outer.execute('look', args, toolContext()))).toEqual({
    outputs: [{ type: 'output', stream: 'stdout', chunk: '/home/p\n' }],
    result: textResult('/home/p/a.txt and /copy/p2', { path: ['/home/p'] }),
  })
  expect(seen).toEqual([
    { path: '/copy/p/a', list: ['cd /copy/p; ls "/copy/p"', '/home/p-2 /home/p.old /mnt/home/p'] },
  ])
})
