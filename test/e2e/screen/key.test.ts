import { get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

/** Whether a program listens on one of the ports on which pipe looks for local models. */
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

const modelIsFound = await hasLocalServer()

describe('exit code 41 without an accepted key', () => {
  it.skipIf(modelIsFound)('names three ways to get a model, and the demo, if there is none', async () => {
    const { pipe, configure } = await openWorld()
    await configure({})
    const run = await pipe(['hi'])
    expectRun(run, {
      code: 41,
      stdout: '',
      stderr: expect.stringMatching(
        /^pipe: no model to talk to\. Three ways to start:\n {2}a key .*OPENAI_API_KEY.*\n.*\n {2}a local server .*\n.*\n {2}your own .*\n.*pipe demo\n$/,
      ),
    })
    expect(run.stderr.split('\n').filter((line) => line.length > 79)).toEqual([])
  })

  it.skipIf(modelIsFound)('names a provider with a key whose server is another one', async () => {
    const { pipe, configure, server } = await openWorld()
    await configure({})
    const env = { OPENAI_API_KEY: 'sk-secret-1', OPENAI_BASE_URL: server.baseUrl }
    expectRun(await pipe(['hi'], { env }), {
      code: 41,
      stdout: '',
      stderr: expect.stringMatching(
        /\nSkipped: openai, at a server whose models pipe does not know: -m openai\/MODEL\n$/,
      ),
    })
  })

  it('names the missing key of the chosen provider', async () => {
    const { pipe } = await openWorld()
    const stderr = 'pipe: mistral needs a key: export MISTRAL_API_KEY=… or: pipe auth set mistral\n'
    expectRun(await pipe(['-m', 'mistral/large', 'hi']), { code: 41, stdout: '', stderr })
  })

  it('reports a key that the server rejects, without printing it', async () => {
    const { pipe, server } = await openWorld()
    server.reply({ status: 401, body: '{"error":{"message":"Incorrect API key provided: sk-secret-1"}}' })
    const env = { OPENAI_API_KEY: 'sk-secret-1', OPENAI_BASE_URL: server.baseUrl }
    const run = await pipe(['-m', 'openai/gpt-5', 'hi'], { env })
    expectRun(run, {
      code: 41,
      stdout: '',
      stderr:
        'pipe: openai did not accept the API key (401): Incorrect API key provided: [key]; ' +
        'export another key as OPENAI_API_KEY, or unset that and run: pipe auth set openai\n',
    })
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-secret-1')
  })
})

it('a refused key on the screen is replaced by /login, and the conversation goes on with the new one', async () => {
  const world = await openWorld()
  const { server, configure, pipe } = world
  const fake = { dialect: 'openai-chat', base_url: server.baseUrl, api_key_env: 'FAKE_KEY' }
  await configure({ model: 'fake/model-1', providers: { fake } })
  await pipe(['auth', 'set', 'fake'], { input: 'old-key-1\n' })
  server.reply({ status: 401, body: '{"error":{"message":"who?"}}' }, say('Hello.'))
  const screen = await openPrompt(world, { columns: 100, rows: 24 })
  screen.type('greet me\r')
  await screen.until(
    /✗ fake did not accept the API key \(401\): who\?; store a key with: pipe auth set fake\n +\/login fake asks for a key here; ↑ brings your message back to send it again\n/,
  )
  screen.type('/login fake\r')
  await screen.until(/Your key for fake/)
  screen.type('new-key-2\r')
  await screen.until(/the key for fake is stored in/)
  screen.type('\u001b[A\u001b[A')
  await screen.until(/^› greet me$/m)
  screen.type('\r')
  await screen.until(/▌ greet me[\s\S]*▌ greet me[\s\S]*Hello\./)
  const keys = server.requests.map(({ headers }) => headers['authorization'])
  expect([keys[0], keys.at(-1)]).toEqual(['Bearer old-key-1', 'Bearer new-key-2'])
})
