import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isPipeError } from '../../src/error.ts'
import { isSessionId, readSessionId, type SessionId } from '../../src/id.ts'
import type { Message } from '../../src/message.ts'
import type { NewSession, SessionStore } from '../../src/session.ts'
import { countingIds } from '../support/ids.ts'
import { assistant, call, messageId, text, timestamp, toolResult, user } from '../support/messages.ts'
import { thrown } from '../support/thrown.ts'

export interface OpenStore {
  readonly store: SessionStore
  close(): Promise<void>
}

const history: readonly Message[] = [
  user(text('Fix the login bug')),
  { ...assistant(text('I look.'), call('tc_1')), stopReason: 'tool_use' },
  toolResult('tc_1', text('package auth')),
]

/** The promises of every session store. `make` returns an empty one whose clock reads `timestamp`. */
export function testSessionStore(name: string, make: () => Promise<OpenStore>): void {
  describe(`${name} as a session store`, () => {
    let opened: OpenStore
    let store: SessionStore
    let ids: () => SessionId
    const { signal } = new AbortController()

    beforeEach(async () => {
      opened = await make()
      store = opened.store
      ids = countingIds().session
    })
    afterEach(() => opened.close())

    const begin = (more: Partial<NewSession> = {}): NewSession => {
      return { id: ids(), systemPrompt: 'You are pipe.', createdAt: timestamp, cwd: '/home/ada', ...more }
    }

    const save = async (session: NewSession, messages: readonly Message[]): Promise<SessionId> => {
      const log = await store.create(session, { signal })
      for (const message of messages) await log.append(message)
      await log.close()
      return session.id
    }

    const listed = async (cwd?: string) => {
      const options = cwd === undefined ? { signal } : { signal, cwd }
      const found = []
      for await (const summary of store.list(options)) found.push(summary)
      return found
    }

    it('returns appended messages in order', async () => {
      const session = begin()
      await save(session, history)
      expect(await store.load(session.id, { signal })).toStrictEqual({
        session: { ...session, updatedAt: timestamp, messages: history },
        damage: [],
      })
    })

    it('keeps the order of appends that were not awaited', async () => {
      const session = begin()
      const log = await store.create(session, { signal })
      await Promise.all([...history.map((message) => log.append(message)), log.sync(), log.close()])
      expect((await store.load(session.id, { signal })).session.messages).toStrictEqual(history)
    })

    it('saves no session without messages', async () => {
      const id = await save(begin(), [])
      expect(await failure(() => store.load(id, { signal }))).toBe('not_found')
      expect(await failure(() => store.open(id, { signal }))).toBe('not_found')
      expect(await listed()).toStrictEqual([])
    })

    it('continues a saved session', async () => {
      const session = begin()
      await save(session, history.slice(0, 1))
      const { log, loaded } = await store.open(session.id, { signal })
      expect(loaded.session.messages).toStrictEqual(history.slice(0, 1))
      for (const message of history.slice(1)) await log.append(message)
      await log.close()
      expect((await store.load(session.id, { signal })).session.messages).toStrictEqual(history)
    })

    it('shows appended messages to readers before the writer closes', async () => {
      const session = begin()
      const log = await store.create(session, { signal })
      await log.append(user(text('hello')))
      expect((await store.load(session.id, { signal })).session.messages).toStrictEqual([user(text('hello'))])
      expect(await listed()).toHaveLength(1)
      await log.close()
    })

    it('keeps each part of the state until it is set again', async () => {
      const session = begin()
      const usage = { inputTokens: 3, outputTokens: 4, cacheReadTokens: 1 }
      const log = await store.create(session, { signal })
      await log.append(user(text('one')), { title: 'Löwe', usage, costUsd: 0.25 })
      await log.append(user(text('two')), { head: messageId(1), model: 'openai/gpt-5' })
      await log.close()
      const again = await store.open(session.id, { signal })
      await again.log.append(user(text('three')), { title: 'Bär' })
      await again.log.close()
      const { messages: _, ...state } = (await store.load(session.id, { signal })).session
      expect(again.loaded.session).toMatchObject({
        title: 'Löwe',
        usage,
        costUsd: 0.25,
        head: messageId(1),
        model: 'openai/gpt-5',
      })
      expect(state).toStrictEqual({
        ...session,
        updatedAt: timestamp,
        title: 'Bär',
        usage,
        costUsd: 0.25,
        head: messageId(1),
        model: 'openai/gpt-5',
      })
    })

    it('accepts one writer at a time, and names it to a second', async () => {
      const session = begin()
      const log = await store.create(session, { signal })
      await log.append(user(text('mine')))
      const error = await thrown(() => store.open(session.id, { signal }))
      expect(isPipeError(error) && [error.code, error.details['pid']]).toStrictEqual([
        'conflict',
        String(process.pid),
      ])
      await log.close()
      await (await store.open(session.id, { signal })).log.close()
    })

    it('does not create a session twice', async () => {
      const session = begin()
      await save(session, history)
      expect(await failure(() => store.create(session, { signal }))).toBe('conflict')
      expect((await store.load(session.id, { signal })).session.messages).toStrictEqual(history)
      await (await store.open(session.id, { signal })).log.close()
    })

    it('closes any number of times, and rejects appends afterwards', async () => {
      const session = begin()
      const log = await store.create(session, { signal })
      await log.append(user(text('in time')))
      await Promise.all([log.close(), log.close()])
      await log.close()
      await log.sync()
      expect(await failure(() => log.append(user(text('late'))))).toBe('conflict')
      expect((await store.load(session.id, { signal })).session.messages).toHaveLength(1)
    })

    it('throws not_found for a missing session', async () => {
      const id = ids()
      expect(await failure(() => store.load(id, { signal }))).toBe('not_found')
      expect(await failure(() => store.open(id, { signal }))).toBe('not_found')
    })

    it.each(['../../etc/passwd', '$(id)', '', '.hidden', 'a/b', 'a\0b', 'x'.repeat(65)])(
      'SESS-336: rejects %j as a session id',
      async (text) => {
        const id = disguise(text)
        expect(await failure(() => store.load(id, { signal }))).toBe('input')
        expect(await failure(() => store.open(id, { signal }))).toBe('input')
        expect(await failure(() => store.create(begin({ id }), { signal }))).toBe('input')
      },
    )

    it('finds sessions by the beginning of their ids, in order', async () => {
      for (const name of ['ann-2', 'bob', 'ann', 'anna'])
        await save(begin({ id: readSessionId(name) }), history)
      expect(await store.find('ann', { signal })).toStrictEqual(['ann', 'ann-2', 'anna'])
      expect(await store.find('bob', { signal })).toStrictEqual(['bob'])
      expect(await store.find('c', { signal })).toStrictEqual([])
    })

    it('lists the session written last first, with its opening', async () => {
      const first = begin({ createdAt: '2026-02-17T12:00:00.000Z' })
      const second = begin({ cwd: '/home/bea' })
      await save(first, history)
      await save(second, [user(text('Write a poem'))])
      const [a, b] = [
        { id: first.id, createdAt: first.createdAt, cwd: '/home/ada', opening: 'Fix the login bug' },
        { id: second.id, createdAt: timestamp, cwd: '/home/bea', opening: 'Write a poem' },
      ].map((summary) => ({ ...summary, updatedAt: timestamp }))
      expect(await listed()).toStrictEqual([b, a])
      expect(await listed('/home/ada')).toStrictEqual([a])
      expect(await listed('/home')).toStrictEqual([])
    })

    it('uses the text of the user as the opening, cut to 200 characters', async () => {
      const context = {
        ...user(text('today is Monday'), text('  '), text('AGENTS.md')),
        metadata: { context: '3' },
      }
      const asked = { ...user(text('branch: main'), text('🦁'.repeat(300))), metadata: { context: '1' } }
      await save(begin(), [context, asked])
      expect((await listed()).map((summary) => summary.opening)).toStrictEqual(['🦁'.repeat(200)])
    })

    it('throws aborted if the signal has already fired', async () => {
      const session = begin()
      await save(session, history)
      const gone = AbortSignal.abort()
      expect(await failure(() => store.create(begin(), { signal: gone }))).toBe('aborted')
      expect(await failure(() => store.open(session.id, { signal: gone }))).toBe('aborted')
      expect(await failure(() => store.load(session.id, { signal: gone }))).toBe('aborted')
      expect(await failure(() => store.find('', { signal: gone }))).toBe('aborted')
      expect(await failure(() => store.list({ signal: gone })[Symbol.asyncIterator]().next())).toBe('aborted')
      await (await store.open(session.id, { signal })).log.close()
    })
  })
}

async function failure(action: () => unknown): Promise<string> {
  const error = await thrown(action)
  return isPipeError(error) ? error.code : String(error)
}

/** Casts an invalid id to `SessionId`, as an untyped caller could pass it. */
function disguise(text: string): SessionId {
  const pretend = (_: string): _ is SessionId => !isSessionId(text)
  if (pretend(text)) return text
  throw new Error(`${text} is a session id after all`)
}
