import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'

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

/** The output of a program that crashed. */
const stack = /^ {4}at |Native stack trace|node:internal/m

describe('with few descriptors', () => {
  const limits = [12, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 32, 40]

  it('a run succeeds, or ends with one line that says what to do', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    const call = (name: string, args: object) => ({ type: 'tool_call', name, arguments: args })
    const rounds = [
      { blocks: [call('read', { path: 'a.txt' }), call('grep', { pattern: 'hello' })] },
      { blocks: [call('bash', { command: 'echo hi' })] },
      { blocks: [call('write', { path: 'b.txt', content: 'x' })] },
      { blocks: [{ type: 'text', text: 'Done.' }] },
    ]
    await world.put('script.json', JSON.stringify({ version: 1, rounds }))
    for (const limit of limits) {
      const run = await world.shell(`ulimit -n ${limit}; exec pipe --yolo -m replay/script.json go`)
      expect(run.stderr, `at ${limit}`).not.toMatch(stack)
      if (run.code === 0) expect(run.stdout).toBe('Done.\n')
      else expect(run.stderr, `at ${limit}`).toMatch(/^pipe: [^\n]*ulimit -n[^\n]*\n$/)
    }
    expectRun(await world.shell('ulimit -n 40; exec pipe --yolo -m replay/script.json go'), {
      stdout: 'Done.\n',
    })
  })

  it('the terminal UI starts, or exits without a stack trace', async () => {
    const world = await openWorld()
    for (const limit of [16, 20, 22, 24, 28, 40]) {
      const screen = openScreen(world, `ulimit -n ${limit}; exec pipe`, { columns: 200, rows: 24 })
      const over = screen.ended.then(() => true)
      await screen.until(/^›|ulimit -n/m)
      if (/^›/m.test(screen.text())) screen.type('\u0004')
      expect(await over).toBe(true)
      expect(screen.raw(), `at ${limit}`).not.toMatch(stack)
    }
  })
})
