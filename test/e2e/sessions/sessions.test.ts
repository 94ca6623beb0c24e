import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PendingQuestion } from '../../../src/session.ts'
import { openStore, signal } from '../../json/folder.ts'
import { sessionId } from '../../json/session-id.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt, openScreen } from '../../support/terminals/screen.ts'

/** A world with a saved conversation for each name, the last one written last, and their folder. */
async function saved(...names: readonly string[]) {
  const world = await openWorld()
  for (const name of names) {
    world.server.reply(say('Hello.'))
    expectRun(await world.pipe(['-s', name, `I am ${name}`]), { stdout: 'Hello.\n' })
  }
  return { ...world, folder: join(world.home, 'sessions') }
}

const titleIn = async ({ home }: World, name: string) =>
  JSON.parse(await readFile(join(home, 'sessions', `${name}.json`), 'utf8')).title

const longAgo = Date.parse('2020-01-01T00:00:00Z')

/** Moves a session to so many days before a day long ago. */
async function age(folder: string, name: string, days: number): Promise<void> {
  const path = join(folder, `${name}.json`)
  const then = new Date(longAgo - days * 86_400_000)
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(/("updated_at": )"[^"]*"/, `$1"${then.toISOString()}"`))
  await utimes(path, then, then)
}

/** Opens a question in a session. Its diff is larger than what lists read of a file's end. */
async function ask(folder: string, name: string): Promise<void> {
  const display = { title: 'Allow edit?', description: '+'.repeat(20_000) }
  const id = countingIds().interaction()
  const question: PendingQuestion = {
    callId: 'tc_1',
    interaction: { id, kind: 'confirm', purpose: 'confirm_risky_action', display },
    subject: 'a'.repeat(64),
  }
  const { log } = await openStore(folder).open(sessionId(name), { signal })
  await log.update({ pending: [question] })
  await log.close()
}

/** Writes to a session until the returned function is called. */
async function occupy(folder: string, name: string): Promise<() => Promise<void>> {
  const { log } = await openStore(folder).open(sessionId(name), { signal })
  return () => log.close()
}

describe('sessions list', () => {
  it('has a title at once, marks open questions, and names the folders with --all', async () => {
    const world = await saved('ann', 'bob')
    await world.put('other/a.txt', '')
    world.server.reply(say('Hello.'))
    await world.pipe(['-C', 'other', '-s', 'cem', 'I am cem '.repeat(20)])
    await ask(world.folder, 'bob')
    const row = (id: string, about: string) => `${id}  [-\\d]{10} [:\\d]{5}  +\\d+(\\.\\d)? kB  ${about}\n`
    const cem = `${'I am cem '.repeat(6)}I am…`
    const list = async (...args: readonly string[]) =>
      (await world.pipe(['sessions', 'list', ...args])).stdout
    expect(await list()).toMatch(
      new RegExp(`^${row('bob', '\\[waits for an answer\\] I am bob')}${row('ann', 'I am ann')}$`),
    )
    expect(await list('--all', '-n', '2')).toMatch(
      new RegExp(`^${row('bob', `${world.cwd}  .*I am bob`)}${row('cem', `${world.cwd}/other  ${cem}`)}$`),
    )
    const { sessions } = JSON.parse(await list('--json'))
    expect(sessions).toEqual([
      expect.objectContaining({
        id: 'bob',
        cwd: world.cwd,
        title: 'I am bob',
        pending: 1,
        size: expect.any(Number),
      }),
      expect.objectContaining({ id: 'ann', cwd: world.cwd, title: 'I am ann' }),
    ])
  })

  it('fits a terminal, with short ids and ages', async () => {
    const world = await saved(
      'ann',
      '01960000-0000-7000-8000-000000000000',
      '01960000-0000-7000-9000-000000000000',
    )
    const screen = openScreen(world, 'pipe sessions; pipe sessions delete ann', { columns: 50, rows: 12 })
    await screen.until(/\[y\/N\]/)
    expect(screen.text()).toMatch(
      /^01960000-0000-7000-9 +(now|1 min) +[\d.]+ kB {2}I am \d+…\n01960000-0000-7000-8 .*…\nann {19,22}(now|1 min) .*I am ann\n/,
    )
    screen.type('y\r')
    await screen.until(/deleted: ann {2}I am ann\npipe: audit logs are kept: pipe audit list/)
    expect(existsSync(join(world.folder, 'ann.json'))).toBe(false)
  })
})

describe('sessions rename', () => {
  it('gives a title, or takes it back, and leaves -c with the session written last', async () => {
    const world = await saved('ann', 'bob')
    const torn = join(world.folder, 'ann.json')
    await writeFile(torn, (await readFile(torn)).subarray(0, -10))
    await age(world.folder, 'ann', 2)
    expectRun(await world.pipe(['sessions', 'rename', 'ann', ' My\n', 'own\x07']), {
      stdout: 'ann  My own\n',
    })
    expect(await titleIn(world, 'ann')).toBe('My own')
    world.server.reply(say('Bob.'))
    await world.pipe(['-c', 'who am I?'])
    expect(JSON.stringify(world.server.requests.at(-1)?.body)).toContain('I am bob')
    expectRun(await world.pipe(['sessions', 'rename', 'an', '']), { stdout: 'ann  I am ann\n' })
    expect(await titleIn(world, 'ann')).toBe('I am ann')
  })

  it('of a session that another process writes is refused, as its deletion is', async () => {
    const world = await saved('ann')
    const release = await occupy(world.folder, 'ann')
    const busy = { code: 42, stdout: '', stderr: complaint('session ann is being written by process') }
    expectRun(await world.pipe(['sessions', 'rename', 'ann', 'x']), busy)
    expectRun(await world.pipe(['sessions', 'rm', 'ann', '-y']), busy)
    await release()
    expect(await titleIn(world, 'ann')).toBe('I am ann')
  })
})

describe('sessions delete', () => {
  it('removes all of a session, its undo included, but neither its audit log nor other sessions', async () => {
    const world = await saved('ann', 'ann-2')
    const { pipe, server, folder, home } = world
    server.reply(use(['write', { path: 'a.txt', content: 'a' }]), say('Written.'))
    await pipe(['--yolo', '-r', 'ann', 'write'])
    await mkdir(join(folder, 'ann.blobs'))
    await writeFile(join(folder, 'ann.blobs', 'blob'), 'bytes')
    await writeFile(join(folder, 'ann.torn-20260218T120000.000Z'), '{')
    const nobody = 'pipe sessions delete asks before it deletes, but nobody can be asked here: add --yes'
    expectRun(await pipe(['sessions', 'delete', 'ann']), { code: 2, stdout: '', stderr: complaint(nobody) })
    expectRun(await pipe(['sessions', 'delete', 'ann', 'a']), {
      code: 42,
      stdout: '',
      stderr: complaint('several sessions begin with a: ann, ann-2'),
    })
    expectRun(await pipe(['sessions', 'delete', 'ann', '--dry-run']), {
      stdout: 'would delete: ann  I am ann\n',
    })
    expect((await pipe(['undo', '--list'])).stdout).toContain('write')
    expectRun(await pipe(['sessions', 'delete', 'ann', '--force']), { stdout: 'deleted: ann  I am ann\n' })
    expect(await readdir(folder)).toEqual(['ann-2.json'])
    expectRun(await pipe(['undo', '--list']), { stdout: '', stderr: complaint('no turn can be undone here') })
    expect((await readdir(join(home, 'audit'))).sort()).toEqual(['ann-2.jsonl', 'ann.jsonl'])
    expect((await pipe(['audit', 'verify', 'ann'])).code).toBe(0)
  })

  it('shows no control characters, and completes without the index if the keys cannot be read', async () => {
    const { pipe, folder, home } = await saved('ann')
    const path = join(folder, 'ann.json')
    const hostile = JSON.stringify('\u001b[2Jtitle\u001b]0;x\u0007')
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"I am ann"', hostile))
    const dry = await pipe(['sessions', 'delete', 'ann', '--dry-run'])
    expect(dry.stdout).toMatch(/^would delete: ann {2}[^\p{Cc}]*title[^\p{Cc}]*\n$/u)
    await writeFile(join(home, 'auth.json'), '{', { mode: 0o600 })
    const run = await pipe(['sessions', 'delete', 'ann', '--yes'])
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/words of deleted sessions stay in the index until .*auth\.json/),
    })
    expect(await readdir(folder)).toEqual([])
  })
})

describe('sessions prune', () => {
  it('deletes what is old by age and number, but no session that is in use or waits for an answer', async () => {
    const { pipe, folder } = await saved('busy', 'asks', 'old', 'older', 'new')
    await ask(folder, 'asks')
    for (const [name, days] of [
      ['busy', 100],
      ['asks', 100],
      ['old', 91],
      ['older', 95],
    ] as const)
      await age(folder, name, days)
    const release = await occupy(folder, 'busy')
    await writeFile(join(folder, 'gone.torn-20260218T120000.000Z'), 'torn')
    const dry = await pipe(['sessions', 'prune', '--older-than', '90d', '--keep', '2', '--dry-run', '--json'])
    const kept = [
      { id: 'asks', reason: 'it waits for an answer' },
      { id: 'busy', reason: 'another process is writing it' },
    ]
    const { deleted, ...rest } = JSON.parse(dry.stdout)
    expect([
      deleted.map(({ id }: { readonly id: string }) => id),
      { ...rest, kept: sorted(rest.kept) },
    ]).toEqual([
      ['older'],
      { leftovers: ['gone.torn-20260218T120000.000Z'], kept, bytes: expect.any(Number), dry_run: true },
    ])
    const run = await pipe(['sessions', 'prune', '--older-than', '90d', '--yes'])
    expectRun(run, {
      stdout: 'deleted: old  I am old\ndeleted: older  I am older\ndeleted: gone.torn-20260218T120000.000Z\n',
      stderr: expect.stringMatching(
        /^(pipe: kept: .*\n){2}pipe: deleted 2 sessions and 1 leftover, [\d.]+ kB\n$/,
      ),
    })
    await release()
    expect((await readdir(folder)).sort()).toEqual(['asks.json', 'busy.json', 'new.json'])
    expectRun(await pipe(['sessions', 'prune']), { stdout: '', stderr: 'pipe: deleted nothing\n' })
    expectRun(await pipe(['-C', '/', 'sessions', 'prune', '--keep', '0', '-y']), {
      stdout: '',
      stderr: 'pipe: deleted nothing\n',
    })
  })
})

describe('sessions prune with elves', () => {
  /** Makes a session that of an elf, whose parent has this id. */
  async function below(folder: string, name: string, parent: string): Promise<void> {
    const path = join(folder, `${name}.json`)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace('"id": ', `"parent_session_id": "${parent}", "id": `))
  }

  it('keeps the newest conversations, and deletes elves whose parents go or are missing', async () => {
    const { pipe, folder } = await saved('old', 'old-elf', 'new', 'new-elf', 'newest', 'orphan')
    await below(folder, 'old-elf', 'old')
    await below(folder, 'new-elf', 'new')
    await below(folder, 'orphan', 'nobody')
    expectRun(await pipe(['sessions', 'prune', '--yes']), {
      stdout: '',
      stderr: 'pipe: deleted nothing\n',
    })
    const run = await pipe(['sessions', 'prune', '--keep', '2', '--json', '--yes'])
    const { deleted } = JSON.parse(run.stdout)
    expect(deleted.map(({ id }: { readonly id: string }) => id).sort()).toEqual(['old', 'old-elf', 'orphan'])
    expect((await readdir(folder)).sort()).toEqual(['new-elf.json', 'new.json', 'newest.json'])
  })
})

describe('a conversation on a terminal', () => {
  it('is named by the route fast in the background, and by /rename', async () => {
    const world = await saved()
    const { server, configure } = world
    await configure({
      model: 'fake/model-1',
      routes: { fast: 'fake/quick' },
      providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
    })
    server.reply(say('The clock is wrong.'), say('A wrong clock'))
    const screen = await openPrompt(world, { columns: 100, rows: 20 })
    screen.type('why does login fail?\r')
    const titles = async () => (await world.sessions()).map((session) => session['title'])
    await expect.poll(titles).toEqual(['A wrong clock'])
    expect(server.requests.map(({ body }) => [body.model, body.tools === undefined])).toEqual([
      ['model-1', false],
      ['quick', true],
    ])
    screen.type('/rename  My own\r')
    await screen.until(/title: My own/)
    expect(await titles()).toEqual(['My own'])
    screen.type('/rename\r')
    await screen.until(/\/rename needs a title, as in/)
  })
})

function sorted(list: readonly { readonly id: string }[]): readonly object[] {
  return [...list].sort((a, b) => (a.id < b.id ? -1 : 1))
}
