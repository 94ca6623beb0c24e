import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readSessionId } from '../../../src/id.ts'
import { auditFormat } from '../../../src/json/audit/format.ts'
import { createRedactor } from '../../../src/redaction/redaction.ts'
import { openStores } from '../../postgres/open.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { describeWithDatabase } from '../../support/databases/postgres.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { text, timestamp, user } from '../../support/messages/messages.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { listen } from '../../support/servers/listen.ts'

const { signal } = new AbortController()

describeWithDatabase('tasks in PostgreSQL', (database) => {
  it('are shared by homes that name one database, in their settings or environment', async () => {
    const [one, other] = [await openWorld(), await openWorld()]
    await one.configure({ tasks: { store: database.url } })
    const env = { PIPE_DATABASE_URL: database.url }
    const added = await one.pipe(['task', 'add', 'fix the lock'])
    expectRun(added, { stdout: expect.stringMatching(/^[\w-]{21}\n$/) })
    const id = added.stdout.trimEnd()
    expectRun(await other.pipe(['task'], { env }), { stdout: expect.stringContaining(`${id}  `) })
    const following = other.start(['task', 'log', id, '-f', '--json'], { env })
    await one.pipe(['task', 'cancel', id, 'no', 'longer'])
    const { stdout, code } = await following.ended
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([code, events.map(({ id: number, type }) => [number, type])]).toEqual([
      0,
      [
        [1, 'task_created'],
        [2, 'task_canceled'],
      ],
    ])
    expectRun(await other.pipe(['task']), { stdout: '' })
    expect([one, other].map(({ home }) => existsSync(join(home, 'tasks')))).toEqual([false, false])
    const elsewhere = { PIPE_DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/db' }
    expectRun(await one.pipe(['task'], { env: elsewhere }), {
      code: 51,
      stdout: '',
      stderr:
        'pipe: cannot use the database postgres://ada@127.0.0.1:1/db: connect ECONNREFUSED 127.0.0.1:1\n',
    })
  })

  it('cannot be moved there by a project', async () => {
    const world = await openWorld()
    await world.put(
      '.pipe/config.json',
      JSON.stringify({ tasks: { store: 'postgres://evil@127.0.0.1:1/db' } }),
    )
    expectRun(await world.pipe(['task', '--trust']), { stdout: '' })
    const { stderr } = await world.pipe(['doctor'])
    expect(stderr).toBe('')
    const { stdout } = await world.pipe(['doctor', '--json'])
    expect(stdout).toContain('ignored tasks.store: only your own settings say where tasks are kept')
    expect(stdout).toContain(`files in ${join(world.home, 'tasks')}`)
  })

  it('are looked at by doctor, without a change and without the password', async () => {
    const world = await openWorld()
    await world.configure({})
    const examine = async (url: string) => {
      const env = { PIPE_DATABASE_URL: url, PGPASSWORD: 'hunter2-hunter2' }
      const { stdout, code } = await world.pipe(['doctor', '--json'], { env })
      const { checks } = JSON.parse(stdout)
      const tasks = checks.filter(({ name }: { readonly name: string }) => name === 'tasks')
      expect(stdout).not.toContain('hunter2')
      return [code, ...tasks]
    }
    await database.clear()
    const secret = Object.assign(new URL(database.url), { password: 'hunter2' }).href
    const ok = { name: 'tasks', state: 'ok' }
    expect(await examine(secret)).toEqual([
      0,
      { ...ok, text: `${database.url} (no schema yet; pipe creates it when needed)` },
    ])
    expect(await database.query("select from pg_namespace where nspname = 'pipe'")).toEqual([])
    const stores = openStores(database.url)
    onTestFinished(() => stores.close())
    await stores.events.ensureSchema({ signal })
    expect(await examine(secret)).toEqual([0, { ...ok, text: `${database.url} (schema version 1)` }])
    expect(await examine(`${secret}?options=-c%20default_transaction_read_only%3Don`)).toEqual([
      52,
      expect.objectContaining({
        state: 'broken',
        text: expect.stringMatching(/: this server is read-only$/),
        remedy: 'name the one that takes writes',
      }),
    ])
    await database.query('insert into pipe.migrations (version) values (5)')
    const newer = `${database.url} has schema version 5, newer than 1`
    expect(await examine(secret)).toEqual([
      52,
      { name: 'tasks', state: 'broken', text: newer, remedy: 'update pipe' },
    ])
    expect(await examine(await silentServer())).toEqual([
      52,
      expect.objectContaining({ state: 'broken', text: expect.stringMatching(/did not answer within 3 s$/) }),
    ])
  })

  it('have audit logs that are shown and verified like others', async () => {
    await database.clear()
    const stores = openStores(database.url)
    onTestFinished(() => stores.close())
    const session = readSessionId('task-session')
    const log = await stores
      .sessions()
      .create({ id: session, systemPrompt: '', createdAt: timestamp }, { signal })
    await log.append(user(text('hello')))
    const format = auditFormat({ clock: stillClock(), newId: countingIds(), redact: createRedactor([]) })
    const audit = stores.auditLog({ session, cwd: '/', format })
    const { id } = user()
    audit.append({
      decision: 'user_message',
      actor: 'user_local',
      message: { type: 'user', id, content: 'hello' },
      audit: {},
    })
    audit.append({ decision: 'turn_ended', actor: 'agent_pipe', audit: {} })
    await audit.close()
    await log.close()
    const { pipe } = await openWorld()
    const env = { PIPE_DATABASE_URL: database.url }
    const intact = await pipe(['audit', 'verify', 'task-s'], { env })
    expectRun(intact, {
      stdout: expect.stringMatching(/^task-session: 3 lines, unchanged\nhead [0-9a-f]{64}\n$/),
    })
    expectRun(await pipe(['audit', 'show', 'task-session'], { env }), {
      stdout: expect.stringMatching(/user_message .* hello\n.*turn_ended/),
    })
    await database.query(`update pipe.audit_lines set line = replace(line, 'hello', 'howdy')`)
    expectRun(await pipe(['audit', 'verify', 'task-session'], { env }), {
      code: 50,
      stdout: '',
      stderr: complaint(/session task-session in postgres:.*, line 2: it was altered/),
    })
    expectRun(await pipe(['audit', 'verify', 'task-session']), {
      code: 42,
      stdout: '',
      stderr: complaint(/there is no audit log of session task-session/),
    })
  })

  it('load the driver only where a database is named', async () => {
    const world = await openWorld()
    const file = join(world.temp, 'loaded.txt')
    await world.put(
      'note.cjs',
      `process.on('exit', () => require('fs').writeFileSync('${file}', process.moduleLoadList.join('\\n')))`,
    )
    // The driver looks up hosts as soon as it is loaded; our own requests to an address do not.
    const loads = async (env: Record<string, string>, ...args: readonly string[]) => {
      const options = `--require=${join(world.cwd, 'note.cjs')}`
      await world.pipe(args, { env: { NODE_OPTIONS: options, ...env } })
      return (await readFile(file, 'utf8')).split('\n').includes('NativeModule dns')
    }
    world.server.reply({ blocks: [text('Hello.')] })
    const shared = { PIPE_DATABASE_URL: database.url }
    expect(await loads(shared, 'hello')).toBe(false)
    expect(await loads({}, 'task')).toBe(false)
    expect(await loads({}, 'audit', 'list')).toBe(false)
    expect(await loads(shared, 'task')).toBe(true)
  })
})

/** Starts a server that accepts connections and says nothing. */
async function silentServer(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `postgres://ada@127.0.0.1:${await listen(server)}/db`
}
