import { expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openTerminal } from '../../support/terminals/terminal.ts'

const file = '.claude/settings.json'

async function project(settings: object): Promise<World> {
  const world = await openWorld()
  await world.put('.git/HEAD', '')
  await world.put(file, JSON.stringify(settings))
  return world
}

const check = async (world: World, ...words: readonly string[]) =>
  (await world.pipe(['permissions', 'check', ...words])).stdout.split(':')[0]

it('another agent’s deny and ask rules apply untrusted, and its allow rules once they are approved', async () => {
  const world = await project({
    permissions: { deny: ['Read(./.env)', 'Agent(x)'], ask: ['Bash(git push:*)'], allow: ['Bash(npm test)'] },
    env: { A: '1' },
  })
  const judged = async () => [
    await check(world, '--tool', 'read', '--path', '.env'),
    await check(world, '--command', 'git push'),
    await check(world, '--command', 'npm test'),
  ]
  expect(await judged()).toEqual(['deny', 'ask', 'ask'])
  expectRun(await world.pipe(['trust']), {
    stdout: `trusted: ${world.cwd}\nallowed: Bash(npm test)\n`,
    stderr: expect.any(String),
  })
  expect(await judged()).toEqual(['deny', 'ask', 'allow'])
  await world.put(file, JSON.stringify({ permissions: { allow: ['Bash(npm test)', 'Bash(rm:*)'] } }))
  expect(await judged()).toEqual(['allow', 'ask', 'ask'])
})

it('a run with -v says what was taken, what differs and what has no effect', async () => {
  const world = await project({ permissions: { deny: ['Bash(rm'] }, model: 'opus' })
  world.server.reply(say('Done.'))
  const path = `${world.cwd}/${file}`
  expectRun(await world.pipe(['-p', '-v', '--trust', 'go']), {
    stdout: 'Done.\n',
    stderr: expect.stringContaining(
      `pipe: ${path}: the deny rule "Bash(rm" cannot be read, so pipe asks about every use of Bash\n`,
    ),
  })
  world.server.reply(say('Done.'))
  const { stderr } = await world.pipe(['-p', '-v', '--trust', 'go'])
  expect(stderr).toContain(
    'pipe: rules of .claude/settings.json apply: 1 ask\npipe: .claude/settings.json: no effect here: model\n',
  )
})

it('a file that is broken is named once, by a run and by reports on hooks', async () => {
  const world = await project({})
  await world.put(file, '{"hooks": ')
  const named = (text: string) => text.split('not valid JSON').length - 1
  world.server.reply(say('Done.'))
  const runs = [
    await world.pipe(['-p', '--trust', 'go']),
    await world.pipe(['hooks', 'list']),
    await world.pipe(['hooks', 'test', 'Stop']),
    await world.pipe(['doctor']),
  ]
  expect(runs.map(({ stdout, stderr }) => named(stdout + stderr))).toEqual([1, 1, 1, 1])
  expect(runs[0]?.stderr).toContain('its rules and hooks do not apply')
})

it('a project may forbid the mode bypass: no flag and no command turns it on', async () => {
  const world = await project({ permissions: { disableBypassPermissionsMode: 'disable' } })
  world.server.reply(use(['bash', { command: 'touch made' }]), say('Done.'))
  const run = await world.pipe(['--yolo', 'go'])
  expect(run.stderr).toContain(`${world.cwd}/${file} forbids the mode bypass: the mode is default`)
  expect((await world.shell('ls')).stdout).toBe('')
  const terminal = await openTerminal(world, 'TERM=dumb pipe --trust')
  await terminal.until(/>$/)
  await terminal.line('/mode bypass')
  await terminal.until(/forbids the mode bypass \(permissions[^>]*>$/)
})

it('a server of .mcp.json that the project turns off is neither offered nor started', async () => {
  const world = await project({ disabledMcpjsonServers: ['db'] })
  const server = { command: 'touch', args: ['started'] }
  await world.put('.mcp.json', JSON.stringify({ mcpServers: { db: server, web: server } }))
  expect((await world.pipe(['trust'])).stdout.match(/MCP server: \w+/g)).toEqual(['MCP server: web'])
  const rows = (await world.pipe(['mcp', 'list'])).stdout.trim().split('\n')
  expect(rows.map((row) => row.split(/\s/)[0])).toEqual(['NAME', 'web'])
})
