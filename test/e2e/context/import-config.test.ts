import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

async function peer(): Promise<World> {
  const world = await openWorld()
  const servers = { files: { command: 'npx', args: ['-y', 'files'], env: { TOKEN: 'very-secret' } } }
  await writeFile(join(world.cwd, '../.claude.json'), JSON.stringify({ mcpServers: servers, theme: 'dark' }))
  return world
}

const shown = '~/.claude.json\n  + MCP server files: npx -y files (TOKEN=***)\n'
const config = (world: World) => readFile(join(world.home, 'config.json'), 'utf8')

it('pipe import-config shows without secrets what it takes over, and takes it once', async () => {
  const world = await peer()
  const before = await config(world)
  expectRun(await world.pipe(['import-config', 'claude', '--dry-run']), { stdout: shown })
  expectRun(await world.pipe(['import-config']), {
    code: 2,
    stdout: shown,
    stderr:
      'pipe: pipe asks before it adds settings, but nobody can be asked here: add --yes, or --dry-run to see them\n',
  })
  expect(await config(world)).toBe(before)
  expectRun(await world.pipe(['mcp', 'import', '--yes']), {
    stdout: `${shown}added 1 to ~/home/config.json\n`,
  })
  expect(JSON.parse(await config(world))).toMatchObject({
    model: 'fake/model-1',
    mcp_servers: { files: { command: 'npx', args: ['-y', 'files'], env: { TOKEN: 'very-secret' } } },
  })
  expect((await stat(join(world.home, 'config.json'))).mode & 0o777).toBe(0o600)
  expectRun(await world.pipe(['import-config', '-y']), { stdout: 'nothing to copy\n' })
})

it('pipe import-config refuses an agent that it does not know, and leaves broken settings alone', async () => {
  const world = await peer()
  expect((await world.pipe(['import-config', 'other'])).code).toBe(2)
  await world.configure('{ "model": ')
  expect((await world.pipe(['import-config', '--yes'])).code).toBe(52)
  expect(await config(world)).toBe('{ "model": ')
})
