import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import { fetchPackage, type WantedPackage } from '../../src/npm/fetch-package.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { folderWith } from '../support/folders/folder.ts'
import { startRegistry } from '../support/npm/registry.ts'
import { tarballOf } from '../support/npm/tarball.ts'
import { quickIt as it, slowIt } from '../support/thorough.ts'

const searchPath = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`

async function fetched(
  wanted: WantedPackage,
  {
    env = {},
    bytes = 1024 * 1024,
    path = searchPath,
  }: { env?: Readonly<Record<string, string>>; bytes?: number; path?: string } = {},
) {
  // Settings of a project above, which must not count.
  const home = await folderWith({
    'plugins/package.json': '{}',
    'plugins/.npmrc': 'registry=http://127.0.0.1:1/\nignore-scripts=false\n',
  })
  const into = join(home, 'plugins/files')
  const commands = createCommandRunner({ clock: systemClock })
  onTestFinished(() => commands.close())
  const { signal } = new AbortController()
  const options = {
    commands,
    searchPath: path,
    env: { HOME: home, ...env },
    most: { entries: 100, bytes },
    signal,
  }
  const version = await fetchPackage(wanted, into, options).finally(() =>
    expect(existsSync(`${into}.npm`)).toBe(false),
  )
  return { into, version }
}

/** Packs a folder with the real npm. */
async function packed(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const folder = await folderWith(files)
  const env = { PATH: searchPath, HOME: await folderWith({}), npm_config_update_notifier: 'false' }
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  const [{ filename }] = JSON.parse(said)
  return readFileSync(join(folder, filename))
}

const plain = (text: string) => tarballOf([{ path: 'package/a.md', content: text }])

it('a package is fetched with the real npm, and none of its scripts runs', async () => {
  const registry = await startRegistry()
  const mark = join(await folderWith({}), 'ran')
  const scripts = Object.fromEntries(
    ['preinstall', 'install', 'postinstall', 'prepare', 'prepack', 'postpack'].map((name) => [
      name,
      `touch ${mark}`,
    ]),
  )
  const document = { name: '@acme/tools', version: '1.2.0', scripts, dependencies: { other: '1.0.0' } }
  const tarball = await packed({
    'package.json': JSON.stringify(document),
    'skills/s/SKILL.md': 'text',
    '.claude-plugin/plugin.json': '{}',
  })
  registry.publish({ name: '@acme/tools', version: '1.2.0', tarball, fields: document })
  const { into, version } = await fetched({ package: '@acme/tools', registry: registry.url })
  expect(version).toBe('1.2.0')
  expect(readdirSync(into, { recursive: true }).sort()).toEqual([
    ...['.claude-plugin', '.claude-plugin/plugin.json', 'package.json'],
    ...['skills', 'skills/s', 'skills/s/SKILL.md'],
  ])
  expect(existsSync(mark)).toBe(false)
  expect(registry.requests.some((path) => path.includes('other'))).toBe(false)
})

slowIt('a version, a range and a tag are fetched', async () => {
  const registry = await startRegistry()
  for (const version of ['1.0.0', '1.4.2', '2.0.0'])
    registry.publish({ name: 'tools', version, tarball: plain(version) })
  const wanted = { package: 'tools', registry: registry.url }
  for (const [version, got] of [
    ['1.0.0', '1.0.0'],
    ['^1.0.0', '1.4.2'],
    ['latest', '2.0.0'],
  ] as const) {
    const { into, version: found } = await fetched({ ...wanted, version })
    expect([found, readFileSync(join(into, 'a.md'), 'utf8')]).toEqual([got, got])
  }
})

slowIt('what differs from the integrity of the registry, or has none, is refused', async () => {
  const registry = await startRegistry()
  const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
  registry.publish({ name: 'lie', version: '1.0.0', tarball: plain('a'), integrity })
  registry.publish({ name: 'silent', version: '1.0.0', tarball: plain('a'), integrity: null })
  registry.publish({ name: 'weak', version: '1.0.0', tarball: plain('a'), integrity: '' })
  const from = (name: string) => fetched({ package: name, registry: registry.url })
  await expect(from('lie')).rejects.toThrow('EINTEGRITY')
  await expect(from('silent')).rejects.toThrow('states no integrity of silent@1.0.0')
  await expect(from('weak')).rejects.toThrow('states no integrity')
})

it('an npm that fetches something else than the registry states is not believed', async () => {
  const other = plain('other').toString()
  const bin = await folderWith({
    npm: `#!/bin/sh
if [ "$1" = pack ]; then printf x > t.tgz; echo '[{"name":"tools","version":"1.0.0","filename":"t.tgz"}]'
else echo '{"version":"1.0.0","dist":{"integrity":"sha512-${Buffer.from(other).toString('base64').slice(0, 80)}"}}'; fi
`,
  })
  execFileSync('chmod', ['+x', join(bin, 'npm')])
  await expect(fetched({ package: 'tools' }, { path: `${bin}:/usr/bin:/bin` })).rejects.toThrow(
    'tools@1.0.0 is not what the registry states: its sha512 differs',
  )
})

it('a package that is missing, too large or a bomb is refused, and a missing npm is named', async () => {
  const registry = await startRegistry()
  const noise = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919 * ((i >> 3) + 1)) % 251))
  registry.publish({
    name: 'large',
    version: '1.0.0',
    tarball: tarballOf([{ path: 'package/a', content: noise }]),
  })
  const zeros = tarballOf([{ path: 'package/a', content: Buffer.alloc(3_000_000, 'ab\ncd') }])
  registry.publish({ name: 'bomb', version: '1.0.0', tarball: zeros })
  const { url } = registry
  await expect(fetched({ package: 'none', registry: url })).rejects.toThrow('npm pack: E404')
  await expect(fetched({ package: 'large', registry: url }, { bytes: 20_000 })).rejects.toThrow()
  await expect(fetched({ package: 'bomb', registry: url })).rejects.toThrow('its files are too large')
  await expect(fetched({ package: 'bomb', registry: url }, { path: '/nowhere' })).rejects.toThrow(
    'npm is not installed',
  )
})

slowIt(
  'the settings of a project above are not read, and a scope of the user does not replace the named registry',
  async () => {
    const [named, other] = [await startRegistry(), await startRegistry()]
    named.publish({ name: '@acme/x', version: '1.0.0', tarball: plain('named') })
    other.publish({ name: '@acme/x', version: '9.0.0', tarball: plain('other') })
    const userconfig = join(
      await folderWith({
        npmrc: `@acme:registry=${other.url}\n//${new URL(other.url).host}/:_authToken=secret\n`,
      }),
      'npmrc',
    )
    const env = { npm_config_userconfig: userconfig }
    expect((await fetched({ package: '@acme/x', registry: named.url }, { env })).version).toBe('1.0.0')
    expect(named.requests.join()).not.toContain('secret')
    expect((await fetched({ package: '@acme/x' }, { env })).version).toBe('9.0.0')
    expect(other.requests.join()).toContain('secret')
  },
)
