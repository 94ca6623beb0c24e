import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/folders/folder.ts'
import { outlineRequest, say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'
import { recordOf, skillFile } from './plugin-setup.ts'

const place = (key: string) => `\${user_config.${key}}`

/** A plugin that asks for a secret and a region. */
const asking: Readonly<Record<string, string>> = {
  '.claude-plugin/plugin.json': JSON.stringify({
    name: 'asking',
    userConfig: {
      token: { type: 'string', title: 'Token', sensitive: true, required: true },
      region: { type: 'string', title: 'Region', default: 'eu' },
    },
    mcpServers: {
      api: {
        type: 'http',
        url: `http://127.0.0.1:1/${place('region')}`,
        headers: { 'X-Key': place('token') },
      },
    },
    hooks: {
      SessionStart: [
        {
          hooks: [
            {
              type: 'command',
              command: `printf 'hook %s %s' "$CLAUDE_PLUGIN_OPTION_REGION" ${place('region')}`,
            },
          ],
        },
        {
          hooks: [
            {
              type: 'command',
              command: 'sh',
              args: ['-c', `printf "length %s" "\${#1}"`, 'sh', place('token')],
            },
          ],
        },
      ],
    },
  }),
  'skills/deploy/SKILL.md': skillFile('deploy', `Deploy to ${place('region')} with ${place('token')}`),
}

const secret = 'tok-$HOME-12345'

async function added(more: readonly string[] = ['--config', `token=${secret}`]): Promise<World> {
  const world = await openWorld()
  const run = await world.pipe(['plugin', 'add', await folderWith(asking), '--yes', ...more])
  expectRun(run, { stdout: 'added: asking\n', stderr: expect.any(String) })
  expect(run.stderr).not.toContain(secret)
  return world
}

describe('what a plugin asks the user for', () => {
  it('goes to its hooks, servers and texts; a secret into a file of the user alone, and nowhere else', async () => {
    const world = await added(['--config', `token=${secret}`, '--config', 'region=us; echo evil'])
    const path = join(world.home, 'plugins', 'options', 'asking.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ token: secret, region: 'us; echo evil' })
    world.server.reply(say('Deployed.'))
    expectRun(await world.pipe(['/asking:deploy']), { stdout: 'Deployed.\n' })
    const sent = world.server.requests.map(({ body }) => outlineRequest(body).join('\n')).join('\n')
    // A value is a word, or several, and never a command.
    expect(sent).toContain('hook us; echo evil us;')
    expect(sent).toContain(`length ${secret.length}`)
    expect(sent).toContain(`Deploy to us; echo evil with ${place('token')}`)
    expect(sent).not.toContain(secret)
    for (const words of [
      ['mcp'],
      ['mcp', 'show', 'plugin:asking:api'],
      ['hooks', 'list'],
      ['plugin', 'show', 'asking'],
      ['plugin', 'config', 'asking'],
      ['doctor'],
    ]) {
      const { stdout, stderr } = await world.pipe(words)
      expect(stdout + stderr).not.toContain(secret)
    }
    expect((await world.pipe(['plugin', 'config', 'asking'])).stdout).toBe(
      'token: set (Token)\nregion: us; echo evil (Region)\n',
    )
    const log = await world.shell(`cat ${world.home}/audit/*`)
    expect(log.stdout).toContain('hook_ran')
    expect(log.stdout).not.toContain(secret)
  })

  it('is named while it is missing, and set later', async () => {
    const world = await openWorld()
    const run = await world.pipe(['plugin', 'add', await folderWith(asking), '--yes'])
    expect(run.stderr).toContain('asking needs token: pipe plugin config asking --config token=VALUE sets it')
    expect((await world.pipe(['doctor'])).stdout).toContain('user_config.token is not set')
    expectRun(await world.pipe(['plugin', 'config', 'asking', '--config', 'token=x']), {
      stdout: 'token: set (Token)\nregion: eu (Region)\n',
    })
    expect((await world.pipe(['doctor'])).stdout).not.toContain('is not set: pipe plugin')
    expectRun(await world.pipe(['plugin', 'config', 'asking', '--config', 'tokn=x']), {
      code: 2,
      stdout: '',
      stderr: complaint(/does not ask for "tokn": did you mean token\?/),
    })
    expectRun(await world.pipe(['plugin', 'remove', 'asking']), { stdout: 'removed: asking\n' })
    expect(existsSync(join(world.home, 'plugins', 'options', 'asking.json'))).toBe(false)
  })

  it.runIf(hasTerminal)('is asked for on a terminal, a secret without echo', async () => {
    const world = await openWorld()
    const screen = await openTerminal(world, `pipe plugin add ${await folderWith(asking)}; echo code $?`)
    await screen.until(/Add the plugin asking\? \[y\/N\]/)
    await screen.line('y')
    await screen.until(/Token \(token, string\):/)
    await screen.line('hidden-one')
    await screen.until(/Region \(region, string\) \[eu\]:/)
    await screen.line('')
    await screen.until(/added: asking\s+code 0/)
    const path = join(world.home, 'plugins', 'options', 'asking.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ token: 'hidden-one' })
  })
})

describe('the plugins that a plugin needs', () => {
  const plugin = (name: string, more: object = {}) => JSON.stringify({ name, ...more })

  async function withMarketplace(): Promise<World> {
    const world = await openWorld()
    const folder = await folderWith({
      '.claude-plugin/marketplace.json': JSON.stringify({
        name: 'ours',
        plugins: ['top', 'middle', 'base'].map((name) => ({ name, source: `./${name}` })),
      }),
      'top/.claude-plugin/plugin.json': plugin('top', { dependencies: ['middle', 'elsewhere'] }),
      'middle/.claude-plugin/plugin.json': plugin('middle', {
        dependencies: [{ name: 'base', version: '^1' }, 'top'],
      }),
      'base/.claude-plugin/plugin.json': plugin('base'),
      'base/skills/deep/SKILL.md': skillFile('deep', 'Dig.'),
    })
    expectRun(await world.pipe(['plugin', 'marketplace', 'add', folder]), {
      stdout: expect.any(String),
      stderr: expect.any(String),
    })
    return world
  }

  it('are shown and added by the same question; those that nobody has are named', async () => {
    const world = await withMarketplace()
    const asked = await world.pipe(['plugin', 'add', 'top@ours'])
    expect(asked.code).toBe(2)
    expect(asked.stderr).toMatch(
      /the plugin top from[\s\S]*the plugin middle from[\s\S]*the plugin base from[\s\S]*skill base:deep: does deep/,
    )
    expect(asked.stderr).toContain(
      'top needs elsewhere, which is missing: no marketplace that you added lists it',
    )
    expect(JSON.parse(readFileSync(recordOf(world), 'utf8')).plugins).toEqual({})
    expectRun(await world.pipe(['plugin', 'add', 'top@ours', '--yes']), {
      stdout: 'added: base, which top needs\nadded: middle, which top needs\nadded: top\n',
      stderr: expect.any(String),
    })
  })
})
