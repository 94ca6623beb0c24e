import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findPassword } from '../../src/postgres/password-file.ts'
import { listen } from '../support/servers/listen.ts'
import { taskId } from '../support/tasks/task-events.ts'
import { thrown } from '../support/thrown.ts'
import { openHere } from './open-here.ts'

async function write(...lines: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-pgpass-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'pgpass')
  await writeFile(file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
  return file
}

const shown = 'postgres://ada@db.example.org/work'
const wanted = { host: 'db.example.org', port: 5432, database: 'work', user: 'ada', shown }

describe('the file of passwords', () => {
  it.each([
    [['db.example.org:5432:work:ada:secret'], 'secret'],
    [['# a comment', '', '*:*:*:*:first', 'db.example.org:5432:work:ada:second'], 'first'],
    [['db.example.org:5433:work:ada:no', 'db.example.org:*:other:ada:no', '*:5432:*:ada:yes'], 'yes'],
    [['#db.example.org:5432:work:ada:no', '*:*:*:*:a\\:b\\\\c'], 'a:b\\c'],
    [['*:*:*:*:windows\r'], 'windows'],
  ])('gives the password of the first line that fits: %j', async (lines, password) => {
    expect(await findPassword(await write(...lines), wanted)).toBe(password)
  })

  it('calls a server behind a socket localhost, or by its folder', async () => {
    const socket = { ...wanted, host: '/var/run/postgresql' }
    expect(await findPassword(await write('localhost:*:*:*:a'), socket)).toBe('a')
    expect(await findPassword(await write('/var/run/postgresql:*:*:*:b'), socket)).toBe('b')
  })

  it('says what to do where no line fits, where it is missing, and where others may read it', async () => {
    const open = await write('*:*:*:*:secret')
    await chmod(open, 0o644)
    const want = (file: string) => `${shown} requires a password: add a line to ${file}, or set PGPASSWORD`
    for (const file of [await write('other:*:*:*:no'), '/nowhere/.pgpass'])
      expect(await thrown(() => findPassword(file, wanted))).toMatchObject({
        code: 'config',
        message: want(file),
      })
    expect(await thrown(() => findPassword(open, wanted))).toMatchObject({
      code: 'config',
      message: `${open} may be read by others, so its passwords are not used: chmod 600 ${open}`,
    })
  })

  it('is used by each connection to a server that wants a password, without a warning', async () => {
    const passwords: string[] = []
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        // The clear password, please.
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
        socket.once('data', (sent) => {
          passwords.push(sent.toString('utf8', 5, sent.length - 1))
          const fields = Buffer.from('SFATAL\0VFATAL\0C28P01\0Mno\0\0')
          const head = Buffer.from('E\0\0\0\0')
          head.writeUInt32BE(4 + fields.length, 1)
          socket.end(Buffer.concat([head, fields]))
        })
      })
    })
    onTestFinished(() => void server.close())
    const port = await listen(server)
    const warnings: Error[] = []
    const note = (warning: Error) => void warnings.push(warning)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const passwordFile = await write(`127.0.0.1:${port}:db:ada:from the file`)
    const { events, claims } = openHere(`postgres://ada@127.0.0.1:${port}/db`, { passwordFile })
    const { signal } = new AbortController()
    expect(await thrown(() => events.readById(1, { signal }))).toMatchObject({ code: 'config' })
    const claim = () => claims.claim(taskId(1), { signal })
    expect(await thrown(claim)).toMatchObject({ code: 'config' })
    expect(passwords).toEqual(['from the file', 'from the file'])
    expect(warnings).toEqual([])
  })
})
