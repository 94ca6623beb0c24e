import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { isDiskFull } from '../../src/error.ts'
import { listen } from '../support/listen.ts'
import { describeWithDatabase } from '../support/postgres.ts'
import { bareEvents, taskId } from '../support/task-events.ts'
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

  it('may lack the right to create the schema, which one with the right can do once', async () => {
    const role = `reader_${database.url.slice(-8)}`
    await database.query(`create role ${role} login`)
    onTestFinished(async () => {
      await database.query(`drop owned by ${role}`)
      await database.query(`drop role ${role}`)
    })
    const url = Object.assign(new URL(database.url), { username: role }).href
    expect(await failureOf(url)).toMatchObject({
      code: 'permission',
      message: expect.stringMatching(
        /permission denied for database .*; let its user create the schema pipe/,
      ),
    })
    await openHere(database.url).events.ensureSchema({ signal })
    await database.query(`grant usage on schema pipe to ${role}`)
    await database.query(`grant all on all tables in schema pipe to ${role}`)
    const { events } = openHere(url)
    expect(await events.append(taskId(1), bareEvents(taskId(1)).slice(0, 1), { signal })).toHaveLength(1)
  })
})
