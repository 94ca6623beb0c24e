import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { startRegistry } from '../../support/npm/registry.ts'
import { tarballOf } from '../../support/npm/tarball.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'
import { skillFile } from './plugin-setup.ts'

/** A plugin as a package, with scripts that must not run. */
function packageOf(body: string, mark: string): Uint8Array {
  const scripts = { preinstall: `touch ${mark}`, postinstall: `touch ${mark}`, prepare: `touch ${mark}` }
  return tarballOf([
    { path: 'package/package.json', content: JSON.stringify({ scripts, dependencies: { other: '1' } }) },
    { path: 'package/.claude-plugin/plugin.json', content: '{"name":"tools"}' },
    { path: 'package/skills/far/SKILL.md', content: skillFile('far', body) },
  ])
}

it('a package of npm is shown, added, pinned, and updated after a yes', async () => {
  const world = await openWorld()
  const mark = join(world.cwd, 'ran')
  const registry = await startRegistry()
  // A project's own npm and settings are not used.
  await world.put('.git/HEAD', 'ref: refs/heads/main\n')
  await world.put('.npmrc', 'registry=http://127.0.0.1:1/\n')
  await world.put('bin/npm', `#!/bin/sh\ntouch ${mark}\n`)
  await world.shell('chmod +x bin/npm')
  const env = {
    npm_config_registry: registry.url,
    PATH: `${join(world.cwd, 'bin')}:${world.env['PATH']}`,
    ANTHROPIC_API_KEY: 'key',
  }
  registry.publish({ name: '@acme/tools', version: '1.0.0', tarball: packageOf('One', mark) })
  const asked = await world.pipe(['plugin', 'add', 'npm:@acme/tools'], { env })
  expect([asked.code, asked.stdout]).toEqual([2, ''])
  expect(asked.stderr).toContain('the plugin tools from npm:@acme/tools (version 1.0.0)')
  expect(asked.stderr).toContain('skill tools:far: does far')
  expect(asked.stderr).toContain('note: the packages that its package.json needs are not installed')
  expectRun(await world.pipe(['plugin', 'add', 'npm:@acme/tools', '--yes'], { env }), {
    stdout: 'added: tools\n',
    stderr: expect.any(String),
  })
  expect((await world.pipe(['plugin', 'list'])).stdout).toMatch(/tools +1\.0\.0 +on +npm:@acme\/tools/)
  expectRun(await world.pipe(['plugin', 'update', 'tools'], { env }), { stdout: 'up to date: tools\n' })
  registry.publish({ name: '@acme/tools', version: '1.1.0', tarball: packageOf('Two', mark) })
  const update = await world.pipe(['plugin', 'update', 'tools'], { env })
  expect([update.code, update.stderr]).toEqual([2, expect.stringContaining('  ~ skills/far/SKILL.md')])
  expect(update.stderr).toContain('version 1.0.0 becomes 1.1.0')
  expect((await world.pipe(['skills', 'show', 'tools:far'])).stdout).toContain('One')
  await world.pipe(['plugin', 'update', 'tools', '--yes'], { env })
  expect((await world.pipe(['skills', 'show', 'tools:far'])).stdout).toContain('Two')
  world.server.reply(say('Hi.'))
  await world.pipe(['/tools:far'])
  expect(existsSync(mark)).toBe(false)
  expect(readdirSync(join(world.home, 'plugins')).filter((name) => name.startsWith('staging'))).toEqual([])
})

slowIt('a marketplace lists packages with their version and registry', async () => {
  const world = await openWorld()
  const registry = await startRegistry()
  const mark = join(world.cwd, 'ran')
  for (const version of ['1.0.0', '2.0.0'])
    registry.publish({ name: 'tools', version, tarball: packageOf(version, mark) })
  registry.publish({
    name: 'links',
    version: '1.0.0',
    tarball: tarballOf([{ path: 'package/skills', kind: '2', target: '/etc' }]),
  })
  const npm = { source: 'npm', registry: registry.url }
  const plugins = [
    { name: 'far', source: { ...npm, package: 'tools', version: '^1.0.0' } },
    { name: 'links', source: { ...npm, package: 'links' } },
    { name: 'none', source: { ...npm, package: 'none' } },
  ]
  const market = JSON.stringify({ name: 'market', owner: { name: 'A' }, plugins })
  const tarball = tarballOf([{ path: 'package/.claude-plugin/marketplace.json', content: market }])
  registry.publish({ name: '@acme/market', version: '1.0.0', tarball })
  const env = { npm_config_registry: registry.url }
  expectRun(await world.pipe(['plugin', 'marketplace', 'add', 'npm:@acme/market'], { env }), {
    stdout: 'added: the marketplace market with 3 plugins\n',
  })
  const added = await world.pipe(['plugin', 'add', 'far@market', '--yes'])
  expect(added.stdout).toBe('added: far\n')
  expect(added.stderr).toContain(
    `the plugin far from the marketplace market, npm:tools@^1.0.0 from ${registry.url} (version 1.0.0)`,
  )
  const links = await world.pipe(['plugin', 'add', 'links@market', '--yes'])
  expect([links.code, links.stderr]).toEqual([42, expect.stringContaining('"skills" is a link')])
  const none = await world.pipe(['plugin', 'add', 'none@market', '--yes'])
  expect([none.code, none.stderr]).toEqual([expect.any(Number), expect.stringContaining('npm pack: E404')])
  expect(none.code).not.toBe(0)
})
