import { get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { expectRun } from '../support/program.ts'
import { say, use } from '../support/replies.ts'
import { outline } from '../support/session-file.ts'
import { openWorld } from '../support/world.ts'

/** Whether a program of this machine listens where local models are looked for. */
async function hasLocalServer(): Promise<boolean> {
  const answers = [11434, 1234, 8080, 8000].map(
    (port) =>
      new Promise<boolean>((resolve) => {
        get({ port, host: '127.0.0.1', path: '/v1/models' }, (response) => {
          response.destroy()
          resolve(true)
        }).on('error', () => resolve(false))
      }),
  )
  return (await Promise.all(answers)).includes(true)
}

/** One line for the reader that holds these words. */
function oneLine(words: string | RegExp) {
  const pattern = typeof words === 'string' ? words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : words.source
  return expect.stringMatching(new RegExp(`^pipe: (?=.*${pattern})[^\\n]*\\n$`))
}

describe('2, usage', () => {
  it.each([
    [['--modle', 'x', 'hi'], 'unknown flag --modle; did you mean --model?'],
    [['--frobnicate', 'hi'], 'unknown flag --frobnicate (pipe --help'],
    [['-o', 'xml', 'hi'], '-o takes text, json, stream-json, not "xml"'],
    [
      ['--permission-mode', 'maybe', 'hi'],
      '--permission-mode takes default, accept-edits, plan, auto, bypass, not "maybe"',
    ],
    [['--max-turns', '0', 'hi'], '--max-turns takes a whole number above 0, not "0"'],
    [['--temperature', 'warm', 'hi'], '--temperature takes a number from 0 to 2, not "warm"'],
    [['-m', 'gpt', 'hi'], 'a model is written provider/model, such as openai/gpt-5, not "gpt"'],
    [['-m'], '-m needs a value: PROVIDER/MODEL'],
    [
      ['-p', '--model', '--json'],
      '--model needs a value; one that begins with a dash is written --model=--json',
    ],
    [['-C', 'nowhere', 'hi'], '-C nowhere: there is no such folder'],
    [['doctor'], 'pipe doctor is not part of this version; to send the word as a prompt: pipe -- doctor'],
    [['sessions', 'show'], 'pipe sessions show needs the id of a session'],
    [[], 'nothing to do: give a prompt, as in pipe "explain this project"'],
  ])('%j', async (args, words) => {
    const { pipe, server } = await openWorld()
    expectRun(await pipe(args), { code: 2, stdout: '', stderr: oneLine(words) })
    expect(server.requests).toEqual([])
  })
})

const modelIsFound = await hasLocalServer()

describe('41, authentication', () => {
  it.skipIf(modelIsFound)('no model at all: three ways to get one, and the demo', async () => {
    const { pipe, configure } = await openWorld()
    await configure({})
    expectRun(await pipe(['hi']), {
      code: 41,
      stdout: '',
      stderr: expect.stringMatching(
        /^pipe: no model to talk to\. Three ways to start:\n {2}a key .*OPENAI_API_KEY.*\n {2}a local server .*\n {2}your own .*\n.*pipe demo\n$/,
      ),
    })
  })

  it('the key of the named provider is missing', async () => {
    const { pipe } = await openWorld()
    const stderr = 'pipe: mistral needs a key: export MISTRAL_API_KEY=…\n'
    expectRun(await pipe(['-m', 'mistral/large', 'hi']), { code: 41, stdout: '', stderr })
  })

  it('the server does not accept the key, which is not printed', async () => {
    const { pipe, server } = await openWorld()
    server.reply({ status: 401, body: '{"error":{"message":"Incorrect API key provided: sk-secret-1"}}' })
    const env = { OPENAI_API_KEY: 'sk-secret-1', OPENAI_BASE_URL: server.baseUrl }
    const run = await pipe(['-m', 'openai/gpt-5', 'hi'], { env })
    expectRun(run, {
      code: 41,
      stdout: '',
      stderr: 'pipe: openai did not accept the API key (401): Incorrect API key provided: [key]\n',
    })
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-secret-1')
  })
})

describe('42, input', () => {
  it.each([
    [['-r', 'abcdef01', 'hi'], 'no session abcdef01; pipe sessions lists those of this folder'],
    [['-s', '../../etc/passwd', 'hi'], 'not a session id: "../../etc/passwd"'],
    [['-c', 'hi'], /no earlier session in \S*project; begin one with: pipe "prompt"/],
    [['sessions', 'show', '$(id)'], 'not a session id: "$(id)"'],
    [['   '], 'the prompt is empty'],
    [['-m', 'replay/nowhere.json', 'hi'], /cannot read the script \S*nowhere\.json/],
  ])('%j', async (args, words) => {
    const { pipe, sessions } = await openWorld()
    expectRun(await pipe(args), { code: 42, stdout: '', stderr: oneLine(words) })
    expect(await sessions()).toEqual([])
  })

  it('the server refuses the request', async () => {
    const { pipe, server } = await openWorld()
    server.reply({ status: 400, body: '{"error":{"message":"top_p is out of range"}}' })
    const stderr = 'pipe: fake refused the request (400): top_p is out of range\n'
    expectRun(await pipe(['hi']), { code: 42, stdout: '', stderr })
  })
})

describe('45, a permission was needed', () => {
  it('and nobody could be asked: the run stops before the call', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(use(['bash', { command: 'touch made' }]))
    expectRun(await pipe(['--on-ask', 'stop', 'make it']), {
      code: 45,
      stdout: '',
      stderr: 'pipe: bash needs a permission and nobody can be asked: bash can change things\n',
    })
    expect((await sessions()).map(outline)).toEqual([
      ['user: make it', 'assistant: bash [tool_use]', expect.stringContaining('tool_result: [interrupted')],
    ])
  })
})

describe('the model', () => {
  it('46: refused', async () => {
    const { pipe, server } = await openWorld()
    server.reply({ blocks: [{ type: 'text', text: 'I cannot' }], finishReason: 'content_filter' })
    const run = await pipe(['hi'])
    expectRun(run, { code: 46, stdout: 'I cannot\n', stderr: 'pipe: the model refused to answer\n' })
  })

  it('48: was cut at the length limit, and what there is of its answer is printed', async () => {
    const { pipe, server } = await openWorld()
    server.reply({ blocks: [{ type: 'text', text: 'Once upon a' }], finishReason: 'length' })
    expectRun(await pipe(['tell a story']), {
      code: 48,
      stdout: 'Once upon a\n',
      stderr: 'pipe: the answer was cut at the length limit; --max-tokens raises it\n',
    })
  })

  it('53: took all the rounds it may', async () => {
    const { pipe, server } = await openWorld()
    server.reply(use(['glob', { pattern: '*' }]), use(['glob', { pattern: '*' }]), say('unheard'))
    expectRun(await pipe(['--max-turns', '2', 'go']), {
      code: 53,
      stdout: '',
      stderr: 'pipe: stopped after 2 rounds, the limit set by --max-turns\n',
    })
    expect(server.requests).toHaveLength(2)
  })
})

describe('51, the provider is not available', () => {
  it('and says that asking again is of no use', async () => {
    const { pipe, server } = await openWorld()
    const headers = { 'x-should-retry': 'false' }
    server.reply({ status: 529, headers, body: '{"error":{"message":"overloaded"}}' })
    const stderr = 'pipe: fake failed (529): overloaded\n'
    expectRun(await pipe(['hi']), { code: 51, stdout: '', stderr })
    expect(server.requests).toHaveLength(1)
  })

  it('and asks for a wait that is too long: the time of its end is told', async () => {
    const { pipe, server } = await openWorld()
    server.reply({
      status: 429,
      headers: { 'retry-after': '86400' },
      body: '{"error":{"message":"slow down"}}',
    })
    const words =
      /limits the rate of requests \(429\): slow down; the server asks to wait until \d{4}-\d\d-\d\dT/
    expectRun(await pipe(['hi']), { code: 51, stdout: '', stderr: oneLine(words) })
  })
})

describe('52, configuration', () => {
  const file = 'config\\.json'
  it.each([
    ['{\n  "model": "a/b",\n  "providers": }', `home/${file}:3:16: not valid JSON`],
    ['{"model": 7}', `home/${file}: model: .*expected string`],
    ['{"modle": "a/b"}', `home/${file}: .*modle`],
    ['{"permissions": {"mode": "never"}}', `home/${file}: permissions\\.mode: .*"bypass"`],
    [
      '{"providers": {"x": {"dialect": "openai-chat", "base_url": "localhost"}}}',
      'providers\\.x\\.base_url: expected an http or https URL',
    ],
    [
      '{"providers": {"x": {"dialect": "openai-chat"}}, "model": "x/y"}',
      'providers\\.x\\.base_url is missing in config\\.json',
    ],
  ])('%s', async (settings, words) => {
    const { pipe, configure } = await openWorld()
    await configure(settings)
    expectRun(await pipe(['hi']), { code: 52, stdout: '', stderr: oneLine(new RegExp(words)) })
  })

  it('a provider that nobody knows', async () => {
    const { pipe } = await openWorld()
    const stderr = oneLine('no provider is called mistrl; did you mean mistral?')
    expectRun(await pipe(['-m', 'mistrl/large', 'hi']), { code: 52, stdout: '', stderr })
  })

  it('comments and trailing commas are fine', async () => {
    const { pipe, configure, server } = await openWorld()
    server.reply(say('Fine.'))
    await configure(
      `{ // mine\n "model": "x/y", "providers": { "x": { "dialect": "openai-chat", "base_url": "${server.baseUrl}" }, }, }`,
    )
    expectRun(await pipe(['hi']), { stdout: 'Fine.\n' })
  })
})
