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
