import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

const names = ['bash', 'sh', 'git', 'rg', 'ls', 'cat', 'tar', 'bwrap', 'mkfifo', 'env']

/** A world whose project contains programs that write a mark when they run. */
async function openProject() {
  const world = await openWorld()
  const { cwd } = world
  const mark = join(world.home, 'ran')
  for (const folder of ['.', 'bin', 'node_modules/.bin']) {
    await mkdir(join(cwd, folder), { recursive: true })
    for (const name of names) {
      const file = join(cwd, folder, name)
      await writeFile(file, `#!/bin/sh\necho ${folder}/${name} >>${mark}\n`)
      await chmod(file, 0o755)
    }
  }
  await writeFile(join(cwd, 'a.txt'), 'hello\n')
  return { ...world, hasRun: () => existsSync(mark) }
}

const calls = [
  ['bash', { command: 'ls a.txt; cat a.txt' }],
  ['bash', { command: 'git status --short' }],
  ['grep', { pattern: 'hello' }],
  ['write', { path: 'a.txt', content: 'changed\n' }],
] as const

describe('a program of the project', () => {
  it.each(['.', '', 'bin', './node_modules/.bin'])(
    'is not run through the entry %j of PATH, neither by pipe nor by its commands',
    async (entry) => {
      const { server, pipe, env, hasRun } = await openProject()
      server.reply(use(...calls.slice(0, 1), ...calls.slice(2)), use(calls[1]), say('Done.'))
      const PATH = `${entry}:${env['PATH']}:${entry}`
      const run = await pipe(['--permission-mode', 'accept-edits', 'go'], { env: { PATH } })
      expectRun(run, { stdout: 'Done.\n', stderr: expect.any(String) })
      expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('a.txt\\nhello')
      expect(hasRun()).toBe(false)
    },
  )

  it('needs a permission if an absolute entry of PATH leads to it', async () => {
    const { server, pipe, env, cwd, hasRun } = await openProject()
    const own = join(cwd, 'node_modules/.bin')
    const rounds = [calls[0], ['bash', { command: 'timeout 5 cat a.txt' }], calls[2], calls[3]] as const
    server.reply(...rounds.map((call) => use(call)), say('Done.'))
    const run = await pipe(['--permission-mode', 'accept-edits', '--sandbox', 'off', 'go'], {
      env: { PATH: `${own}:${env['PATH']}` },
    })
    expectRun(run, { stdout: 'Done.\n', stderr: expect.any(String) })
    const told = server.requests.slice(1).map(({ body }) => lastText(body))
    expect(told).toEqual([
      expect.stringContaining(`ls a.txt runs ${own}/ls, a program of the project`),
      expect.stringContaining(`timeout 5 cat runs ${own}/cat, a program of the project`),
      expect.stringContaining('a.txt:1:hello'),
      expect.stringContaining('a.txt'),
    ])
    expect(hasRun()).toBe(false)
  })
})
