import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

const makeIt = use(['write', { path: 'ok', content: 'x\n' }])

describe('--check', () => {
  it('lets a run end once the command succeeds, and gives its failures to the model until then', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Done.'), makeIt, say('Now it is.'))
    const run = await pipe(['--yolo', '--check', 'echo looking; test -f ok', 'make it'])
    expectRun(run, { stdout: 'Now it is.\n' })
    const [, second] = server.requests
    expect(second && lastText(second.body)).toMatch(
      /check fails: echo looking; test -f ok\n\nlooking\n[\s\S]*exit code 1/,
    )
  })

  it('ends with 50, its last output, and the verdict in the JSON of a run once no try is left', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Done.'), say('Done now.'))
    const run = await pipe(['--check', 'echo broken; exit 3', '--check-tries', '1', '-o', 'json', 'make it'])
    expect(run.code).toBe(50)
    expect(JSON.parse(run.stdout)).toMatchObject({
      is_error: true,
      result: 'Done now.',
      check: { command: 'echo broken; exit 3', passed: false, runs: 2 },
      error: { code: 'check', message: expect.stringMatching(/^the check failed, 2 times: .*\nbroken\n/) },
    })
  })

  it('says in the JSON of a run that it passed', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Done.'))
    const { stdout } = await pipe(['--check', 'true', '-o', 'json', 'make it'])
    expect(JSON.parse(stdout)).toMatchObject({
      is_error: false,
      check: { command: 'true', passed: true, runs: 1 },
    })
  })

  it.each([
    ['test -f ok && ./check.sh', 'check.sh', '#!/bin/sh\ntrue\n'],
    ['cd sub && sh check.sh', 'sub/check.sh', 'true\n'],
    ["sh 'a check.sh'", 'a check.sh', 'true\n'],
    ['npm test', 'package.json', '{"scripts":{"test":"true"}}'],
    ['npm run --silent all', 'check.sh', 'true\n'],
    ['make', 'Makefile', 'all:\n\ttrue\n'],
  ])('says that the model changed a file of %j: %s', async (line, path, content) => {
    const { pipe, server, put, cwd } = await openWorld()
    const failing = {
      'package.json': '{"scripts":{"test":"false","all":"npm run each","each":"sh ./check.sh"}}',
    }
    const files = { Makefile: 'all:\n\tfalse\n', ...failing, ok: '' }
    for (const [name, text] of Object.entries(files)) await put(name, text)
    for (const name of ['check.sh', 'sub/check.sh', 'a check.sh']) await put(name, '#!/bin/sh\nfalse\n')
    await chmod(join(cwd, 'check.sh'), 0o755)
    server.reply(use(['read', { path }]), use(['write', { path, content }]), say('Done.'))
    const run = await pipe(['--yolo', '--check', line, '-o', 'json', 'make it pass'])
    expect(run.stderr).toBe(
      `pipe: the run changed files of its own check: ${path}; review them before you trust the check\n`,
    )
    expect(JSON.parse(run.stdout).check).toEqual({
      command: line,
      passed: true,
      runs: 1,
      changed_files: [path],
    })
  })

  it('names no file that the model left alone, or the check itself wrote', async () => {
    const { pipe, server, put } = await openWorld()
    await put('package.json', '{"scripts":{"test":"date +%N >> log; test -f ok"}}')
    await put('log', '')
    const install = { path: 'package.json', old_text: '{', new_text: '{"dependencies":{},' }
    const round = use(
      ['read', { path: 'package.json' }],
      ['edit', install],
      ['write', { path: 'ok', content: '' }],
    )
    server.reply(say('Done.'), round, say('Now it is.'))
    const run = await pipe(['--yolo', '--check', 'npm test', '-o', 'json', 'make it pass'])
    expect(run.stderr).toBe('')
    expect(JSON.parse(run.stdout).check).toEqual({ command: 'npm test', passed: true, runs: 2 })
  })

  it('prints the answer although it failed', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('I tried.'))
    const run = await pipe(['--check', 'false', '--check-tries', '0', 'make it pass'])
    expectRun(run, {
      code: 50,
      stdout: 'I tried.\n',
      stderr: expect.stringContaining('the check failed: false'),
    })
  })

  it('is judged before the form of the answer', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Done.'), makeIt, say('three'), say('{"age": 3}'))
    const flags = ['--yolo', '--check', 'test -f ok', '--json-schema', 'age int']
    expectRun(await pipe([...flags, 'make it']), { stdout: '{"age": 3}\n' })
  })

  it('and a form of the answer bind the run, not its elves', async () => {
    const { pipe, server } = await openWorld()
    const delegate = use(['elf', { prompt: 'count', isolation: 'none' }])
    server.reply(delegate, say('three'), makeIt, say('{"age": 3}'))
    const flags = ['--yolo', '--check', 'test -f ok', '--json-schema', 'age int']
    expectRun(await pipe([...flags, 'make it']), { stdout: '{"age": 3}\n' })
    expect(server.requests.map(({ body }) => lastText(body))[2]).toContain('three')
  })

  it('gives the command no key', async () => {
    const { pipe, server, env } = await openWorld()
    server.reply(say('Done.'))
    const more = { ...env, ANTHROPIC_API_KEY: 'sk-ant-secret' }
    expectRun(await pipe(['--check', 'test -z "$ANTHROPIC_API_KEY"', 'make it'], { env: more }), {
      stdout: 'Done.\n',
    })
  })

  it.each([
    [['--check-tries', '2', 'x'], '--check-tries needs --check'],
    [['--check', ' ', 'x'], '--check takes a command'],
  ])('%j is a wrong use', async (args, reason) => {
    const { pipe } = await openWorld()
    expectRun(await pipe(args), { code: 2, stdout: '', stderr: complaint(`${reason} (see pipe --help)`) })
  })
})

describe('--yes-no', () => {
  it.each([
    [true, 0],
    [false, 1],
  ])('prints the reason, and is %s with exit code %i', async (answer, code) => {
    const { pipe, server } = await openWorld()
    server.reply(say(JSON.stringify({ answer, reason: 'It has tests.' })))
    expectRun(await pipe(['--yes-no', 'Is it tested?']), { code, stdout: 'It has tests.\n', stderr: '' })
  })

  it('is no error where the answer is no', async () => {
    const { pipe, server } = await openWorld()
    const verdict = { answer: false, reason: 'It has none.' }
    server.reply(say(JSON.stringify(verdict)))
    const { stdout } = await pipe(['--yes-no', '-o', 'json', 'Is it tested?'])
    expect(JSON.parse(stdout)).toMatchObject({
      is_error: false,
      exit_code: 1,
      result: 'It has none.',
      structured_output: verdict,
    })
  })

  it('ends with 49 if the model will not say', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Maybe.'), say('Maybe.'), say('Maybe.'))
    expectRun(await pipe(['--yes-no', 'Is it tested?']), { code: 49, stdout: '', stderr: expect.any(String) })
  })
})
