import { strict as assert } from 'node:assert'
import { type ErrorCode, isPipeError } from '../error.ts'
import { isSessionId, readSessionId, type SessionId } from '../id.ts'
import { type Message, textContent } from '../message.ts'
import type { NewSession, PendingQuestion, SessionStore } from '../session.ts'
import { assistant, call, countingIds, sampleText, timestamp, toolResult, user } from './sample-messages.ts'
import { type StoreFixture, storeFixture } from './store-fixture.ts'
import { type ConformanceCase, throwsCode } from './suite.ts'

/** One empty store for one case. */
export interface StoreSubject {
  readonly store: SessionStore
  close?(): Promise<void>
}

export interface SessionStoreSuiteOptions {
  /** The store's clock: milliseconds since 1970. It stands still. */
  readonly now: () => number
}

const history: readonly Message[] = [
  user(sampleText('Fix the login bug')),
  assistant(sampleText('I look.'), call('tc_1')),
  toolResult('tc_1', sampleText('package auth')),
]
const { signal } = new AbortController()

/** Questions of one call: two with answers, then an open one. */
const questions = asked()

function asked(): readonly PendingQuestion[] {
  const ids = countingIds()
  const question = (title: string): PendingQuestion => ({
    callId: 'tc_1',
    interaction: { id: ids.interaction(), kind: 'input', purpose: 'generic', display: { title } },
    subject: `hash of ${title}`,
  })
  const [first, second, third] = [question('May I?'), question('Which one?'), question('How?')]
  const answeredBy = 'user_ann'
  return [
    { ...first, response: { interactionId: first.interaction.id, answeredBy, selectedOptionId: 'allow' } },
    {
      ...second,
      response: { interactionId: second.interaction.id, answeredBy, inputValue: 'löwe', comment: 'soon' },
    },
    third,
  ]
}

/** The promises of every session store. `create` returns an empty one, which reads the time from `now`. */
export function storeConformance(
  create: (options: SessionStoreSuiteOptions) => Promise<StoreSubject>,
): readonly ConformanceCase[] {
  const about = (name: string, check: (fixture: StoreFixture) => Promise<void>) => ({
    name,
    run: async () => {
      const subject = await create({ now: () => Date.parse(timestamp) })
      try {
        await check(storeFixture(subject.store))
      } finally {
        await subject.close?.()
      }
    },
  })
  return [
    about('returns appended messages in order', async ({ store, begin, save }) => {
      const session = begin()
      await save(session, history)
      assert.deepEqual(await store.load(session.id, { signal }), {
        session: { ...session, updatedAt: timestamp, messages: history },
        damage: [],
      })
    }),
    about('keeps the order of appends that were not awaited', async ({ store, begin, messages }) => {
      const session = begin()
      const log = await store.create(session, { signal })
      await Promise.all([...history.map((message) => log.append(message)), log.sync(), log.close()])
      assert.deepEqual(await messages(session.id), history)
    }),
    about('saves no session without messages', async ({ store, begin, save, listed }) => {
      const id = await save(begin(), [])
      await throwsCode('not_found', () => store.load(id, { signal }))
      await throwsCode('not_found', () => store.open(id, { signal }))
      assert.deepEqual(await listed(), [])
    }),
    about('continues a saved session', async ({ store, begin, save, messages }) => {
      const session = begin()
      await save(session, history.slice(0, 1))
      const { log, loaded } = await store.open(session.id, { signal })
      assert.deepEqual(loaded.session.messages, history.slice(0, 1))
      for (const message of history.slice(1)) await log.append(message)
      await log.close()
      assert.deepEqual(await messages(session.id), history)
    }),
    about(
      'shows appended messages to readers before the writer closes',
      async ({ store, begin, messages, listed }) => {
        const session = begin()
        const log = await store.create(session, { signal })
        await log.append(user(sampleText('hello')))
        assert.deepEqual(await messages(session.id), [user(sampleText('hello'))])
        assert.equal((await listed()).length, 1)
        await log.close()
      },
    ),
    about('keeps each part of the state until it is set again', async ({ store, begin }) => {
      const session = begin()
      const head = user(sampleText('one')).id
      const state = {
        title: 'Löwe',
        usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 1 },
        costUsd: 0.25,
        head,
        model: 'acme/large',
      }
      const { title, usage, costUsd, model } = state
      const log = await store.create(session, { signal })
      await log.append(user(sampleText('one')), { title, usage, costUsd })
      await log.append(user(sampleText('two')), { head, model })
      await log.close()
      const again = await store.open(session.id, { signal })
      await again.log.append(user(sampleText('three')), { title: 'Bär' })
      await again.log.close()
      const { messages: _, ...first } = again.loaded.session
      assert.deepEqual(first, { ...session, ...state, updatedAt: timestamp })
      const { messages: __, ...second } = (await store.load(session.id, { signal })).session
      assert.deepEqual(second, { ...session, ...state, updatedAt: timestamp, title: 'Bär' })
    }),
    about(
      'keeps the answers that a call was given beside its open question, and counts only that one',
      async ({ store, begin, listed }) => {
        const session = begin()
        const log = await store.create(session, { signal })
        for (const message of history.slice(0, 2)) await log.append(message)
        await log.update({ pending: questions })
        await log.close()
        assert.deepEqual((await store.load(session.id, { signal })).session.pending, questions)
        assert.deepEqual(
          (await listed()).map(({ pending }) => pending),
          [1],
        )
        const again = await store.open(session.id, { signal })
        await again.log.update({ pending: [] })
        await again.log.close()
        assert.deepEqual((await store.load(session.id, { signal })).session.pending ?? [], [])
        assert.deepEqual(
          (await listed()).map(({ pending }) => pending),
          [undefined],
        )
      },
    ),
    about('saves state without a message, once there is one', async ({ store, begin, listed }) => {
      const session = begin()
      const log = await store.create(session, { signal })
      await log.update({ title: 'Early' })
      assert.deepEqual(await listed(), [])
      await log.append(user(sampleText('one')), { costUsd: 0.5 })
      await log.update({ title: 'Late' })
      const { title, costUsd, messages } = (await store.load(session.id, { signal })).session
      assert.deepEqual([title, costUsd, messages.length], ['Late', 0.5, 1])
      await log.close()
      await throwsCode('conflict', () => log.update({ title: 'Too late' }))
    }),
    about('accepts one writer at a time, and names it to a second', async ({ store, begin }) => {
      const session = begin()
      const log = await store.create(session, { signal })
      await log.append(user(sampleText('mine')))
      const error = await throwsCode('conflict', () => store.open(session.id, { signal }))
      assert.equal(isPipeError(error) && error.details['pid'], String(process.pid))
      await log.close()
      await (await store.open(session.id, { signal })).log.close()
    }),
    about('does not create a session twice', async ({ store, begin, save, messages }) => {
      const session = begin()
      await save(session, history)
      await throwsCode('conflict', () => store.create(session, { signal }))
      assert.deepEqual(await messages(session.id), history)
      await (await store.open(session.id, { signal })).log.close()
    }),
    about(
      'closes any number of times, and rejects appends afterwards',
      async ({ store, begin, messages }) => {
        const session = begin()
        const log = await store.create(session, { signal })
        await log.append(user(sampleText('in time')))
        await Promise.all([log.close(), log.close()])
        await log.close()
        await log.sync()
        await throwsCode('conflict', () => log.append(user(sampleText('late'))))
        assert.deepEqual((await messages(session.id)).map(textContent), ['in time'])
      },
    ),
    about('throws not_found for a missing session', async ({ store, begin }) => {
      const { id } = begin()
      await throwsCode('not_found', () => store.load(id, { signal }))
      await throwsCode('not_found', () => store.open(id, { signal }))
    }),
    ...badIds.map((bad) =>
      about(`SESS-336: rejects ${JSON.stringify(bad)} as a session id`, async ({ store, begin }) => {
        const id = castToSessionId(bad)
        await throwsCode('input', () => store.load(id, { signal }))
        await throwsCode('input', () => store.open(id, { signal }))
        await throwsCode('input', () => store.create(begin({ id }), { signal }))
      }),
    ),
    about('finds sessions by the beginning of their ids, in order', async ({ store, begin, save }) => {
      for (const name of ['ann-2', 'bob', 'ann', 'anna'])
        await save(begin({ id: readSessionId(name) }), history)
      assert.deepEqual(await store.find('ann', { signal }), ['ann', 'ann-2', 'anna'])
      assert.deepEqual(await store.find('bob', { signal }), ['bob'])
      assert.deepEqual(await store.find('c', { signal }), [])
    }),
    about('lists the session written last first, with its opening', async ({ begin, save, listed }) => {
      const first = begin({ createdAt: '2026-02-17T12:00:00.000Z' })
      const second = begin({ cwd: '/home/bea' })
      await save(first, history)
      await save(second, [user(sampleText('Write a poem'))])
      const summary = ({ id, createdAt, cwd = '' }: NewSession, opening: string) => {
        return { id, createdAt, updatedAt: timestamp, cwd, opening }
      }
      const [a, b] = [summary(first, 'Fix the login bug'), summary(second, 'Write a poem')]
      assert.deepEqual(await listed(), [b, a])
      assert.deepEqual(await listed('/home/ada'), [a])
      assert.deepEqual(await listed('/home'), [])
    }),
    about(
      'uses the text of the user as the opening, cut to 200 characters',
      async ({ begin, save, listed }) => {
        const context = {
          ...user(sampleText('today is Monday'), sampleText('  '), sampleText('AGENTS.md')),
          metadata: { context: '3' },
        }
        const asked = {
          ...user(sampleText('branch: main'), sampleText('🦁'.repeat(300))),
          metadata: { context: '1' },
        }
        await save(begin(), [context, asked])
        assert.deepEqual(
          (await listed()).map(({ opening }) => opening),
          ['🦁'.repeat(200)],
        )
      },
    ),
    about('throws aborted if the signal has already fired', async ({ store, begin, save }) => {
      const session = begin()
      await save(session, history)
      const gone = { signal: AbortSignal.abort() }
      const aborted = (action: () => unknown) => throwsCode('aborted' satisfies ErrorCode, action)
      await aborted(() => store.create(begin(), gone))
      await aborted(() => store.open(session.id, gone))
      await aborted(() => store.load(session.id, gone))
      await aborted(() => store.find('', gone))
      await aborted(() => store.list(gone)[Symbol.asyncIterator]().next())
      await (await store.open(session.id, { signal })).log.close()
    }),
  ]
}

const badIds = ['../../etc/passwd', '$(id)', '', '.hidden', 'a/b', 'a\0b', 'x'.repeat(65)]

/** Casts an invalid id to `SessionId`, as an untyped caller could pass it. */
function castToSessionId(id: string): SessionId {
  const pretend = (_: string): _ is SessionId => !isSessionId(id)
  if (pretend(id)) return id
  return assert.fail(`${id} is a session id after all`)
}
