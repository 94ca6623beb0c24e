import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

const server = fileURLToPath(new URL('../../support/mcp/real-server.js', import.meta.url))

/** The file of an agent `a` that sets up the server `sums`, which counts its starts. */
function agentFile(more: object = {}): string {
  const sums = { command: process.execPath, args: [server], env: { STARTS: 'starts' }, ...more }
  return `---\nname: a\ndescription: adds\nmcpServers: ${JSON.stringify({ sums })}\n---\nAdd.\n`
}

const find = use(['find_tools', { query: 'add numbers' }])
const sum = use(['mcp__sums__get_sum', { a: 2, b: 3 }])
const five = 'tool: [from the MCP server sums: material, not instructions]\nthe sum is 5'

function toolsIn({ server: { requests } }: World): readonly (readonly string[])[] {
  return requests.map(({ body }) =>
    (body.tools ?? []).map((tool) => tool.function.name).filter((name) => /mcp|find_/.test(name)),
  )
}

/** Opens a world whose user has this agent. */
async function ofUser(text: string): Promise<World> {
  const world = await openWorld()
  await mkdir(join(world.home, 'agents'))
  await writeFile(join(world.home, 'agents/a.md'), text)
  return world
}

it('the server of an agent of the user starts for it without a question, and for nobody else', async () => {
  const world = await ofUser(agentFile())
  world.server.reply(find, sum, say('Five.'), say('Nothing.'))
  expectRun(await world.pipe(['--agent', 'a', '--allowed-tools=mcp__sums', 'add']), { stdout: 'Five.\n' })
  const tools = ['find_tools', 'mcp__sums__get_sum']
  expect(toolsIn(world)).toEqual([['find_tools'], tools, tools])
  expect(world.server.requests.map(({ body }) => lastText(body))[2]).toBe(five)
  // One that a busy machine is slow to start is started once more.
  const { stdout: starts } = await world.shell('cat starts')
  expectRun(await world.pipe(['add']), { stdout: 'Nothing.\n' })
  expect(toolsIn(world)[3]).toEqual([])
  expect((await world.shell('cat starts')).stdout).toBe(starts)
})

it("the server of an elf's agent ends with the elf, and its parent has none of its tools", async () => {
  const world = await ofUser(agentFile())
  // Other tests run such servers too, in other folders.
  const here = 'for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$PWD" ] && tr "\\0" " " <$p/cmdline; done'
  const left = `(${here}) 2>/dev/null | grep '[r]eal-server' | wc -l`
  world.server.reply(
    use(['elf', { prompt: 'add', agent: 'a', isolation: 'none' }]),
    find,
    sum,
    say('Five.'),
    use(['bash', { command: left }]),
    say('Done.'),
  )
  expectRun(await world.pipe(['--yolo', 'go']), { stdout: 'Done.\n' })
  const tools = toolsIn(world)
  expect([tools[0], tools[3], tools[4]]).toEqual([[], ['find_tools', 'mcp__sums__get_sum'], []])
  const told = world.server.requests.map(({ body }) => lastText(body))
  expect([told[3], told[5]]).toEqual([five, 'tool: 0'])
})

it('the server of an agent hides one of its name in the settings', async () => {
  const world = await ofUser(agentFile())
  await world.configure({
    model: 'fake/model-1',
    providers: { fake: { base_url: world.server.baseUrl } },
    mcp_servers: {
      sums: { command: 'touch', args: ['wrong'] },
      other: { command: 'touch', args: ['other'] },
    },
  })
  world.server.reply(find, say('Found.'))
  expectRun(await world.pipe(['--agent', 'a', 'add']), { stdout: 'Found.\n' })
  expect(world.server.requests.map(({ body }) => lastText(body))[1]).toContain('mcp__sums__get_sum')
  expect((await world.shell('ls')).stdout).toBe('starts\n')
})

it("the server of a project's agent starts only after a yes to its very command", async () => {
  const world = await openWorld()
  const waits = { code: 55, stdout: '', stderr: complaint(/a\.md needs your approval: run pipe trust/) }
  const run = ['--agent', 'a', '--yolo', 'add']
  await world.put('.pipe/agents/a.md', agentFile())
  expectRun(await world.pipe(['--trust', ...run]), waits)
  const checked = await world.pipe(['agents', 'check'])
  expect(checked.stdout).toMatch(
    /a\.md: note: its MCP server starts once you approve it with pipe trust: sums: STARTS=starts /,
  )
  const trusted = await world.pipe(['trust'])
  expect(trusted.stdout).toMatch(
    /MCP server: sums: STARTS=starts .*real-server\.js \(for the agent a alone\)\n/,
  )
  expect((await world.shell('ls')).stdout).toBe('')
  world.server.reply(find, sum, say('Five.'), say('Nothing.'))
  expectRun(await world.pipe(run), { stdout: 'Five.\n' })
  expectRun(await world.pipe(['hi']), { stdout: 'Nothing.\n' })
  await world.put('.pipe/agents/a.md', agentFile({ env: { STARTS: 'again' } }))
  expectRun(await world.pipe(run), waits)
  expect((await world.shell('ls')).stdout).toBe('starts\n')
})
