import { expect, it } from 'vitest'
import { expectRun } from '../support/program.ts'
import { say, use } from '../support/replies.ts'
import { openWorld } from '../support/world.ts'

it('PROC-356: 64 descriptors are enough for a run that searches 500 files', async () => {
  const { shell, put, server } = await openWorld()
  for (let i = 0; i < 500; i++) await put(`src/file-${i}.txt`, `line ${i}\n`)
  server.reply(
    use(
      ['grep', { pattern: 'line 499' }],
      ['glob', { pattern: '*.txt' }],
      ['read', { path: 'src/file-7.txt' }],
    ),
    say('Found.'),
  )
  expectRun(await shell('ulimit -n 64; exec pipe "find it"'), { stdout: 'Found.\n' })
  const results = server.requests[1]?.body.messages.filter(({ role }) => role === 'tool') ?? []
  expect(JSON.stringify(results[0])).toContain('src/file-499.txt:1:line 499')
  expect(JSON.stringify(results[1])).toContain('the 100 newest of 500')
  expect(JSON.stringify(results[2])).toContain('line 7')
})
