import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { text } from '../../support/messages/messages.ts'
import { startFakeAnthropic } from '../../support/models/fake-server.ts'
import { expectRun } from '../../support/programs/program.ts'
import { isOneFile, openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'

/** A world whose environment points to a fake server of Anthropic's Messages API. */
async function openAnthropic() {
  const world = await openWorld()
  const anthropic = await startFakeAnthropic()
  onTestFinished(async () => {
    await anthropic.close()
    expect(anthropic.violations).toEqual([])
  })
  const env = { ANTHROPIC_API_KEY: 'sk-ant-secret', ANTHROPIC_BASE_URL: anthropic.baseUrl }
  return { ...world, anthropic, env }
}

it('a key in the environment is enough to talk to Claude, tools included', async () => {
  const { pipe, configure, put, sessions, anthropic, env } = await openAnthropic()
  await configure({})
  await put('a.txt', 'forty-two')
  const look = { type: 'tool_call', name: 'read', arguments: { path: 'a.txt' } } as const
  anthropic.reply({ blocks: [{ type: 'thinking', thinking: 'Hm.' }, look] }, { blocks: [text('It is 42.')] })
  expectRun(await pipe(['what is in a.txt?'], { env }), { stdout: 'It is 42.\n' })
  expect(anthropic.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
    'sk-ant-secret',
    'sk-ant-secret',
  ])
  expect(anthropic.requests[1]?.body.messages.slice(1)).toMatchObject([
    {
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig_0' },
        { type: 'tool_use', name: 'read' },
      ],
    },
    { content: [{ type: 'tool_result', content: [{ text: expect.stringContaining('forty-two') }] }] },
  ])
  const [session] = await sessions()
  expect(session && outline(session)).toEqual([
    'user: what is in a.txt?',
    'assistant: Hm. + read [tool_use]',
    expect.stringMatching(/^tool_result: .*forty-two/),
    'assistant: It is 42.',
  ])
})

// Only Node lists the modules of its own that it has loaded.
it.skipIf(isOneFile)(
  'a request to Claude loads no other part of Node, of which undici alone would take a third of a bare start',
  async () => {
    const { pipe, put, cwd, temp, anthropic, env } = await openAnthropic()
    const loaded = join(temp, 'loaded.txt')
    await put(
      'note.cjs',
      `process.on('exit', () => require('fs').writeFileSync('${loaded}', process.moduleLoadList.join('\\n')))`,
    )
    anthropic.reply({ blocks: [text('Hello.')] })
    const noting = { ...env, NODE_OPTIONS: `--require=${join(cwd, 'note.cjs')}` }
    expectRun(await pipe(['-m', 'anthropic/claude-sonnet-4-5', 'hello'], { env: noting }), {
      stdout: 'Hello.\n',
    })
    const modules = (await readFile(loaded, 'utf8')).split('\n')
    expect(modules).toContain('NativeModule http')
    // A Node with options keeps compiled code of its own, and loads zlib to check that.
    const unused = /^NativeModule (.*undici.*|internal\/fs\/promises|child_process|worker_threads|tls|https)$/
    expect(modules.filter((name) => unused.test(name))).toEqual([])
  },
)

it('Claude continues a conversation that another model began', async () => {
  const { pipe, server, anthropic, env } = await openAnthropic()
  server.reply(
    { blocks: [{ type: 'tool_call', id: 'call|1', name: 'glob', arguments: { pattern: '*' } }] },
    { blocks: [text('Nothing.')] },
  )
  anthropic.reply({ blocks: [text('Still nothing.')] })
  await pipe(['what is here?'])
  const args = ['-c', '-m', 'anthropic/claude-sonnet-4-5:high', '--max-tokens', '4096', 'and now?']
  expectRun(await pipe(args, { env }), { stdout: 'Still nothing.\n' })
  expect(anthropic.requests.map(({ body }) => body)).toMatchObject([
    { model: 'claude-sonnet-4-5', max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 3072 } },
  ])
})

it('the settings can define a server of this dialect', async () => {
  const { pipe, configure, anthropic } = await openAnthropic()
  anthropic.reply({ blocks: [text('Hello.')] })
  await configure({ providers: { mine: { dialect: 'anthropic', base_url: anthropic.baseUrl } } })
  expectRun(await pipe(['-m', 'mine/some-model', 'hi']), { stdout: 'Hello.\n' })
  expect(anthropic.requests[0]?.headers).not.toHaveProperty('x-api-key')
  expect(anthropic.requests[0]?.headers['user-agent']).toMatch(/^pipe\/\d/)
})

it('a rejected key ends the run with 41 and is not printed', async () => {
  const { pipe, anthropic, env } = await openAnthropic()
  const error = { type: 'authentication_error', message: 'invalid x-api-key sk-ant-secret' }
  anthropic.reply({ status: 401, body: JSON.stringify({ type: 'error', error }) })
  expectRun(await pipe(['-m', 'anthropic/claude-sonnet-4-5', 'hi'], { env }), {
    code: 41,
    stdout: '',
    stderr: expect.stringMatching(
      /^pipe: anthropic did not accept the API key \(401\): invalid x-api-key \[key\]; .*ANTHROPIC_API_KEY.* pipe auth set anthropic\n$/,
    ),
  })
})

it.each([
  ['contains a line break', 'sk-ant-secret\nmore'],
  ['contains characters that a header cannot hold', 'sk-ant-secret-世'],
])('a key that %s ends the run with 52 and is not printed', async (_, key) => {
  const { pipe, env } = await openAnthropic()
  const run = await pipe(['-m', 'anthropic/claude-sonnet-4-5', 'hi'], {
    env: { ...env, ANTHROPIC_API_KEY: key },
  })
  expectRun(run, { code: 52, stdout: '', stderr: expect.stringContaining('check the key and the headers') })
  expect(run.stderr).not.toContain('secret')
})

it('an invalid base URL ends the run with 52', async () => {
  const { pipe, env } = await openAnthropic()
  const run = await pipe(['-m', 'anthropic/m', 'hi'], { env: { ...env, ANTHROPIC_BASE_URL: 'nowhere' } })
  expectRun(run, {
    code: 52,
    stdout: '',
    stderr: 'pipe: ANTHROPIC_BASE_URL: expected an http or https URL\n',
  })
})
