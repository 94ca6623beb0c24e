import { renameSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { openScreen } from '../../support/terminals/screen.ts'
import { openProject } from './moved-folder-setup.ts'

describe('the list of sessions', () => {
  const size = { columns: 100, rows: 24 }

  it('shows those of all folders at Tab, the ones of this folder and repository first, and goes back', async () => {
    const world = await openProject()
    const { pipe, server, shell, at, id } = world
    await shell('git worktree add -q ../tree')
    await mkdir(at('plain'))
    for (const [folder, prompt] of [
      ['tree', 'in the tree'],
      ['plain', 'elsewhere'],
    ] as const) {
      server.reply(say('Fine.'))
      await pipe([prompt], { cwd: at(folder) })
    }
    const screen = openScreen(world, 'cd ../tree; exec pipe -r', size)
    await screen.until(/Continue which conversation\?\n›\n❯ in the tree[\s\S]*Tab all folders/)
    screen.type('\t')
    await screen.until(
      /of all folders\?\n›\n {2}this folder[^\n]*\n❯ {3}in the tree [^\n]*\n {2}this repository elsewhere[^\n]*\n {4}one [^\n]* project[\s\S]*other folders[^\n]*\n {4}elsewhere [^\n]* plain[\s\S]*Tab this folder/,
    )
    screen.type('\t')
    await screen.until(/Continue which conversation\?\n›\n❯ in the tree/)
    screen.type('\t')
    await screen.until(/ {4}one /)
    screen.type('\u001b[B')
    await screen.until(/❯ {3}one /)
    screen.type('\r')
    await screen.until(/▌ one\n\n {2}First\./)
    screen.type('/resume\r')
    await screen.until(/Continue which conversation\?\n›\n❯ in the tree/)
    screen.type('\t')
    await screen.until(
      /of all folders\?\n›\n {2}this folder[^\n]*\n❯ {3}in the tree[\s\S]* {2}other folders[^\n]*\n {4}elsewhere/,
    )
    screen.type('\u001b')
    await screen.until(/First\.\n\n─+\n›/)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    expect(screen.text()).toContain(`resume with: pipe -r ${id}`)
  })

  it('begins with those of the repository in a folder that was moved', async () => {
    const world = await openProject()
    const { cwd, at, id } = world
    renameSync(cwd, at('moved'))
    await mkdir(cwd)
    const screen = openScreen(world, 'cd ../moved; rmdir ../project; exec pipe -r', size)
    await screen.until(/of all folders\?\n›\n {2}this repository[^\n]*\n❯ {3}one /)
    screen.type('\r')
    await screen.until(/▌ one\n\n {2}First\./)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    const { sessions } = JSON.parse((await world.pipe(['sessions', '--json'], { cwd: at('moved') })).stdout)
    expect(sessions).toMatchObject([{ id, cwd: at('moved') }])
  })
})
