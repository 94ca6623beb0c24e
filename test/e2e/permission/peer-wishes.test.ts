import { existsSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

const file = '.claude/settings.json'

interface Wishes {
  readonly additionalDirectories?: readonly string[]
  readonly defaultMode?: string
}

const wish = (world: World, permissions: Wishes) => world.put(file, JSON.stringify({ permissions }))

/** A world whose project asks for this, with the folders `near` and `other` beside it. */
async function asking(permissions: Wishes): Promise<World & { at(name: string): string }> {
  const world = await openWorld()
  const at = (name: string) => join(world.cwd, '..', name)
  for (const name of ['near', 'other']) await mkdir(at(name))
  await world.put('.git/HEAD', '')
  await wish(world, permissions)
  return { ...world, at }
}

const check = async (world: World, tool: 'read' | 'edit', path: string) =>
  (await world.pipe(['permissions', 'check', '--tool', tool, '--path', path])).stdout.split(':')[0]

it('a folder and a looser mode are named and left out until they are approved', async () => {
  const world = await asking({ additionalDirectories: ['../near'], defaultMode: 'acceptEdits' })
  const near = world.at('near')
  const judged = async () => [
    await check(world, 'read', join(near, 'x')),
    await check(world, 'edit', join(near, 'x')),
    await check(world, 'edit', 'x'),
  ]
  expect(await judged()).toEqual(['ask', 'ask', 'ask'])
  // Trust for one run approves nothing that nobody has seen.
  const write = use(['write', { path: join(near, 'x'), content: 'x' }])
  world.server.reply(write, say('Done.'))
  expectRun(await world.pipe(['-p', '--trust', 'go']), {
    stdout: 'Done.\n',
    stderr: expect.stringContaining(
      `${file}: not approved, so ignored: mode accept-edits, the folder ${near}; pipe trust shows and approves it`,
    ),
  })
  expect(existsSync(join(near, 'x'))).toBe(false)
  expectRun(await world.pipe(['trust']), {
    stdout: `trusted: ${world.cwd}\nfolder: ${near}\nmode: accept-edits\n`,
    stderr: expect.any(String),
  })
  expect(await judged()).toEqual(['allow', 'allow', 'allow'])
  world.server.reply(write, say('Done.'))
  expectRun(await world.pipe(['-p', 'go']), { stdout: 'Done.\n' })
  expect(existsSync(join(near, 'x'))).toBe(true)
  expect(JSON.stringify(world.server.requests.at(-1)?.body.messages)).toContain(`also to work in: ${near}`)
  const audit = await world.pipe(['audit', 'show', 'trust', '--json'])
  expect(JSON.parse(audit.stdout)).toMatchObject({
    entries: [{ audit: { folders: [near], modes: ['accept-edits'] } }],
  })
})

it('a link that leads elsewhere after the yes, and a longer list, are asked about again', async () => {
  const world = await asking({ additionalDirectories: ['link'] })
  const [near, other] = [world.at('near'), world.at('other')]
  await symlink(near, join(world.cwd, 'link'))
  await world.pipe(['trust'])
  expect(await check(world, 'read', join(near, 'x'))).toBe('allow')
  await rm(join(world.cwd, 'link'))
  await symlink(other, join(world.cwd, 'link'))
  expect(await check(world, 'read', join(other, 'x'))).toBe('ask')
  await wish(world, { additionalDirectories: ['../near', '../other'], defaultMode: 'auto' })
  expect([await check(world, 'read', join(near, 'x')), await check(world, 'read', join(other, 'x'))]).toEqual(
    ['allow', 'ask'],
  )
  expect(await check(world, 'edit', 'x')).toBe('ask')
})

it('a stricter mode of the user ends the approval of a looser one', async () => {
  const world = await asking({ defaultMode: 'acceptEdits' })
  await world.pipe(['trust'])
  expect(await check(world, 'edit', 'x')).toBe('allow')
  await world.configure({ permissions: { mode: 'plan' } })
  expect(await check(world, 'edit', 'x')).toBe('deny')
})

it('no project gets the home, protected folders or a mode without questions', async () => {
  const world = await asking({
    additionalDirectories: ['/', '/etc', '~', '~/.ssh', '..', 'link'],
    defaultMode: 'bypassPermissions',
  })
  await mkdir(world.at('.ssh'))
  await symlink(world.at('.ssh'), join(world.cwd, 'link'))
  expectRun(await world.pipe(['trust']), { stdout: `trusted: ${world.cwd}\n`, stderr: expect.any(String) })
  expect(await check(world, 'read', world.at('.ssh/id'))).toBe('ask')
  expect(await check(world, 'edit', 'x')).toBe('ask')
  world.server.reply(say('Done.'))
  const { stderr } = await world.pipe(['-p', '-v', 'go'])
  expect(stderr).toContain('additionalDirectories: "/": it contains your home folder')
  expect(stderr).toContain(
    'additionalDirectories: "link": hidden folders contain keys and programs that run later',
  )
  expect(stderr).toContain('no effect here: permissions.defaultMode')
})

it('settings of a subfolder ask for nothing', async () => {
  const world = await asking({ additionalDirectories: ['../near'] })
  await world.put(
    `sub/${file}`,
    JSON.stringify({ permissions: { additionalDirectories: ['/work', '../../other'] } }),
  )
  const inSub = await world.pipe(['trust', '-C', 'sub'])
  expect(inSub.stdout).toBe(`trusted: ${world.cwd}\nfolder: ${world.at('near')}\n`)
  world.server.reply(say('Done.'))
  expectRun(await world.pipe(['-p', 'go'], { cwd: join(world.cwd, 'sub') }), { stdout: 'Done.\n' })
})

it('a name in the list forges no line', async () => {
  const world = await asking({ additionalDirectories: ['../near\npipe: trusted', '\u001b[2J'] })
  world.server.reply(say('Done.'))
  const run = await world.pipe(['-p', '-v', '--trust', 'go'])
  expect(run.stderr).not.toMatch(/^pipe: trusted/m)
  expect(run.stderr).not.toContain('\u001b')
})

it('a yes on the screen counts in that very conversation', async () => {
  const world = await asking({ additionalDirectories: ['../near'], defaultMode: 'acceptEdits' })
  const path = join(world.at('near'), 'x')
  world.server.reply(use(['write', { path, content: 'x' }]), say('Done.'))
  const screen = await openPrompt(world, { rows: 40, columns: 120 })
  screen.type('go\r')
  await screen.until(/Use this folder\?[\s\S]*\/near\n[\s\S]*1: accept-edits[\s\S]*❯/)
  screen.type('y')
  await screen.until(/▌ go[\s\S]*Done\.[\s\S]*accept edits ·/)
  expect(existsSync(path)).toBe(true)
})

it('a folder that is no repository is asked about too', async () => {
  const world = await openWorld()
  await mkdir(join(world.cwd, '../near'))
  await wish(world, { additionalDirectories: ['../near'] })
  const screen = await openPrompt(world, { rows: 40, columns: 120 })
  screen.type('go\r')
  await screen.until(/Use this folder\?[\s\S]*\/near\n[\s\S]*❯/)
  screen.type('n')
  world.server.reply(say('Done.'))
  await screen.until(/▌ go[\s\S]*Done\./)
  // A user who said no is not told again.
  world.server.reply(say('Done.'))
  expectRun(await world.pipe(['-p', 'go']), { stdout: 'Done.\n' })
})
