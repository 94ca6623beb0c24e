import { chmod } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { conversationOpener } from '../../../src/cli/library/conversation-opener.ts'
import { defineProvider } from '../../../src/cli/library/define-provider.ts'
import type { ConversationOptions } from '../../../src/cli/library/library-options.ts'
import { openProvider } from '../../../src/cli/library/open-provider.ts'
import type { Request } from '../../../src/provider.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { thrown } from '../../support/thrown.ts'
import { untyped } from '../../support/untyped.ts'

const open = conversationOpener(process.cwd())
const provider = defineProvider(
  'own',
  () =>
    async function* () {
      yield { type: 'text_delta', id: 't', delta: 'Hello.' }
      return { stopReason: 'end_turn' }
    },
)
const model = { provider, model: 'm' }

/** Opens with options as JavaScript may give them. */
async function opened(options: Readonly<Record<string, unknown>> = {}) {
  const folder = await folderWith()
  const env = { PATH: process.env['PATH'], PIPE_HOME: `${folder}/home` }
  const given = { cwd: folder, env, model, session: { type: 'unsaved' }, ...options }
  const conversation = await open(untyped<ConversationOptions>(given))
  onTestFinished(() => conversation.close())
  return conversation
}

it.each([
  [{ permission: { mode: 'plan' } }, 'there is no permission'],
  [{ permissions: { denied: ['bash'] } }, 'permissions: there is no denied'],
  [{ permissions: { mode: 'yolo' } }, 'permissions.mode: '],
  [{ limits: { maxRounds: 'two' } }, 'limits.maxRounds: '],
  [{ limits: { maxCost: 1 } }, 'limits: there is no maxCost'],
  [{ thinking: 'huge' }, 'thinking: '],
  [{ temperature: 3 }, 'temperature: '],
  [{ onAsk: 'never' }, 'onAsk: '],
  [{ onQuestion: 'yes' }, 'onQuestion: expected a function'],
  [{ session: { type: 'old' } }, 'session.type: '],
  [{ session: { type: 'named' } }, 'session.id: '],
  [{ model: { model: 'm' } }, 'model: expected a name such as'],
  [{ store: {} }, 'store.create: expected a function'],
  [{ tools: [] }, 'tools: '],
  [{ jsonSchema: 7 }, 'jsonSchema: expected a JSON Schema'],
])('refuses %j', async (options, fault) => {
  const error = await thrown(() => opened(options))
  expect(error).toMatchObject({ code: 'usage' })
  expect(String(error)).toContain(`openConversation: ${fault}`)
})

it.each([
  [{ dialect: 'openai', baseUrl: 'http://127.0.0.1:9' }, 'there is no dialect openai; choose anthropic, '],
  [{ dialect: 'ollama' }, 'baseUrl is missing'],
])('refuses to open a provider for %j', async (options, fault) => {
  const error = await thrown(() => openProvider(untyped(options)))
  expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(`openProvider: ${fault}`) })
})

it('takes the environment of the process as it is', async () => {
  vi.stubEnv('PIPE_HOME', await folderWith())
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await opened({ env: process.env })).model).toBe('own/m')
})

it('does not open once its signal has fired', async () => {
  const error = await thrown(() => opened({ signal: AbortSignal.abort() }))
  expect(error).toMatchObject({ code: 'aborted' })
})

it('refuses a mode that does not exist and keeps its own', async () => {
  const conversation = await opened()
  const error = await thrown(() => conversation.setMode(untyped('yolo')))
  expect(error).toMatchObject({ code: 'usage' })
  expect(conversation.mode).toBe('default')
})

it('refuses a command that does not exist', async () => {
  const conversation = await opened()
  const error = await thrown(async () => conversation.send(untyped({ type: 'nope' })))
  expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining('send: type: ') })
})

it('refuses a model that is not a name and keeps its own', async () => {
  const conversation = await opened()
  const error = await thrown(() => conversation.setModel(untyped({ provider, model: 'other' })))
  expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining('setModel takes a name') })
  expect(conversation.model).toBe('own/m')
})

it('refuses an empty prompt, the first one and any other', async () => {
  const conversation = await opened()
  expect(await thrown(() => conversation.run(' '))).toMatchObject({ code: 'input' })
  await conversation.run('Hello')
  expect(await thrown(() => conversation.run(''))).toMatchObject({ code: 'input' })
})

it('refuses everything but another close after close', async () => {
  const conversation = await opened()
  await conversation.close()
  await conversation.close()
  for (const call of [
    () => conversation.run('Hello'),
    () => conversation.setModel('own/m'),
    () => conversation.setMode('plan'),
    () => conversation.undo(),
    () => conversation.send({ type: 'interrupt' }),
  ])
    expect(await thrown(call)).toMatchObject({ code: 'conflict', message: 'the conversation is closed' })
})

it('attaches what a server of the user holds to the text of a run', async () => {
  const asked: string[] = []
  const listening = defineProvider(
    'own',
    ({ messages }) =>
      async function* () {
        asked.push(JSON.stringify(messages.at(-1)))
        yield { type: 'text_delta', id: 't', delta: 'Hello.' }
        return { stopReason: 'end_turn' }
      },
  )
  const script = fileURLToPath(new URL('../../support/mcp/content-server.js', import.meta.url))
  const settings = { mcp_servers: { notes: { command: process.execPath, args: [script] } } }
  const home = await folderWith({ 'config.json': JSON.stringify(settings) })
  await chmod(home, 0o700)
  const env = { PATH: process.env['PATH'], PIPE_HOME: home }
  const conversation = await opened({ env, model: { provider: listening, model: 'm' } })
  await conversation.run('read @notes:notes://a')
  expect(asked).toEqual([expect.stringMatching(/untrusted material.*Buy milk/)])
  const failure = await thrown(() => conversation.run('read @notes:notes://none'))
  expect(failure).toMatchObject({ message: expect.stringContaining('cannot attach @notes:notes://none') })
})

/** A model that gives these answers in turn, and the requests that it got. */
function answering(...answers: readonly string[]) {
  const requests: Request[] = []
  const provider = defineProvider(
    'own',
    (request) =>
      async function* () {
        yield { type: 'text_delta', id: 't', delta: answers[requests.push(request) - 1] ?? '' }
        return { stopReason: 'end_turn' }
      },
  )
  return { model: { provider, model: 'm' }, requests }
}

it.each([
  ['in short', 'name, age int'],
  ['as JSON Schema', { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }],
])('holds answers to a schema, %s, in each turn', async (_, jsonSchema) => {
  const good = '{"name":"Ann","age":7}'
  const { model, requests } = answering('Ann is 7.', `Here:\n\`\`\`json\n${good}\n\`\`\``, good)
  const conversation = await opened({ jsonSchema, model })
  const told = /JSON alone[\s\S]*fits this schema/
  for (const text of ['who?', 'and again?']) {
    const turn = await conversation.run(text)
    expect(turn).toMatchObject({ stopReason: 'end_turn', structuredOutput: { name: 'Ann', age: 7 } })
    expect(JSON.stringify(turn.messages[0])).toMatch(told)
  }
  expect(requests).toHaveLength(3)
})

it('ends a turn whose answer does not fit with the error of the program, and the next one has all its tries', async () => {
  const { model, requests } = answering('a', 'b', 'c', 'd', 'e', '{"name":"Ann"}')
  const conversation = await opened({ jsonSchema: 'name', model })
  const failed = await conversation.run('who?')
  expect(failed).toMatchObject({ error: { code: 'schema' } })
  expect('structuredOutput' in failed).toBe(false)
  expect(await conversation.run('again')).toMatchObject({ structuredOutput: { name: 'Ann' } })
  expect(requests).toHaveLength(6)
})

it('has no structured output without a schema, and refuses one that is not valid', async () => {
  const { model } = answering('{"name":"Ann"}')
  const conversation = await opened({ model })
  expect('structuredOutput' in (await conversation.run('who?'))).toBe(false)
  const fault = await thrown(() => opened({ jsonSchema: { type: 'nothing' } }))
  expect(fault).toMatchObject({ code: 'input' })
})
