import { renameSync, symlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openScreen } from '../../support/terminals/screen.ts'
import { openProject } from './moved-folder-setup.ts'

describe('a folder that was moved', () => {
  it('offers its sessions, and -r ID goes on with one, which belongs to the new place then', async () => {
    const { pipe, server, cwd, at, id } = await openProject()
    const moved = at('moved')
    renameSync(cwd, moved)
    const there = { cwd: moved }
    const offer = `this repository has a session of ${cwd}, which is gone: pipe -r ${id} continues it here, pipe sessions --all lists more`
    expectRun(await pipe(['-c', 'two'], there), {
      code: 42,
      stdout: '',
      stderr: `pipe: no earlier session in ${moved}; ${offer}; start one with: pipe "prompt"\n`,
    })
    expectRun(await pipe(['sessions'], there), { stdout: '', stderr: `pipe: no sessions here; ${offer}\n` })
    server.reply(say('Second.'))
    expectRun(await pipe(['-r', id, 'two'], there), {
      stdout: 'Second.\n',
      stderr: `pipe: session ${id} now belongs to ${moved}, because its folder ${cwd} is gone\n`,
    })
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('First.')
    server.reply(say('Third.'))
    expectRun(await pipe(['-c', 'three'], there), { stdout: 'Third.\n' })
    const { sessions } = JSON.parse((await pipe(['sessions', '--json'], there)).stdout)
    expect(sessions).toMatchObject([{ id, cwd: moved }])
    expect(JSON.parse((await pipe(['sessions', 'show', id, '--json'], there)).stdout)).toMatchObject({
      cwd: moved,
      moved_to: moved,
    })
    expect((await pipe(['sessions', 'search', 'Third'], there)).stdout).toContain(id)
  })

  it('and left a link at the old place is a moved one all the same', async () => {
    const { pipe, server, cwd, at, id } = await openProject()
    renameSync(cwd, at('moved'))
    symlinkSync('moved', cwd)
    expectRun(await pipe(['-c', 'two']), { code: 42, stdout: '', stderr: complaint('no earlier session in') })
    server.reply(say('Second.'))
    await pipe(['-r', id, 'two'])
    server.reply(say('Third.'))
    expectRun(await pipe(['-c', 'three']), { stdout: 'Third.\n' })
  })

  it('without git says how to find them', async () => {
    const { pipe, server, cwd, at, id } = await openProject({ isGit: false })
    renameSync(cwd, at('moved'))
    const there = { cwd: at('moved') }
    const how = 'pipe sessions --all lists those of folders that are gone'
    expectRun(await pipe(['-c', 'two'], there), {
      code: 42,
      stdout: '',
      stderr: `pipe: no earlier session in ${at('moved')}; ${how}; start one with: pipe "prompt"\n`,
    })
    expectRun(await pipe(['sessions'], there), { stdout: '', stderr: `pipe: no sessions here; ${how}\n` })
    expectRun(await pipe(['sessions', 'search', 'First'], there), {
      stdout: '',
      stderr: `pipe: no session holds "First"; ${how}\n`,
    })
    server.reply(say('Second.'))
    await pipe(['-r', id, 'two'], there)
    expect((await pipe(['sessions'], there)).stdout).toContain(id)
  })
})

describe('another folder of the same repository', () => {
  it.each([
    ['a worktree', 'git worktree add -q ../other'],
    ['a clone', 'git clone -q . ../other'],
    ['a copy', 'cp -r . ../other'],
  ])('that is %s only offers the session, which stays where it is', async (_, command) => {
    const { pipe, server, shell, cwd, at, id } = await openProject()
    await shell(command)
    const there = { cwd: at('other') }
    expectRun(await pipe(['-c', 'two'], there), {
      code: 42,
      stdout: '',
      stderr: complaint(
        `no earlier session in ${at('other')}; this repository has a session of ${cwd}: pipe -r ${id} continues it here`,
      ),
    })
    expect(server.requests).toHaveLength(1)
    server.reply(say('Second.'))
    expectRun(await pipe(['-r', id, 'two'], there), { stdout: 'Second.\n' })
    server.reply(say('Third.'))
    expectRun(await pipe(['-c', 'three']), { stdout: 'Third.\n' })
    expect((await pipe(['sessions'], there)).stdout).toBe('')
  })

  it('that is another repository offers none, even if the folder of a session is gone', async () => {
    const { pipe, cwd, at, git, shell } = await openProject()
    await mkdir(at('other'))
    await shell(`cd ../other && git init -q && ${git} commit -q --allow-empty -m other`)
    renameSync(cwd, at('moved'))
    expectRun(await pipe(['-c', 'two'], { cwd: at('other') }), {
      code: 42,
      stdout: '',
      stderr: `pipe: no earlier session in ${at('other')}; pipe sessions --all lists those of folders that are gone; start one with: pipe "prompt"\n`,
    })
  })
})

describe('the list of sessions', () => {
  const size = { columns: 100, rows: 24 }

  it('is that of this folder at Tab, too, if no other folder has a session', async () => {
    const world = await openProject()
    const screen = openScreen(world, 'exec pipe -r', size)
    await screen.until(/❯ one/)
    screen.type('\t')
    await screen.until(/of all folders\?\n›\n {2}this folder[^\n]*\n❯ {3}one [\s\S]*Tab this folder/)
    screen.type('\u001b')
    expect(await screen.ended).toBe(130)
  })
})
