import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { Clock } from '../../src/clock.ts'
import { isDiskFull } from '../../src/error.ts'
import { readSessionId } from '../../src/id.ts'
import { describeWithDatabase, makeReadOnly, makeWritable } from '../support/databases/postgres.ts'
import { listen } from '../support/servers/listen.ts'
import { bareEvents, taskId } from '../support/tasks/task-events.ts'
import { thrown } from '../support/thrown.ts'
import { openHere } from './open-here.ts'

const { signal } = new AbortController()
const secret = 'hunter2-hunter2'

/** Starts a server that answers the first message with these bytes; nothing if there are none. */
async function startServer(answer: Buffer = Buffer.alloc(0)): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => answer.length > 0 && socket.end(answer))
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return listen(server)
}

/** An error of the server in its protocol. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(4 + fields.length, 1)
  return Buffer.concat([head, fields])
}

/** Tries to read events; returns the code and message of the error. */
async function failureOf(url: string) {
  const error = await thrown(() => openHere(url).events.readById(1, { signal }))
  expect(String(error)).not.toContain(secret)
  expect(JSON.stringify(error)).not.toContain(secret)
  return error
}

describeWithDatabase('a database that cannot be used', (database) => {
  it('is named without the password, with what to do', async () => {
    const wrong = await startServer(refusal('28P01', 'password authentication failed for user "ada"'))
    expect(
      await failureOf(`postgres://ada:${secret}@127.0.0.1:${wrong}/db?password=${secret}`),
    ).toMatchObject({
      code: 'config',
      message: `cannot use the database postgres://ada@127.0.0.1:${wrong}/db: password authentication failed for user "ada"; check its user and password (PGPASSWORD and ~/.pgpass count too)`,
    })
    const full = await startServer(refusal('53300', 'sorry, too many clients already'))
    expect(await failureOf(`postgres://ada:${secret}@127.0.0.1:${full}/db`)).toMatchObject({
      code: 'network',
    })
    const disk = await startServer(refusal('53100', 'could not extend file'))
    expect(isDiskFull(await failureOf(`postgres://ada:${secret}@127.0.0.1:${disk}/db`))).toBe(true)
  })

  it.each([
    ['does not exist', '/none_at_all', 'config', /database "none_at_all" does not exist; create/],
    ['has no such user', 'nobody_at_all', 'config', /role "nobody_at_all" does not exist; check/],
  ])('says so if it %s', async (_, part, code, message) => {
    const url = new URL(database.url)
    if (part.startsWith('/')) url.pathname = part
    else url.username = part
    expect(await failureOf(url.href)).toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it.each([`http://ada:${secret}@host/db`, `postgres://ada:${secret}@[::zz]/db`, secret])(
    'is refused by its URL: %s',
    async (url) => {
      expect(await failureOf(url)).toMatchObject({ code: 'config' })
    },
  )

  it('is refused if its URL names a file that cannot be read', async () => {
    expect(await failureOf(`${database.url}?sslmode=require&sslrootcert=/nowhere.pem`)).toMatchObject({
      code: 'config',
      message: expect.stringMatching(/no such file or directory, open '\/nowhere.pem'$/),
    })
  })

  it('is a network error at once if nothing listens there, and interrupted on demand if it is silent', async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await failureOf(`postgres://ada@127.0.0.1:${port}/db`)).toMatchObject({
      code: 'network',
      message: expect.stringMatching(/ECONNREFUSED/),
    })
    const stop = new AbortController()
    const silent = openHere(`postgres://ada@127.0.0.1:${await startServer()}/db`)
    const reading = thrown(() => silent.events.readById(1, { signal: stop.signal }))
    stop.abort()
    expect(await reading).toMatchObject({ code: 'aborted' })
  })

  it('may lack rights, which an administrator gives by a schema, or by its tables', async () => {
    const role = `reader_${database.url.slice(-8)}`
    await database.query(`create role ${role} login`)
    onTestFinished(async () => {
      await database.query(`drop owned by ${role}`)
      await database.query(`drop role ${role}`)
    })
    const url = Object.assign(new URL(database.url), { username: role }).href
    const ensure = (events = openHere(url).events) => events.ensureSchema({ signal })
    const lack = async () => (await openHere(url).check({ signal })).lack?.text
    expect(await thrown(() => ensure())).toMatchObject({
      code: 'config',
      message: expect.stringMatching(
        /permission denied for database .*; let its user create the schema pipe/,
      ),
    })
    expect(await lack()).toBe('its user may not create the schema pipe')
    await database.query('create schema pipe')
    expect(await lack()).toBe('its user may not add tables to the schema pipe')
    await database.query(`grant usage, create on schema pipe to ${role}`)
    expect(await lack()).toBeUndefined()
    await ensure()
    await database.query('drop schema pipe cascade')
    await ensure(openHere(database.url).events)
    expect(await lack()).toBe('its user may not use the schema pipe')
    await database.query(`grant usage on schema pipe to ${role}`)
    expect(await lack()).toBe('its user may not use the table pipe.audit_lines')
    expect(await failureOf(url)).toMatchObject({
      code: 'config',
      message: expect.stringMatching(
        /permission denied for table .*; let its user .* use it and its tables$/,
      ),
    })
    await database.query(`grant all on all tables in schema pipe to ${role}`)
    expect(await lack()).toBeUndefined()
    const { events } = openHere(url)
    expect(await events.append(taskId(1), bareEvents(taskId(1)).slice(0, 1), { signal })).toHaveLength(1)
  })

  it('is not changed by whoever reads', async () => {
    await database.clear()
    const { events, sessions, audits, bundles } = openHere(database.url)
    const nothing = readSessionId('none')
    const all = async <Value>(values: AsyncIterable<Value>) => {
      const list: Value[] = []
      for await (const value of values) list.push(value)
      return list
    }
    expect(await all(events.readAll({ signal }))).toEqual([])
    expect(await all(events.readStream(taskId(1), { signal }))).toEqual([])
    expect(await events.readById(1, { signal })).toBeUndefined()
    expect(await all(sessions().list({ signal }))).toEqual([])
    expect(await sessions().find('a', { signal })).toEqual([])
    expect(await thrown(() => sessions().load(nothing, { signal }))).toMatchObject({ code: 'not_found' })
    expect(await audits.find('a', { signal })).toEqual([])
    expect(await all(audits.lines(nothing, { signal }))).toEqual([])
    expect(await bundles.get(taskId(1), { signal })).toBeUndefined()
    expect(await bundles.start(taskId(1), { signal })).toBeUndefined()
    await bundles.remove(taskId(1), { signal })
    expect(await database.query("select from pg_namespace where nspname = 'pipe'")).toEqual([])
    // A watcher that began before sees the first event.
    const stop = new AbortController()
    const watching = events.watch({ signal: stop.signal })
    const first = watching.next()
    await openHere(database.url).events.append(taskId(1), bareEvents(taskId(1)).slice(0, 1), { signal })
    expect((await first).value).toMatchObject({ id: 1, type: 'task_created' })
    stop.abort()
    expect(await thrown(() => watching.next())).toMatchObject({ code: 'aborted' })
  })

  it('that only reads is refused at once', async () => {
    await database.clear()
    const only = `${database.url}?options=-c%20default_transaction_read_only%3Don`
    expect(await thrown(() => openHere(only).events.ensureSchema({ signal }))).toMatchObject({
      code: 'config',
      message: expect.stringMatching(/this server is read-only: name the one that takes writes$/),
    })
    const { lack } = await openHere(only).check({ signal })
    expect(lack).toEqual({ text: 'this server is read-only', remedy: 'name the one that takes writes' })
  })

  it('that only reads for a while is waited for, once it was written to', async () => {
    await database.clear()
    let pauses = 0
    const sleep: Clock['sleep'] = (...args) => {
      pauses++
      return systemClock.sleep(...args)
    }
    const { events } = openHere(database.url, { clock: { ...systemClock, sleep } })
    const append = (seq: number) => {
      const event = bareEvents(taskId(1)).slice(seq - 1, seq)
      return events.append(taskId(1), event, { signal, expectedSeq: seq - 1 })
    }
    await append(1)
    await makeReadOnly(database)
    let isOver = false
    const second = append(2).finally(() => {
      isOver = true
    })
    await expect.poll(() => pauses).toBeGreaterThan(3)
    expect(isOver).toBe(false)
    await makeWritable(database)
    expect(await second).toMatchObject([{ seq: 2 }])
  })

  it('has an encoding for all texts, or is refused', async () => {
    const name = `${new URL(database.url).pathname.slice(1)}_latin`
    await database.query(`create database ${name} template template0 encoding 'LATIN1' locale 'C'`)
    onTestFinished(async () => void (await database.query(`drop database ${name} with (force)`)))
    const url = Object.assign(new URL(database.url), { pathname: `/${name}` }).href
    expect((await openHere(url).check({ signal })).lack?.text).toMatch(
      /^the database has the encoding LATIN1/,
    )
    expect(await thrown(() => openHere(url).events.ensureSchema({ signal }))).toMatchObject({
      code: 'config',
    })
  })

  it.each([
    ['28000', 'no pg_hba.conf entry for host "10.0.0.1", user "ada", database "db", no encryption', true],
    ['08P01', 'SSL required', true],
    ['28000', 'connection is insecure (try using `sslmode=require`)', true],
    ['28000', 'no pg_hba.conf entry for host "10.0.0.1", user "ada", database "db", SSL encryption', false],
  ])('says which setting turns TLS on if it demands that: %s %s', async (code, message, isTls) => {
    const port = await startServer(refusal(code, message))
    const error = await failureOf(`postgres://ada@127.0.0.1:${port}/db`)
    expect(error).toMatchObject({ code: 'config' })
    expect(String(error).includes('add ?sslmode=require to the URL')).toBe(isTls)
  })
})
