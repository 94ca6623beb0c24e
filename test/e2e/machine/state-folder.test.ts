import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

/** A world with a file in place of a folder in pipe's home. */
async function openWorldWithout(folder: string): Promise<World> {
  const world = await openWorld()
  await writeFile(join(world.home, folder), '')
  return world
}

/** The lines of the only audit log. */
async function readAudit({ home }: World): Promise<readonly { readonly decision?: string }[]> {
  const folder = join(home, 'audit')
  const [name = ''] = existsSync(folder) ? await readdir(folder) : []
  if (name === '') return []
  const text = await readFile(join(folder, name), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('a folder that cannot be written to', () => {
  it('ends a run that needs a session with 54, and says what to do', async () => {
    const { pipe, home, server } = await openWorldWithout('sessions')
    expectRun(await pipe(['hi']), {
      code: 54,
      stdout: '',
      stderr: complaint(
        `cannot make the folder ${home}/sessions: there is a file in its place; set another folder with PIPE_HOME, or use --no-session`,
      ),
    })
    expect(server.requests).toEqual([])
  })

  it('ends a run with 54 before any request if only the audit log cannot be written', async () => {
    const { pipe, server } = await openWorldWithout('audit')
    server.reply(say('Done.'))
    expectRun(await pipe(['hi']), { code: 54, stdout: '', stderr: complaint('cannot make the folder') })
    expect(server.requests).toEqual([])
  })

  it.each(['sessions', 'audit'])('does not stop a run with --no-session: %s', async (folder) => {
    const { pipe, server } = await openWorldWithout(folder)
    server.reply(use(['bash', { command: 'echo ran' }]), say('Done.'))
    const warning = complaint('this run has no audit log: cannot make the folder')
    expectRun(await pipe(['--no-session', '--yolo', 'hi']), {
      stdout: 'Done.\n',
      stderr: folder === 'audit' ? warning : '',
    })
  })

  it.each(['sessions', 'audit', 'checkpoints'])('is reported as broken by doctor: %s', async (folder) => {
    const { pipe, configure, home } = await openWorldWithout(folder)
    await configure({})
    const { code, stdout } = await pipe(['doctor', '--json'])
    const { checks } = JSON.parse(stdout)
    const broken = checks.filter(({ state }: { readonly state: string }) => state === 'broken')
    expect([code, broken]).toEqual([
      52,
      [
        expect.objectContaining({
          text: `cannot write in ${home}/${folder}: a part of the path is a file, not a folder`,
          remedy: 'set another one with PIPE_HOME',
        }),
      ],
    ])
  })
})

describe('a run with --no-session', () => {
  it('and --no-audit leaves nothing on disk', async () => {
    const { pipe, server, home, temp, cwd } = await openWorld()
    server.reply(use(['bash', { command: 'echo x > made' }]), say('Done.'))
    const input = 'one\n'.repeat(100_000)
    const run = await pipe(['--no-session', '--no-audit', '--yolo', 'hi'], { input })
    expectRun(run, { stdout: 'Done.\n' })
    const left = await Promise.all([home, temp, cwd, dirname(home)].map((folder) => readdir(folder)))
    expect(left).toEqual([['config.json'], [], ['made'], ['bin', 'home', 'project', 'temp']])
  })

  it('leaves its audit log', async () => {
    const { pipe, server, home } = await openWorld()
    server.reply(say('Done.'))
    expectRun(await pipe(['--no-session', 'hi']), { stdout: 'Done.\n' })
    expect(await readdir(home)).toEqual(['audit', 'config.json'])
  })
})

describe('the setting audit', () => {
  const settings = ({ server }: World, audit: string) => ({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
    audit,
  })

  it('off writes no audit log', async () => {
    const world = await openWorld()
    await world.configure(settings(world, 'off'))
    world.server.reply(say('Done.'))
    expectRun(await world.pipe(['hi']), { stdout: 'Done.\n' })
    expect(existsSync(join(world.home, 'audit'))).toBe(false)
  })

  it('cannot be set by a project', async () => {
    const world = await openWorld()
    await world.put('.pipe/config.json', JSON.stringify({ audit: 'off' }))
    world.server.reply(say('Done.'))
    expectRun(await world.pipe(['hi']), {
      stdout: 'Done.\n',
      stderr: complaint('ignored audit: only your own settings set what an audit log keeps'),
    })
    expect((await readAudit(world)).map(({ decision }) => decision)).toContain('user_message')
  })

  it('metadata records the decisions without any text', async () => {
    const world = await openWorld()
    await world.configure(settings(world, 'metadata'))
    world.server.reply(use(['bash', { command: 'echo plum' }]), say('A quince.'))
    expectRun(await world.pipe(['--yolo', 'an apple?']), { stdout: 'A quince.\n' })
    const lines = await readAudit(world)
    expect(lines.slice(1).map(({ decision }) => decision)).toEqual([
      'mode_set',
      'system_context',
      'user_message',
      'tool_call_requested',
      'permission_granted',
      'tool_executed',
      'round_ended',
      'assistant_text',
      'round_ended',
      'turn_ended',
    ])
    expect(JSON.stringify(lines)).not.toMatch(/plum|apple|quince/)
    expect(lines.find(({ decision }) => decision === 'user_message')).toMatchObject({
      message: { type: 'user', content: '' },
      audit: { text_bytes: 9, text_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expectRun(await world.pipe(['audit', 'verify']), {
      stdout: expect.stringContaining('lines, unchanged'),
    })
  })
})
