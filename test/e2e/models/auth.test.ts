import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'

const size = { columns: 100, rows: 24 }

async function keysOf(home: string): Promise<unknown> {
  const { keys } = JSON.parse(await readFile(join(home, 'auth.json'), 'utf8'))
  return keys
}

describe('pipe auth', () => {
  it('stores the first line of stdin, lists names and removes them, and shows no key', async () => {
    const { pipe, home, server } = await openWorld()
    const path = join(home, 'auth.json')
    expectRun(await pipe(['auth', 'set', 'openai'], { input: ' sk-secret-1 \nmore\n' }), {
      stdout: `the key for openai is stored in ${path}\n`,
    })
    expectRun(await pipe(['auth', 'set', 'fake'], { input: 'sk-secret-2' }), {
      stdout: `the key for fake is stored in ${path}\n`,
    })
    expect(await keysOf(home)).toEqual({ openai: 'sk-secret-1', fake: 'sk-secret-2' })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expectRun(await pipe(['auth', 'list']), { stdout: 'fake\nopenai\n' })
    expectRun(await pipe(['auth', 'remove', 'openai']), {
      stdout: `the key for openai was removed from ${path}\n`,
    })
    expectRun(await pipe(['auth', 'list']), { stdout: 'fake\n' })
    expect(await keysOf(home)).toEqual({ fake: 'sk-secret-2' })
    expect(server.requests).toEqual([])
  })

  it('reads one line from a stdin that stays open', async () => {
    const { start, home } = await openWorld()
    const run = start(['auth', 'set', 'openai'], { input: 'open' })
    await run.write('sk-1\n')
    expectRun(await run.ended, { stdout: `the key for openai is stored in ${home}/auth.json\n` })
    expect(await keysOf(home)).toEqual({ openai: 'sk-1' })
  })

  it('prints the source of each key, never the key', async () => {
    const { pipe } = await openWorld()
    const env = { ANTHROPIC_API_KEY: 'sk-secret-1', GOOGLE_API_KEY: 'sk-secret-2' }
    expectRun(await pipe(['auth', 'set', 'anthropic'], { input: 'sk-secret-3', env }), {
      stdout: expect.stringContaining('is stored in'),
      stderr: 'pipe: ANTHROPIC_API_KEY is set and overrides it\n',
    })
    await pipe(['auth', 'set', 'mistral'], { input: 'sk-secret-4' })
    const { stdout, stderr, code } = await pipe(['auth', 'status'], { env })
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout).not.toContain('secret')
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(lines).toEqual(
      expect.arrayContaining([
        ['fake', 'none needed'],
        ['anthropic', 'ANTHROPIC_API_KEY, which overrides auth.json'],
        ['gemini', 'GOOGLE_API_KEY'],
        ['mistral', 'auth.json'],
        ['ollama', 'none needed'],
        ['azure', 'none: export AZURE_OPENAI_API_KEY=… or pipe auth set azure'],
      ]),
    )
    expectRun(await pipe(['auth'], { env }), { stdout })
  })

  it('makes a file that others can read private, with a warning', async () => {
    const { pipe, home } = await openWorld()
    const path = join(home, 'auth.json')
    await writeFile(path, '{"version": 1, "keys": {"openai": "sk-1"}}')
    await chmod(path, 0o664)
    expectRun(await pipe(['auth', 'list']), {
      stdout: 'openai\n',
      stderr: `pipe: ${path} was open to other users (mode 664); only you can access it now\n`,
    })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('names a broken file and leaves it unchanged', async () => {
    const { pipe, home } = await openWorld()
    const path = join(home, 'auth.json')
    await writeFile(path, '{"version": 1, "keys": ["sk-secret"]}', { mode: 0o600 })
    for (const args of [['list'], ['status'], ['set', 'openai'], ['remove', 'openai']]) {
      expectRun(await pipe(['auth', ...args], { input: 'sk-2\n' }), {
        code: 52,
        stdout: '',
        stderr: complaint(`${path} is damaged: expected`),
      })
    }
    expect(await readFile(path, 'utf8')).toBe('{"version": 1, "keys": ["sk-secret"]}')
  })

  it.each([
    ['', 'no key was given; nothing was stored'],
    ['\nsk-1\n', 'no key was given; nothing was stored'],
    ['sk 1\n', 'a key has only ASCII characters'],
    ['sk\u001b[A1\n', 'a key has only ASCII characters'],
  ])('does not store %j', async (input, words) => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['auth', 'set', 'openai'], { input }), {
      code: 42,
      stdout: '',
      stderr: complaint(words),
    })
    expectRun(await pipe(['auth', 'list']), { stdout: '' })
  })

  it.each([
    [['set', 'mistrl'], 2, 'unknown provider mistrl; did you mean mistral? Known: fake, anthropic, '],
    [['set', 'fak'], 2, 'unknown provider fak; did you mean fake?'],
    [['set', 'openai', 'sk-secret'], 2, 'a key on the command line is visible'],
    [['set'], 2, 'pipe auth set needs PROVIDER'],
    [['remove', 'mistral'], 52, 'no key is stored for mistral'],
  ])('%j ends with %i', async (args, code, words) => {
    const { pipe, server } = await openWorld()
    const run = await pipe(['auth', ...args], { input: 'sk-1\n' })
    expectRun(run, { code, stdout: '', stderr: complaint(words) })
    expect(run.stderr).not.toContain('sk-secret')
    expect(server.requests).toEqual([])
  })
})

describe('a stored key', () => {
  it('is sent if the environment has none, and is never printed or saved', async () => {
    const { pipe, configure, server, sessions } = await openWorld()
    const fake = { dialect: 'openai-chat', base_url: server.baseUrl, api_key_env: 'FAKE_KEY' }
    await configure({ model: 'fake/m', providers: { fake } })
    await pipe(['auth', 'set', 'fake'], { input: 'sk-secret-1' })
    server.reply(say('Yes.'), say('Yes.'))
    const stored = await pipe(['-v', '-o', 'stream-json', 'hi'])
    const given = await pipe(['hi'], { env: { FAKE_KEY: 'sk-secret-2' } })
    expect([stored.code, given.code]).toEqual([0, 0])
    expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer sk-secret-1',
      'Bearer sk-secret-2',
    ])
    server.reply({ status: 401, body: '{"error": {"message": "wrong key sk-secret-1"}}' })
    const refused = await pipe(['hi'])
    expect(refused.code).toBe(41)
    expect(JSON.stringify([stored, given, refused, await sessions()])).not.toContain('secret')
  })
})

describe('pipe auth set on a terminal', () => {
  it('hides the typed key, and restores the terminal', async () => {
    const world = await openWorld()
    const screen = openScreen(world, 'pipe auth set openai; echo "ended $?"; stty -a', size)
    await screen.until(/Key for openai \(hidden\):$/)
    screen.type('sk-wrong\u0015sk-secret\u007ft\r')
    await screen.until(/the key for openai is stored in .*[\s\S]*ended 0[\s\S]* icanon [\s\S]* echo /)
    expect(screen.raw()).not.toMatch(/sk-|secre/)
    expect(await keysOf(world.home)).toEqual({ openai: 'sk-secret' })
  })

  it('exits 130 on Ctrl-C and stores nothing', async () => {
    const world = await openWorld()
    const screen = openScreen(world, 'pipe auth set openai; echo "ended $?"; stty -a', size)
    await screen.until(/Key for openai/)
    screen.type('sk-1\u0003')
    await screen.until(/ended 130[\s\S]* icanon [\s\S]* echo /)
    expectRun(await world.pipe(['auth', 'list']), { stdout: '' })
  })
})
