import { describe, expect, it } from 'vitest'
import {
  type ConformanceCase,
  conversationConformance,
  executorConformance,
  providerConformance,
  storeConformance,
} from '../../src/conformance/suites.ts'
import type { Conversation } from '../../src/conversation.ts'
import type { StreamEvent } from '../../src/event.ts'
import type { Provider, Stream } from '../../src/provider.ts'
import type { SessionStore } from '../../src/session.ts'
import type { ToolExecutor } from '../../src/tool.ts'
import { openLocally } from '../support/conversations/opened.ts'
import { gives, scriptedTools } from '../support/conversations/scripted-tools.ts'
import { text, user } from '../support/messages/messages.ts'
import { memoryProvider } from '../support/models/memory-provider.ts'
import { createMemoryStore } from '../support/sessions/memory-store.ts'

/** Returns the names of the cases that an implementation fails. */
async function failures(cases: readonly ConformanceCase[]): Promise<readonly string[]> {
  const names: string[] = []
  for (const { name, run } of cases) {
    try {
      await run()
    } catch {
      names.push(name)
    }
  }
  return names
}

describe('the suite of stores fails one that', () => {
  const fails = (change: (store: SessionStore) => Partial<SessionStore>) =>
    failures(
      storeConformance(async () => {
        const store = createMemoryStore()
        return { store: { ...store, ...change(store) } }
      }),
    )

  it('has no fault: none', async () => {
    expect(await fails(() => ({}))).toEqual([])
  })

  it('finds nothing', async () => {
    expect(await fails(() => ({ find: async () => [] }))).toContain(
      'finds sessions by the beginning of their ids, in order',
    )
  })

  it('lists the oldest session first', async () => {
    const reversed = async function* (store: SessionStore, options: Parameters<SessionStore['list']>[0]) {
      const all = []
      for await (const summary of store.list(options)) all.push(summary)
      yield* all.reverse()
    }
    const names = await fails((store) => ({ list: (options) => reversed(store, options) }))
    expect(names).toEqual(['lists the session written last first, with its opening'])
  })

  it('forgets state that comes without a message', async () => {
    const names = await fails((store) => ({
      create: async (...args) =>
        Object.assign(await store.create(...args), { update: async () => undefined }),
    }))
    expect(names).toContain('saves state without a message, once there is one')
  })

  it('opens a session for two writers', async () => {
    const names = await fails((store) => ({
      open: async (id, options) => {
        const loaded = await store.load(id, options)
        const nothing = async () => undefined
        return {
          log: { id, unsaved: undefined, append: nothing, update: nothing, sync: nothing, close: nothing },
          loaded,
        }
      },
    }))
    expect(names).toContain('accepts one writer at a time, and names it to a second')
  })
})

describe('the suite of providers fails one that', () => {
  const fails = (change: (provider: Provider) => Provider['stream']) =>
    failures(
      providerConformance(async (reply) => {
        const { provider, ...subject } = memoryProvider(reply)
        return { ...subject, provider: { name: provider.name, stream: change(provider) } }
      }),
    )

  it('has no fault: none', async () => {
    expect(await fails(({ stream }) => stream)).toEqual([])
  })

  it('checks no request', async () => {
    const valid = { messages: [user(text('hello'))], temperature: 1 }
    const names = await fails(
      ({ stream }) =>
        (request, options) =>
          stream({ ...request, ...valid }, options),
    )
    expect(names).toEqual(['rejects an invalid request at once'])
  })

  it('takes an abort for a close', async () => {
    const deaf = { signal: new AbortController().signal }
    const names = await fails(({ stream }) => (request, { signal }) => {
      const opened = stream(request, deaf)
      signal.addEventListener('abort', () => void opened.close())
      return opened
    })
    expect(names).toContain('starts nothing if the signal has already fired')
  })

  it('lets two consumers in', async () => {
    const names = await fails(({ stream }) => (request, options) => {
      const opened = stream(request, options)
      return Object.assign(opened, { [Symbol.asyncIterator]: () => iterate(opened) })
    })
    expect(names).toEqual(['rejects a second consumer'])
  })
})

function iterate(stream: Stream): AsyncIterator<StreamEvent, undefined> {
  const end = async () => {
    await stream.close()
    return { done: true, value: undefined } as const
  }
  return { next: () => stream.next(), return: end }
}

describe('the suite of executors fails one that', () => {
  const fails = (change: (executor: ToolExecutor) => Partial<ToolExecutor>) =>
    failures(
      executorConformance(async () => {
        const executor = scriptedTools({ read: gives('text') })
        return {
          executor: { ...executor, ...change(executor) },
          good: { name: 'read', arguments: {} },
          bad: { name: 'read', arguments: [] },
        }
      }),
    )

  it('has no fault: none', async () => {
    expect(await fails(() => ({}))).toEqual([])
  })

  it('runs an unknown tool', async () => {
    const names = await fails((executor) => ({
      execute: (_, args, context) => executor.execute('read', args, context),
    }))
    expect(names).toEqual([
      'answers an unknown tool and bad arguments with an error result',
      'rejects names that every object has as a property',
    ])
  })
})

describe('the suite of conversations fails one that', () => {
  const fails = (change: Partial<Conversation>) =>
    failures(
      conversationConformance(async ({ provider, tools }) => {
        const { conversation } = await openLocally({ provider, executor: tools })
        return { conversation: changed(conversation, change) }
      }),
    )

  it('takes back nothing, or does not know its mode', async () => {
    expect(await fails({ takeBack: async () => undefined })).toEqual([
      'keeps messages while a turn runs, and gives them back until they are delivered',
    ])
    expect(await fails({ settings: { model: 'replay/script', mode: 'default' } })).toEqual([
      'tells of a new mode',
    ])
  })
})

function changed(conversation: Conversation, change: Partial<Conversation>): Conversation {
  return new Proxy(conversation, {
    get: (target, key) => {
      const value: unknown = Reflect.get(change, key) ?? Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
