import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { outlineRequest, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'

/** A world with one saved conversation. */
async function begun() {
  const world = await openWorld()
  world.server.reply(say('Hello Ann.'))
  expectRun(await world.pipe(['I am Ann']), { stdout: 'Hello Ann.\n' })
  const [first] = await world.sessions()
  if (first === undefined) throw new Error('nothing was saved')
  return { ...world, first, file: join(world.home, 'sessions', `${first.id}.json`) }
}

const earlier = ['user: I am Ann', 'assistant: Hello Ann.']
const whole = [...earlier, 'user: who am I?', 'assistant: Ann.']

describe('a conversation continues', () => {
  it.each([
    ['with -c', () => ['-c']],
    ['with -r', () => ['-r']],
    ['with -r and an id', (id: string) => ['-r', id]],
    ['with the beginning of an id', (id: string) => ['--resume', id.slice(0, 13)]],
    ['with -s', (id: string) => ['-s', id]],
  ])('%s', async (_, flags) => {
    const { pipe, server, sessions, first } = await begun()
    server.reply(say('Ann.'))
    expectRun(await pipe([...flags(first.id), 'who am I?']), { stdout: 'Ann.\n' })
    const [, request] = server.requests
    expect(request === undefined ? [] : outlineRequest(request.body)).toEqual([
      expect.stringMatching(/^system: You are pipe/),
      expect.stringMatching(/^user: <environment>[\s\S]*I am Ann$/),
      'assistant: Hello Ann.',
      expect.stringMatching(/^user: <environment>[\s\S]*who am I\?$/),
    ])
    expect((await sessions()).map(outline)).toEqual([whole])
  })

  it('with the model used last, unless another is named', async () => {
    const { pipe, server } = await begun()
    server.reply(say('A.'), say('B.'), say('C.'))
    await pipe(['-c', '-m', 'fake/other', 'a'])
    await pipe(['-c', 'b'])
    await pipe(['c'])
    const models = server.requests.map(({ body }) => body.model)
    expect(models).toEqual(['model-1', 'other', 'other', 'model-1'])
  })

  it('in a copy with --fork, without changing the source', async () => {
    const { pipe, server, sessions, first, file } = await begun()
    const before = await readFile(file)
    server.reply(say('Ann.'))
    expectRun(await pipe(['--fork', first.id, 'who am I?']), { stdout: 'Ann.\n' })
    expect(await readFile(file)).toEqual(before)
    expect((await sessions()).map(outline)).toEqual([earlier, whole])
  })

  it('only in its own folder with -c', async () => {
    const { pipe, put } = await begun()
    await put('elsewhere/a.txt', '')
    const run = await pipe(['-C', 'elsewhere', '-c', 'who am I?'])
    expectRun(run, { code: 42, stdout: '', stderr: expect.stringContaining('no earlier session in') })
  })

  it('under a name given with -s', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(say('Hello Ann.'), say('Ann.'))
    await pipe(['-s', 'ann', 'I am Ann'])
    await pipe(['-s', 'ann', 'who am I?'])
    expect((await sessions()).map((session) => [session.id, outline(session)])).toEqual([['ann', whole]])
  })
})

describe('a session', () => {
  it('is a private file in a private folder, and its lock is released', async () => {
    const { home, file, first } = await begun()
    const modes = await Promise.all(
      [join(home, 'sessions'), file].map(async (path) => (await stat(path)).mode & 0o777),
    )
    expect(modes).toEqual([0o700, 0o600])
    expect(await readdir(join(home, 'sessions'))).toEqual([`${first.id}.json`])
  })

  it('is not saved with --no-session', async () => {
    const { pipe, server, home } = await openWorld()
    server.reply(say('Hello.'))
    const run = await pipe(['--no-session', '--json', 'hi'])
    expectRun(run, { stdout: expect.any(String) })
    expect(JSON.parse(run.stdout)).not.toHaveProperty('session_id')
    expect((await readdir(home)).sort()).toEqual(['audit', 'config.json'])
  })

  it('takes the name of its copy from -s, unless there is one of that name', async () => {
    const { pipe, server, sessions, first } = await begun()
    server.reply(say('Ann.'))
    expectRun(await pipe(['--fork', first.id, '-s', 'copy', 'who am I?']), { stdout: 'Ann.\n' })
    expect((await sessions()).map((session) => [session.id, outline(session)])).toEqual([
      [first.id, earlier],
      ['copy', whole],
    ])
    expectRun(await pipe(['-r', first.id, '--fork-session', '-s', 'copy', 'and I?']), {
      code: 42,
      stdout: '',
      stderr: complaint('copy'),
    })
  })

  it('begins unsaved with --no-session and a name that no session has', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(say('Hello.'))
    expectRun(await pipe(['--no-session', '-s', 'ann', 'hi']), { stdout: 'Hello.\n' })
    expect(await sessions()).toEqual([])
  })

  it.each([
    ['-c', () => ['-c']],
    ['-r', () => ['-r']],
    ['--fork', () => ['--fork']],
    ['-s', (id: string) => ['-s', id]],
  ])('is read but not written with --no-session %s', async (_, flags) => {
    const { pipe, server, sessions, first, file } = await begun()
    server.reply(say('Ann.'))
    const before = await readFile(file, 'utf8')
    expectRun(await pipe(['--no-session', ...flags(first.id), 'who am I?']), { stdout: 'Ann.\n' })
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('I am Ann')
    expect((await sessions()).map(outline)).toEqual([earlier])
    expect(await readFile(file, 'utf8')).toBe(before)
  })

  it('is listed for its folder, newest first', async () => {
    const { pipe, server, sessions } = await begun()
    server.reply(say('Hello Bob.'))
    await pipe(['I am\nBob'])
    const [ann, bob] = await sessions()
    const line = (id: string | undefined, said: string) =>
      `${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  +\\d+(\\.\\d)? kB  ${said}\n`
    const lines = new RegExp(`^${line(bob?.id, 'I am Bob')}${line(ann?.id, 'I am Ann')}$`)
    for (const args of [['sessions'], ['sessions', 'list']]) {
      expectRun(await pipe(args), { stdout: expect.stringMatching(lines) })
    }
    expectRun(await pipe(['-C', '/', 'sessions']), { stdout: '' })
  })

  it('is shown as text, without the environment that pipe adds', async () => {
    const { pipe, put, server } = await openWorld()
    await put('a.txt', 'one\ntwo\n')
    server.reply(use(['read', { path: 'a.txt' }], ['read', { path: 'b.txt' }]), say('Two lines.'))
    await pipe(['-s', 'count', 'how many lines\nhas a.txt?'])
    expectRun(await pipe(['sessions', 'show', 'count']), {
      stdout: expect.stringMatching(
        /^> how many lines\n> has a\.txt\?\n\n• read a\.txt\n {2}✓ 1\tone\n {4}2\ttwo\n\n• read b\.txt\n {2}✗ [\s\S]*b\.txt[\s\S]*\n\nTwo lines\.\n\n$/,
      ),
    })
    const { stdout } = await pipe(['sessions', 'show', 'count', '-o', 'json'])
    expect(JSON.parse(stdout).messages.map(({ type }: { readonly type: string }) => type)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'tool_result',
      'assistant',
    ])
  })

  it('SESS-333: from a newer version is refused with the version’s name and left unchanged', async () => {
    const { pipe, first, file } = await begun()
    const text = (await readFile(file, 'utf8')).replace('"version": 1', '"version": 7')
    await writeFile(file, text)
    const run = await pipe(['-s', first.id, 'who am I?'])
    expectRun(run, { code: 42, stdout: '', stderr: expect.stringMatching(/^pipe: [^\n]*version 7[^\n]*\n$/) })
    expect(run.stderr).toContain(`${first.id}.json`)
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('with an unknown or invalid id is an error, not a prompt', async () => {
    const { pipe, server } = await begun()
    const stderr = complaint('no session 99fe; pipe sessions lists those of this folder')
    for (const flag of ['-r', '--resume', '--fork'])
      expectRun(await pipe([flag, '99fe', 'hi']), { code: 42, stdout: '', stderr })
    const path = complaint('not a session id: "../../etc/passwd"')
    expectRun(await pipe(['-r', '../../etc/passwd']), { code: 42, stdout: '', stderr: path })
    expect(server.requests).toHaveLength(1)
  })

  it.each(['../../etc/passwd', '$(id)', '/etc/passwd', '..'])('SESS-336: cannot be named %j', async (id) => {
    const { pipe, server, home } = await openWorld()
    for (const flag of ['--resume', '--session', '--fork']) {
      const stderr = complaint(`not a session id: ${JSON.stringify(id)}`)
      expectRun(await pipe([`${flag}=${id}`, 'who am I?']), { code: 42, stdout: '', stderr })
    }
    expect([server.requests, await readdir(home)]).toEqual([[], ['config.json']])
  })

  it('held by another process is refused, with its process id and a hint', async () => {
    const { pipe, start, server, first, file } = await begun()
    const asked = deferred()
    const answer = deferred()
    server.reply(async (_, response) => {
      asked.resolve()
      await answer.promise
      response.writeHead(400).end('{"error":{"message":"late"}}')
    }, say('Ann.'))
    const holder = start(['-c', 'who am I?'])
    await asked.promise
    const run = await pipe(['-c', 'and I?'])
    expectRun(run, { code: 42, stdout: '', stderr: expect.stringMatching(/^pipe: [^\n]*--fork[^\n]*\n$/) })
    expect(run.stderr).toMatch(new RegExp(`\\b${holder.pid}\\b`))
    expectRun(await pipe(['--fork', first.id, 'and I?']), { stdout: 'Ann.\n' })
    answer.resolve()
    expectRun(await holder.ended, { code: 42, stdout: '', stderr: expect.stringContaining('late') })
    expect(await readFile(file, 'utf8')).toContain('who am I?')
  })
})
