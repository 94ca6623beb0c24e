import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { systemIds } from '../../src/cli/host.ts'
import { readSessionId } from '../../src/id.ts'
import { type Message, textContent } from '../../src/message.ts'
import type { NewSession } from '../../src/session.ts'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { anyMessage, anyText, anyUsage } from '../support/messages/arbitraries.ts'
import { messageId, text, timestamp, user } from '../support/messages/messages.ts'
import { bareEvents, taskId } from '../support/tasks/task-events.ts'
import { thrown } from '../support/thrown.ts'
import { openHere } from './open-here.ts'

const { signal } = new AbortController()
const id = readSessionId('s1')
const session: NewSession = { id, systemPrompt: 'You are pipe.', createdAt: timestamp, cwd: '/home/ada' }

/** Data that only a provider understands, byte for byte. */
function opaque(messages: readonly Message[]): string {
  return JSON.stringify(
    messages.flatMap(({ content }) => content.map(({ providerData }) => providerData?.data)),
  )
}

describeWithDatabase('sessions of tasks in PostgreSQL', (database) => {
  beforeEach(() => database.clear())

  const open = (attempt?: number) => openHere(database.url).sessions(attempt === undefined ? {} : { attempt })
  const textsOf = async () => {
    const { messages } = (await open().load(id, { signal })).session
    return messages.map(textContent)
  }

  it('are read by another process while one writes, and continued once it has ended', async () => {
    const [one, other] = [open(), open()]
    const log = await one.create(session, { signal })
    await log.append(user(text('one')))
    expect(await textsOf()).toEqual(['one'])
    expect(await thrown(() => other.open(id, { signal }))).toMatchObject({
      code: 'conflict',
      details: { pid: String(process.pid), host: 'here' },
    })
    await log.close()
    const again = await other.open(id, { signal })
    await again.log.append(user(text('two')))
    expect(await textsOf()).toEqual(['one', 'two'])
  })

  it('that have moved are listed in their new folder', async () => {
    const log = await open().create(session, { signal })
    await log.append(user(text('one')))
    await log.update({ movedTo: '/home/bea' })
    await log.append(user(text('two')))
    await log.close()
    expect((await open().load(id, { signal })).session).toMatchObject({
      cwd: '/home/bea',
      movedTo: '/home/bea',
    })
    const listed = async (cwd: string) => {
      const found: string[] = []
      for await (const one of open().list({ signal, cwd })) found.push(`${one.id} ${one.cwd}`)
      return found
    }
    expect([await listed('/home/bea'), await listed('/home/ada')]).toEqual([['s1 /home/bea'], []])
  })

  it('are loaded as they were saved, whatever is in them', async () => {
    const stores = openHere(database.url)
    const history = fc.array(anyMessage, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(history, anyText, anyText, anyUsage, async (messages, systemPrompt, title, usage) => {
        const started = { ...session, id: systemIds().session(), systemPrompt }
        const state = { title, usage, costUsd: 0.25, head: messageId(7) }
        const log = await stores.sessions().create(started, { signal })
        for (const message of messages) await log.append(message, state)
        await log.close()
        const { session: loaded, damage } = await stores.sessions().load(started.id, { signal })
        const { updatedAt: _, ...rest } = loaded
        expect([rest, damage]).toStrictEqual([{ ...started, ...state, messages }, []])
        expect(opaque(loaded.messages)).toBe(opaque(messages))
      }),
      { numRuns: 40 },
    )
  })

  it('keep large images beside their messages, and miss one that is gone', async () => {
    const data = Buffer.alloc(600_000, 7).toString('base64')
    const image = { type: 'image', mimeType: 'image/png', data } as const
    const log = await open().create(session, { signal })
    await log.append(user(text('see'), image))
    const [row] = await database.query<{ body: string }>('select body::text as body from pipe.messages')
    expect(row?.body.length).toBeLessThan(1_000)
    expect((await open().load(id, { signal })).session.messages).toEqual([user(text('see'), image)])
    await database.query('update pipe.blobs set bytes = bytes || $1', [Buffer.from('x')])
    expect((await open().load(id, { signal })).damage).toEqual([
      { line: 1, reason: expect.stringMatching(/its file .* is missing or damaged/) },
    ])
  })

  it('report damaged messages and keep the others', async () => {
    const log = await open().create(session, { signal })
    for (const words of ['one', 'two', 'three']) await log.append(user(text(words)))
    await database.query(`update pipe.messages set body = '{"type": "user"}' where position = 1`)
    const { session: loaded, damage } = await open().load(id, { signal })
    expect(loaded.messages.map(textContent)).toEqual(['one', 'three'])
    expect(damage).toMatchObject([{ line: 2 }])
    await log.append(user(text('four')))
    expect(await textsOf()).toEqual(['one', 'three', 'four'])
  })

  it('of a newer version are refused and left as they are', async () => {
    const log = await open().create(session, { signal })
    await log.append(user(text('one')))
    await log.close()
    await database.query(`update pipe.sessions set header = '{"version": 9}'`)
    for (const action of [() => open().load(id, { signal }), () => open().open(id, { signal })])
      expect(await thrown(action)).toMatchObject({
        code: 'input',
        message: expect.stringMatching(/version 9/),
      })
    expect(await database.query('select from pipe.messages')).toHaveLength(1)
  })

  it('keep fields that this program does not know', async () => {
    const log = await open().create(session, { signal })
    await log.append(user(text('one')))
    await log.close()
    await database.query(`update pipe.sessions set state = '{"updated_at": "x", "later": [1]}'`)
    const again = await open().open(id, { signal })
    await again.log.append(user(text('two')), { title: 'Löwe' })
    const [row] = await database.query<{ state: unknown }>('select state from pipe.sessions')
    expect(row?.state).toMatchObject({ later: [1], title: 'Löwe' })
  })

  it('refuse the writer whose connection has ended', async () => {
    const log = await open().create(session, { signal })
    await log.append(user(text('one')))
    await database.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    )
    const isHeld = () =>
      thrown(() => log.requireHeld?.()).then(
        () => false,
        () => true,
      )
    await expect.poll(isHeld).toBe(false)
    expect(await thrown(() => log.append(user(text('two'))))).toMatchObject({ code: 'conflict' })
    expect(await textsOf()).toEqual(['one'])
    await log.close()
  })

  it('refuse a writer once a newer attempt at its task has begun, and an older attempt at all', async () => {
    const { events } = openHere(database.url)
    const log = await open(1).create(session, { signal })
    await log.append(user(text('one')))
    const [created, started] = bareEvents(taskId(1))
    if (created === undefined || started?.type !== 'task_started') throw new Error('no events')
    const options = { sessionId: id, attempt: 2 }
    const again = { ...started, payload: { ...started.payload, options } }
    await events.append(taskId(1), [created, again], { signal })
    expect(await thrown(() => log.append(user(text('two'))))).toMatchObject({ code: 'conflict' })
    expect(await thrown(() => log.update({ title: 'x' }))).toMatchObject({ code: 'conflict' })
    await log.close()
    expect(await thrown(() => open(1).open(id, { signal }))).toMatchObject({ code: 'conflict' })
    const next = await open(2).open(id, { signal })
    await next.log.append(user(text('three')))
    expect(await textsOf()).toEqual(['one', 'three'])
    await next.log.close()
    // A person may go on with what a task has left.
    await (await open().open(id, { signal })).log.close()
  })

  it('refuse a writer that was taken over before its first message', async () => {
    const log = await open(1).create(session, { signal })
    await database.query('update pipe.writers set attempt = 2, token = gen_random_uuid()')
    expect(await thrown(() => log.append(user(text('one'))))).toMatchObject({ code: 'conflict' })
    expect(await thrown(() => open().load(id, { signal }))).toMatchObject({ code: 'not_found' })
  })

  it('are listed page by page, the one written last first', async () => {
    const store = open()
    for (let i = 0; i < 120; i++) {
      const one = { ...session, id: readSessionId(`s${i}`), cwd: i % 2 === 0 ? '/home/ada' : '/home/bea' }
      const log = await store.create(one, { signal })
      await log.append({ ...user(text(`task ${i}`)), id: messageId(i) })
      await log.close()
    }
    const listed: string[] = []
    for await (const { id: found } of store.list({ signal })) listed.push(found)
    expect(listed).toEqual(Array.from({ length: 120 }, (_, i) => `s${119 - i}`))
  })
})
