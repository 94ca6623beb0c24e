import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { outline } from '../../support/sessions/session-file.ts'

const page = '<!doctype html>\n<html><title>Sign in</title></html>'

describe('a failure prints one line without a stack and keeps the prompt in the session', () => {
  it.each([
    [
      'a web page with status 200',
      { sse: page, headers: { 'content-type': 'text/html' } },
      51,
      /with a web page, "Sign in" instead of a reply; the base URL is probably wrong$/,
    ],
    [
      'a web page with status 502',
      { status: 502, headers: { 'x-should-retry': 'false' }, body: page },
      51,
      /fake failed \(502\): a web page, "Sign in"$/,
    ],
    [
      'a wrong address',
      { status: 404, body: 'no such page' },
      52,
      /model-1.*is not its address \(404\): no such page$/,
    ],
    [
      'input that the server does not support',
      { status: 500, body: '{"error":{"code":500,"message":"image input is not supported"}}' },
      42,
      /fake refused the request \(500\): image input is not supported$/,
    ],
    [
      'a redirect',
      { status: 308, headers: { location: 'https://login.example/?next=1' } },
      51,
      /with a redirect \(308\) to https:\/\/login\.example\/, which pipe does not follow.*; check the base URL$/,
    ],
    [
      'text instead of a stream',
      { sse: 'It works!', headers: { 'content-type': 'text/plain' } },
      51,
      /with text\/plain \(It works!\) instead of a reply/,
    ],
    [
      'a wrong key',
      { status: 403, body: '{"error":"forbidden"}' },
      41,
      /\(403\): forbidden; store a key with: pipe auth set fake$/,
    ],
    [
      'JSON that is not a reply',
      { sse: '{"hello": "world"}', headers: { 'content-type': 'application/json' } },
      51,
      /instead of a reply/,
    ],
    [
      'an error inside the stream',
      { sse: 'data: {"error":{"message":"out of memory","code":400}}\n\n' },
      42,
      /out of memory$/,
    ],
    [
      'escape sequences',
      { status: 400, body: '{"error":{"message":"\\u001b[2Jgone\\u0007"}}' },
      42,
      /: \[2Jgone$/,
    ],
  ])('%s', async (_, reply, code, words) => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(reply)
    const run = await pipe(['a long and precious prompt'])
    expectRun(run, { code, stdout: '', stderr: expect.stringMatching(/^pipe: [^\n]*\n$/) })
    expect(run.stderr.trimEnd()).toMatch(words)
    expect(run.stderr).not.toMatch(/\p{Cc}(?!$)/u)
    expect((await sessions()).map(outline)).toEqual([['user: a long and precious prompt']])
  })

  it('a refused connection, with its address', async () => {
    const { start, configure, sessions } = await openWorld()
    const port = await freePort()
    const base_url = `http://127.0.0.1:${port}/v1`
    await configure({ model: 'mine/m', providers: { mine: { dialect: 'openai-chat', base_url } } })
    const run = start(['-o', 'stream-json', 'hello?'])
    await run.until(/"retry".*\n/)
    expect(run.stdout).toContain(`127.0.0.1:${port} refused the connection`)
    run.kill('SIGINT')
    expectRun(await run.ended, { code: 130, stdout: expect.any(String) })
    expect((await sessions()).map(outline)).toEqual([['user: hello?']])
  })
})

describe('a session after a failure', () => {
  it('is intact up to a file size limit, and the error names the file', async () => {
    const { shell, server, home, sessions } = await openWorld()
    server.reply({ blocks: [{ type: 'text', text: 'x'.repeat(20_000) }] })
    expectRun(await shell("ulimit -f 8; pipe -s x 'the question'"), {
      code: 54,
      stdout: '',
      stderr: complaint(
        `cannot write ${join(home, 'sessions/x.json')}: it would be larger than the system allows`,
      ),
    })
    expect((await sessions()).map(outline)).toEqual([['user: the question']])
  })

  it('continues with the prompt that failed', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply({ status: 400, body: '{"error":{"message":"not today"}}' })
    await pipe(['the question'])
    server.reply({ blocks: [{ type: 'text', text: 'The answer.' }] })
    expectRun(await pipe(['-c', 'and now?']), { stdout: 'The answer.\n' })
    const [, request] = server.requests
    expect(request?.body.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(JSON.stringify(request?.body.messages[1])).toMatch(/the question.*and now\?/)
    expect((await sessions()).map(outline)).toEqual([
      ['user: the question', 'user: and now?', 'assistant: The answer.'],
    ])
  })
})
