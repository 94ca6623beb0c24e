import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { outlineRequest, say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

/** A world with two sessions, `ann` and the newer `bob`, whose file this function changes. */
async function openWith(change: (saved: string) => string | Uint8Array) {
  const world = await openWorld()
  const pathOf = (id: string) => join(world.home, 'sessions', `${id}.json`)
  for (const [i, id] of ['ann', 'bob'].entries()) {
    world.server.reply(say(`Hello ${id}.`))
    expectRun(await world.pipe(['-s', id, `I am ${id}`]), { stdout: `Hello ${id}.\n` })
    await utimes(pathOf(id), 1_000 + i, 1_000 + i)
  }
  const path = pathOf('bob')
  const changed = change(await readFile(path, 'utf8'))
  await writeFile(path, changed)
  await utimes(path, 2_000, 2_000)
  return { ...world, path, changed: Buffer.from(changed) }
}

const listed = (id: string, rest: string) =>
  `${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  +\\d+(\\.\\d)? kB  ${rest}\\n`

describe('a session of a newer version', () => {
  const newer = (saved: string) => saved.replace('"version": 1', '"version": 2')
  const words = (path: string) =>
    `cannot read ${path}: it has version 2, newer than 1, the latest that this pipe reads; it was left unchanged. Update pipe to read it`

  it('SESS-333: is listed with a mark', async () => {
    const { pipe, path } = await openWith(newer)
    expectRun(await pipe(['sessions']), {
      stdout: expect.stringMatching(
        new RegExp(`^${listed('bob', '\\[cannot be read\\] I am bob')}${listed('ann', 'I am ann')}$`),
      ),
      stderr: complaint(words(path)),
    })
    const { stdout } = await pipe(['sessions', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ id: 'bob', fault: words(path) }, { id: 'ann' }] })
  })

  it.each([
    ['-c', ['-c', 'who am I?']],
    ['-r', ['-r', 'who am I?']],
    ['-r and its id', ['--resume=bob', 'who am I?']],
    ['--fork', ['--fork=bob', 'who am I?']],
    ['--no-session -c', ['--no-session', '-c', 'who am I?']],
    ['sessions show', ['sessions', 'show', 'bob']],
  ])('SESS-333: is refused by name with %s, and no other session replaces it', async (_, args) => {
    const { pipe, server, path, changed } = await openWith(newer)
    expectRun(await pipe(args), { code: 42, stdout: '', stderr: complaint(words(path)) })
    expect(server.requests).toHaveLength(2)
    expect(await readFile(path)).toEqual(changed)
  })
})

describe('a session whose whole file is damaged', () => {
  const words = (path: string) => `cannot read ${path}: it is not a session, or completely damaged`

  it.each([
    ['NUL bytes', () => Buffer.alloc(900)],
    ['other bytes', () => '\u0007ELF\n{}\n'],
  ])(
    '(%s) is named in a warning by the list and by -c, which skips it, and in an error by --resume',
    async (_, damage) => {
      const { pipe, server, path, changed } = await openWith(damage)
      expectRun(await pipe(['sessions']), {
        stdout: expect.stringMatching(new RegExp(`^${listed('ann', 'I am ann')}$`)),
        stderr: complaint(words(path)),
      })
      expectRun(await pipe(['--resume=bob', 'who am I?']), {
        code: 42,
        stdout: '',
        stderr: complaint(words(path)),
      })
      server.reply(say('Ann.'))
      expectRun(await pipe(['-c', 'who am I?']), { stdout: 'Ann.\n', stderr: complaint(words(path)) })
      expect(await readFile(path)).toEqual(changed)
    },
  )

  it('is named if -c finds no other', async () => {
    const { pipe, put, path } = await openWith(() => '\0')
    await put('elsewhere/a.txt', '')
    const run = await pipe(['-C', 'elsewhere', '-c', 'who am I?'])
    expectRun(run, { code: 42, stdout: '', stderr: complaint('no earlier session in') })
    expect(run.stderr).toContain(words(path))
  })

  it('(a byte order mark) is read all the same', async () => {
    const { pipe, server } = await openWith((saved) => `\ufeff${saved}`)
    server.reply(say('Bob.'))
    expectRun(await pipe(['-c', 'who am I?']), { stdout: 'Bob.\n' })
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('I am bob')
  })
})

describe('/resume in the terminal UI', () => {
  it('skips unreadable sessions, and says how many and which command names them', async () => {
    const world = await openWith(() => '\0')
    const screen = await openPrompt(world, { columns: 160, rows: 20 })
    screen.type('/resume\r')
    await screen.until(/skipped 1 session that cannot be read; pipe sessions says why\n[\s\S]*❯ I am ann/)
    screen.type('\r')
    await screen.until(/I am ann\n[\s\S]*Hello ann\.\n\n─+\n›/)
    screen.type('/resume\r')
    await screen.until(
      /skipped 1 session that cannot be read; pipe sessions says why\n {2}✗ there is no other conversation in this folder/,
    )
  })
})

describe('a session without its beginning', () => {
  it.each([
    ['all of it', '', ['--resume=bob']],
    ['all but a brace', '{', ['--resume=bob']],
    ['all of it', '', ['--fork=bob']],
  ])(
    'continues with a new system prompt, and can be resumed again: %s lost (%s left)',
    async (_, rest, flags) => {
      const { pipe, server, path } = await openWith(() => rest)
      expectRun(await pipe(['sessions']), {
        stdout: expect.stringMatching(new RegExp(`^${listed('ann', 'I am ann')}$`)),
        stderr: complaint(`the beginning of ${path} is lost; pipe -r bob continues with the rest`),
      })
      server.reply(say('Bob.'), say('Again.'))
      const stderr = complaint('session bob, line 1: the file is cut off here')
      expectRun(await pipe([...flags, 'I am bob']), { stdout: 'Bob.\n', stderr })
      expectRun(await pipe(['-c', 'and again?']), { stdout: 'Again.\n' })
      const [, , first, second] = server.requests.map(({ body }) => outlineRequest(body))
      expect(first).toEqual([
        expect.stringMatching(/^system: You are pipe/),
        expect.stringMatching(/^user: <environment>[\s\S]*I am bob$/),
      ])
      expect(second?.slice(0, 2)).toEqual(first)
      expect(second).toHaveLength(4)
    },
  )
})
