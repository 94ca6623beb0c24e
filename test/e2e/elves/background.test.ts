import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { JsonObject } from '../../../src/json-value.ts'
import { lastText, say, unfinished, use } from '../../support/models/replies.ts'
import { isAlive, untilGone } from '../../support/programs/processes.ts'
import { expectRun, type Running, start } from '../../support/programs/program.ts'
import { openWorld, programWords, type World } from '../../support/programs/world.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'

/** A reply that never ends. */
const silence = { sse: unfinished({ type: 'text', text: 'Let me think' }), ending: 'hang' } as const

/** Commands that print a pid and keep running: one in the background, one left behind by a command that has ended. */
const stays: readonly JsonObject[] = [
  { command: 'echo pid $$; exec sleep 1000', background: true },
  { command: 'sleep 1000 >/dev/null 2>&1 & echo pid $!' },
]

/** Starts a run that has started these commands and waits for the rest of a reply. */
async function startRun(world: World): Promise<{ readonly run: Running; readonly pids: readonly number[] }> {
  world.server.reply(use(...stays.map((args) => ['bash', args] as const)), silence)
  const run = world.start(['--yolo', '-o', 'stream-json', 'go'])
  await run.until(/"text_delta"[^\n]*think/)
  const pids = [...run.stdout.matchAll(/"chunk":"pid (\d+)/g)].map(([, pid]) => Number(pid))
  expect([pids.length, pids.every(isAlive)]).toEqual([2, true])
  return { run, pids }
}

describe('a background process', () => {
  it('ends when pipe is killed with -9', async () => {
    const { run, pids } = await startRun(await openWorld())
    run.kill('SIGKILL')
    expect((await run.ended).signal).toBe('SIGKILL')
    await untilGone(...pids)
  })

  it.each([
    ['PROC-342', 'SIGTERM', 143],
    ['PROC-343', 'SIGHUP', 129],
  ] as const)('%s: ends when %s ends pipe', async (_, signal, code) => {
    const { run, pids } = await startRun(await openWorld())
    run.kill(signal)
    expectRun(await run.ended, { code, stdout: expect.stringContaining(`"exit_code":${code}`) })
    await untilGone(...pids)
  })

  it.each([
    [['r', 'm -v a.txt\n']],
    [['r\\', '\nm -v a.txt\n']],
    // A refused piece is no part of the line.
    [['rm', 'rm -v a.txt\n']],
  ])('is sent no line that a rule denies, in whatever pieces: %j', async (pieces) => {
    const { server, pipe, put, cwd } = await openWorld()
    await put('a.txt', 'mine')
    const writes = pieces.map((input) => use(['process', { action: 'write', id: 'p1', input }]))
    server.reply(use(['bash', { command: 'sh', background: true }]), ...writes, say('Done.'))
    expectRun(await pipe(['-q', '--yolo', '--disallowed-tools', 'Bash(rm:*)', '--', 'go']), {
      stdout: 'Done.\n',
    })
    expect(server.requests.map(({ body }) => lastText(body)).at(-1)).toContain('Bash(rm:*)')
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('mine')
  })

  slowIt('accepts input, and ends with the run', async () => {
    const { server, pipe, cwd, shell } = await openWorld()
    server.reply(
      use(['bash', { command: 'echo $$ > pid; cat', background: true }]),
      use(['process', { action: 'write', id: 'p1', input: 'hello\n' }]),
      say('It answers.'),
    )
    expectRun(await pipe(['--yolo', 'go']), { stdout: 'It answers.\n' })
    expect(server.requests.slice(1).map(({ body }) => lastText(body))).toEqual([
      expect.stringMatching(/^tool: \[runs in the background as p1, pid \d+; see process\]$/),
      'tool: hello\n[p1: running]',
    ])
    await untilGone(Number((await shell('cat pid', { cwd })).stdout))
  })
})

quickDescribe('a command in a one-shot run', () => {
  it('is ended when its time is up, as the model cannot come back to it', async () => {
    const { server, pipe } = await openWorld()
    server.reply(use(['bash', { command: 'exec sleep 1000', timeout: 1 }]), say('Too slow.'))
    expectRun(await pipe(['--yolo', 'go']), { stdout: 'Too slow.\n' })
    expect(server.requests.slice(1).map(({ body }) => lastText(body))).toEqual([
      expect.stringMatching(/^tool: \[timed out after 1 s and was ended/),
    ])
  })

  it('sees no secrets, but sees AI_AGENT', async () => {
    const { server, pipe } = await openWorld()
    const command = 'echo "[$SOME_API_KEY] [$GITHUB_TOKEN] [$EDITOR_NAME] [$AI_AGENT]"'
    server.reply(use(['bash', { command }]), say('Fine.'))
    const env = { SOME_API_KEY: 'a', GITHUB_TOKEN: 'b', EDITOR_NAME: 'ed' }
    expectRun(await pipe(['--yolo', 'go'], { env }), { stdout: 'Fine.\n' })
    expect(server.requests.slice(1).map(({ body }) => lastText(body))).toEqual(['tool: [] [] [ed] [pipe]'])
  })

  it('that needs no permission runs unaffected by the environment of pipe, except for env_keep', async () => {
    const world = await openWorld()
    const { server, put, cwd, configure } = world
    await put('evil.sh', 'echo EVIL')
    const env = {
      BASH_ENV: `${cwd}/evil.sh`,
      'BASH_FUNC_ls%%': '() { echo HIJACK; }',
      SHELLOPTS: 'xtrace',
      CDPATH: '/',
    }
    const fake = {
      model: 'fake/m',
      providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
    }
    for (const env_keep of [[], ['BASH_FUNC_*']]) {
      await configure({ ...fake, bash: { env_keep } })
      server.reply(use(['bash', { command: 'ls evil.sh' }]), say('Fine.'))
      // Without a shell: some do not pass on functions.
      const [file, ...args] = programWords
      const run = start(file, [...args, 'go'], {
        cwd,
        env: { ...world.env, ...env },
      })
      expectRun(await run.ended, { stdout: 'Fine.\n' })
    }
    const told = server.requests.map(({ body }) => lastText(body)).filter((text) => text.startsWith('tool: '))
    expect(told).toEqual(['tool: evil.sh', 'tool: HIJACK'])
  })
})
