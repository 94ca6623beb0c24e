import { describe, expect } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { cutOff, outline } from '../../support/sessions/session-file.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'

quickDescribe('42, input', () => {
  it.each([
    [['-r', 'abcdef01', 'hi'], 'no session abcdef01; pipe sessions lists those of this folder'],
    [
      ['-r', 'nope', 'hi'],
      'no session is called nope; and there is none to continue; start one with: pipe "prompt"',
    ],
    [['-s', '../../etc/passwd', 'hi'], 'not a session id: "../../etc/passwd"'],
    [['-c', 'hi'], /no earlier session in \S*project; start one with: pipe "prompt"/],
    [['sessions', 'show', '$(id)'], 'not a session id: "$(id)"'],
    [['   '], 'the prompt is empty'],
    [['-m', 'replay/nowhere.json', 'hi'], /cannot read the script \S*nowhere\.json: no such file or folder/],
  ])('%j', async (args, words) => {
    const { pipe, sessions } = await openWorld()
    expectRun(await pipe(args), { code: 42, stdout: '', stderr: complaint(words) })
    expect(await sessions()).toEqual([])
  })

  it('a request that the server refuses', async () => {
    const { pipe, server } = await openWorld()
    server.reply({ status: 400, body: '{"error":{"message":"top_p is out of range"}}' })
    const stderr = 'pipe: fake refused the request (400): top_p is out of range\n'
    expectRun(await pipe(['hi']), { code: 42, stdout: '', stderr })
  })
})

quickDescribe('45, a missing permission', () => {
  it('stops the run before the call if nobody can be asked', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(use(['bash', { command: 'touch made' }]))
    expectRun(await pipe(['--on-ask', 'stop', 'make it']), {
      code: 45,
      stdout: '',
      stderr: 'pipe: bash needs a permission and nobody can be asked: touch made can change things\n',
    })
    expect((await sessions()).map(outline)).toEqual([['user: make it', 'assistant: bash [tool_use]', cutOff]])
  })
})

quickDescribe('a model that does not finish', () => {
  it('exits 46 if it refuses', async () => {
    const { pipe, server } = await openWorld()
    server.reply({ blocks: [{ type: 'text', text: 'I cannot' }], finishReason: 'content_filter' })
    const run = await pipe(['hi'])
    expectRun(run, { code: 46, stdout: 'I cannot\n', stderr: 'pipe: the model refused to answer\n' })
  })

  it('exits 48 at the length limit and prints the partial answer', async () => {
    const { pipe, server } = await openWorld()
    server.reply({ blocks: [{ type: 'text', text: 'Once upon a' }], finishReason: 'length' })
    expectRun(await pipe(['tell a story']), {
      code: 48,
      stdout: 'Once upon a\n',
      stderr: 'pipe: the answer was cut at the length limit; --max-output-tokens raises it\n',
    })
  })

  it('exits 53 after the last allowed round', async () => {
    const { pipe, server } = await openWorld()
    server.reply(use(['glob', { pattern: '*' }]), use(['glob', { pattern: '*' }]), say('unheard'))
    expectRun(await pipe(['--max-turns', '2', 'go']), {
      code: 53,
      stdout: '',
      stderr: complaint('stopped after 2 rounds'),
    })
    expect(server.requests).toHaveLength(2)
  })
})

describe('51, an unavailable provider', () => {
  it('is not retried if the server forbids it', async () => {
    const { pipe, server } = await openWorld()
    const headers = { 'x-should-retry': 'false' }
    server.reply({ status: 529, headers, body: '{"error":{"message":"overloaded"}}' })
    const stderr = 'pipe: fake failed (529): overloaded\n'
    expectRun(await pipe(['hi']), { code: 51, stdout: '', stderr })
    expect(server.requests).toHaveLength(1)
  })

  it('reports the number of tries and the last reason', async () => {
    const { pipe, server } = await openWorld()
    const busy = (reason: string) => ({
      status: 503,
      headers: { 'retry-after-ms': '1' },
      body: `{"error":{"message":"${reason}"}}`,
    })
    server.reply(...Array.from({ length: 5 }, () => busy('busy')), busy('down for repair'))
    const stderr = 'pipe: after 6 tries: fake failed (503): down for repair\n'
    expectRun(await pipe(['hi']), { code: 51, stdout: '', stderr })
  })

  slowIt('exits 47 if the time is up before the next try, and reports both', async () => {
    const { pipe, server } = await openWorld()
    server.reply({
      status: 503,
      headers: { 'retry-after-ms': '50000' },
      body: '{"error":{"message":"busy"}}',
    })
    const stderr =
      'pipe: stopped at the time limit: 6 s have passed; raise the limit to continue; the last try failed: fake failed (503): busy\n'
    expectRun(await pipe(['--max-time', '6s', 'hi']), { code: 47, stdout: '', stderr })
  })

  it('reports a requested wait that is too long', async () => {
    const { pipe, server } = await openWorld()
    server.reply({
      status: 429,
      headers: { 'retry-after': '86400' },
      body: '{"error":{"message":"slow down"}}',
    })
    const words = /limits the request rate \(429\): slow down; the server asks to try again in 24 h/
    expectRun(await pipe(['hi']), { code: 51, stdout: '', stderr: complaint(words) })
  })
})
