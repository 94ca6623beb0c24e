import { expect, it, onTestFinished } from 'vitest'
import { conversationOpener, type PipeConversation } from '../../../src/cli/library/conversation-opener.ts'
import { defineProvider, providerDefiner } from '../../../src/cli/library/define-provider.ts'
import { containChoice } from '../../../src/cli/library/foreign/foreign-provider.ts'
import { containTools } from '../../../src/cli/library/foreign/foreign-tools.ts'
import type { ConversationOptions } from '../../../src/cli/library/library-options.ts'
import { PipeError } from '../../../src/error.ts'
import { textContent } from '../../../src/message.ts'
import type { Provider } from '../../../src/provider.ts'
import type { Adapter } from '../../../src/stream.ts'
import { type ToolExecutor, textResult } from '../../../src/tool.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { text, user } from '../../support/messages/messages.ts'
import { createMemoryStore } from '../../support/sessions/memory-store.ts'
import { thrown } from '../../support/thrown.ts'
import { untyped } from '../../support/untyped.ts'

const open = conversationOpener(process.cwd())
const usage = { inputTokens: 1, outputTokens: 1 }
const never = new Promise<never>(() => {})

async function opened(options: ConversationOptions): Promise<PipeConversation> {
  const folder = await folderWith()
  const env = { PATH: process.env['PATH'], PIPE_HOME: `${folder}/home` }
  const conversation = await open({ cwd: folder, env, session: { type: 'unsaved' }, ...options })
  onTestFinished(() => conversation.close())
  return conversation
}

/** A model that calls the tool `clock` once and then says Done. */
function caller() {
  const adapt = (isCalled: boolean): Adapter =>
    async function* () {
      if (isCalled) yield { type: 'text_delta', id: 't', delta: 'Done.' }
      else yield { type: 'tool_call_begin', id: 'c1', name: 'clock' }
      return { stopReason: isCalled ? 'end_turn' : 'tool_use', usage }
    }
  const isResult = (type: string | undefined) => type === 'tool_result'
  return {
    model: 'm',
    provider: defineProvider('own', ({ messages }) => adapt(isResult(messages.at(-1)?.type))),
  }
}

/** A tool without types, as JavaScript gives it. */
function clock(execute: (...args: never[]) => unknown, more: object = {}): ToolExecutor {
  const tool = {
    name: 'clock',
    description: 'Tells the time.',
    parameters: { type: 'object' },
    capability: 'tool_fetch_url',
    readOnly: () => true,
    ...more,
  }
  return untyped<ToolExecutor>({ tools: () => [tool], execute })
}

/** A generator function that does this. */
function runs(act: () => unknown) {
  return async function* () {
    yield* []
    return await act()
  }
}

async function resultOf(execute: (...args: never[]) => unknown, more?: object) {
  const conversation = await opened({
    model: caller(),
    tools: clock(execute, more),
    permissions: { allow: ['clock'] },
  })
  const turn = await conversation.run('What time is it?')
  const result = turn.messages.find(({ type }) => type === 'tool_result')
  return { turn, said: result && textContent(result) }
}

const failing: readonly [string, (...args: never[]) => unknown, string][] = [
  ['throws', runs(() => fail('no battery')), 'The tool clock failed: no battery'],
  [
    'throws no error at all',
    runs(() => {
      throw 'flat'
    }),
    'The tool clock failed: flat',
  ],
  ['throws before it starts', () => fail('no battery'), 'The tool clock failed: no battery'],
  [
    'returns no content',
    runs(() => ({ isError: false, content: [] })),
    'it returned no result, see textResult and errorResult: content: expected at least one block',
  ],
  ['returns a text', runs(() => 'noon'), 'it returned no result'],
  ['returns nothing', runs(() => undefined), 'it returned no result'],
  ['returns a text as content', runs(() => ({ isError: false, content: 'noon' })), 'content: '],
  [
    'returns a block without its text',
    runs(() => ({ isError: false, content: [{ type: 'text' }] })),
    'text: ',
  ],
  ['does not say if it failed', runs(() => ({ content: [text('noon')] })), 'isError: '],
  ['is no generator', async () => textResult('noon'), 'its `execute` must be an async generator function'],
]

it.each(failing)('tells the model about a tool that %s, and the turn goes on', async (_, execute, said) => {
  const done = await resultOf(execute)
  expect(done.said).toContain(said)
  expect(done.turn).toMatchObject({ stopReason: 'end_turn' })
  expect(done.turn.error).toBeUndefined()
})

it('takes a call to change something if its tool fails to say', async () => {
  const { said } = await resultOf(
    runs(() => textResult('noon')),
    {
      readOnly: () => {
        throw new Error('no idea')
      },
    },
  )
  expect(said).toBe('noon')
})

it.each<[object, string]>([
  [{ name: 'what time' }, 'the tool what time: name: its name must be letters'],
  [{ name: undefined }, 'the tool undefined: name: '],
  [{ parameters: undefined }, 'the tool clock: parameters: '],
  [{ capability: 'tell_time' }, 'the tool clock: capability: '],
  [{ readOnly: true }, 'the tool clock: readOnly: expected a function of the arguments'],
])('refuses a tool that no model can be given: %j', async (more, words) => {
  const error = await thrown(() => opened({ tools: clock(async () => {}, more) }))
  expect(error).toMatchObject({ code: 'usage' })
  expect(String(error)).toContain(words)
})

it('refuses a list of tools that comes later', async () => {
  const error = await thrown(() => opened({ tools: untyped({ tools: async () => [], execute: () => {} }) }))
  expect(error).toMatchObject({ code: 'usage', message: 'the list of your tools: expected an array' })
})

it('leaves a tool alone that ignores its signal, 5 s after the signal', async () => {
  const time = createHandClock()
  const { controller, context } = aborting()
  const tools = containTools(clock(runs(() => never)), time)
  const step = tools.execute('clock', {}, context).next()
  controller.abort()
  time.advance(5_000)
  expect(await thrown(() => step)).toMatchObject({ code: 'aborted' })
})

it('interrupts a tool that rejects with the reason of its signal', async () => {
  const conversation = await opened({
    model: caller(),
    tools: clock(async function* (_name: never, _args: never, { signal }: { signal: AbortSignal }) {
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        conversation.send({ type: 'interrupt' })
      })
    }),
    permissions: { allow: ['clock'] },
  })
  expect(await conversation.run('What time is it?')).toMatchObject({ stopReason: 'aborted' })
})

function aborting() {
  const controller = new AbortController()
  const actor = { id: 'agent_pipe', kind: 'agent', displayName: 'pipe', capabilities: [] } as const
  return { controller, context: { callId: 'c1', signal: controller.signal, actor } }
}

const badProviders: readonly [string, () => Provider, string][] = [
  ['throws at once', () => provider(() => fail('no model')), 'the provider own failed: no model'],
  [
    'throws in its adapter',
    () => defineProvider('own', () => untyped(runs(() => fail('no model')))),
    'the provider own failed: no model',
  ],
  ['returns no stream', () => provider(() => undefined), 'its `stream` must return a Stream'],
  ['has no adapter', () => defineProvider('own', () => untyped('x')), 'its adapter must be a function'],
  ['has no generator', () => adapted(async () => 'x'), 'its adapter must be an async generator function'],
  ['does not end its reply', () => adapted(runs(() => undefined)), 'it must return the end of the reply'],
  ['counts no tokens', () => adapted(runs(() => ({ stopReason: 'end_turn', usage: {} }))), 'its usage needs'],
  ['yields a block', () => adapted(yields(text('Hi'))), 'it yielded no event: {"type":"text"'],
  ['yields a text', () => adapted(yields('Hi')), 'it yielded no event: "Hi"'],
  [
    'yields an event without an id',
    () => adapted(yields([{ type: 'text_delta', delta: 'Hi' }])),
    'it yielded text_delta without a text as id',
  ],
]

function adapted(adapter: () => unknown): Provider {
  return defineProvider('own', () => untyped(adapter))
}

function yields(event: unknown) {
  return async function* () {
    yield event
  }
}

function provider(stream: () => unknown): Provider {
  return untyped({ name: 'own', stream })
}

function fail(message: string): never {
  throw new Error(message)
}

it.each(badProviders)('ends the turn with an error if a provider %s', async (_, create, message) => {
  const conversation = await opened({ model: { provider: create(), model: 'm' } })
  const { error } = await conversation.run('Hello')
  expect(error).toMatchObject({ code: 'protocol' })
  expect(error?.message).toContain(message)
})

it('keeps the code that a provider chose', async () => {
  const own = provider(() => {
    throw new PipeError('auth', 'the key is void')
  })
  const { error } = await (await opened({ model: { provider: own, model: 'm' } })).run('Hello')
  expect(error).toMatchObject({ code: 'auth', message: 'the key is void' })
})

it('leaves a provider alone that ignores its signal, 5 s after the signal', async () => {
  const time = createHandClock()
  const { controller } = aborting()
  const { provider: contained } = containChoice(
    { provider: provider(() => ({ next: () => never, close: () => never })), model: 'm' },
    time,
  )
  const request = { model: 'm', systemPrompt: '', messages: [user(text('Hi'))], tools: [] }
  const stream = contained.stream(request, { signal: controller.signal })
  const step = stream.next()
  controller.abort()
  time.advance(5_000)
  expect(await thrown(() => step)).toMatchObject({ code: 'aborted' })
  expect(await thrown(() => stream.close())).toMatchObject({ code: 'aborted' })
})

it('lets no adapter that ignores its signal hold up next() and close()', async () => {
  const time = createHandClock()
  const deaf = providerDefiner(time)('own', () => untyped(runs(() => never)))
  const request = { model: '', systemPrompt: '', messages: [user(text('Hi'))], tools: [] }
  const stream = deaf.stream(request, { signal: new AbortController().signal })
  const step = stream.next()
  const closed = stream.close()
  const again = stream.close()
  time.advance(5_000)
  for (const wait of [step, closed, again])
    expect(await thrown(() => wait)).toMatchObject({ code: 'aborted' })
})

it('refuses a reply that ends for a reason that nobody knows', async () => {
  const odd = defineProvider('own', () =>
    untyped(async function* () {
      yield { type: 'text_delta', id: 't', delta: 'Hello.' }
      return { stopReason: 'max_tokens' }
    }),
  )
  const { error } = await (await opened({ model: { provider: odd, model: '' } })).run('Hello')
  expect(error).toMatchObject({ code: 'invalid', details: { field: 'stop_reason' } })
})

it('asks a provider for its default model if none is named', async () => {
  const asked: string[] = []
  const own = defineProvider('own', ({ model }) => {
    asked.push(model)
    return async function* () {
      yield { type: 'text_delta', id: 't', delta: 'Hello.' }
      return { stopReason: 'end_turn', model: 'usual' }
    }
  })
  const conversation = await opened({ model: { provider: own, model: '' } })
  const { messages } = await conversation.run('Hello')
  expect([asked, messages.at(-1)]).toMatchObject([[''], { model: 'usual' }])
})

it('contains a provider that a command brings', async () => {
  const conversation = await opened({ model: caller() })
  conversation.send({
    type: 'set_model',
    choice: { provider: provider(() => fail('no model')), model: 'm2' },
  })
  expect(conversation.model).toBe('own/m2')
  expect((await conversation.run('Hello')).error).toMatchObject({ code: 'protocol' })
})

it('ends the turn with storage if a store throws', async () => {
  const store = createMemoryStore()
  const broken = {
    ...store,
    create: async (...args: Parameters<typeof store.create>) =>
      Object.assign(await store.create(...args), { append: () => fail('no disk') }),
  }
  const conversation = await opened({ model: caller(), store: broken, session: { type: 'new' } })
  const { error } = await conversation.run('Hello')
  expect(error).toMatchObject({ code: 'storage', message: 'the session store failed: no disk' })
})

it('throws storage if a store cannot open', async () => {
  const store = { ...createMemoryStore(), find: () => Promise.reject(new Error('no disk')) }
  const resume = { session: { type: 'resume', id: 'one' } } as const
  const error = await thrown(() => opened({ model: caller(), store, ...resume }))
  expect(error).toMatchObject({ code: 'storage' })
})
