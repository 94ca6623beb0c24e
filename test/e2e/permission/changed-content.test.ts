import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

/** Something of a project that counts once a user has approved it as it is. */
interface Approved {
  readonly kind: string
  readonly path: string
  readonly text: string
  /** One byte of the text, with what stands around it, and another one in its place. */
  readonly change: readonly [from: string, to: string]
  /** The line of `pipe trust` about it. */
  readonly line: RegExp
  /** Whether it counts. */
  counts(world: World): Promise<boolean>
}

/** Whether a run starts what leaves a file `ran`. */
async function runs(world: World, args: readonly string[] = []): Promise<boolean> {
  world.server.reply(use(['find_tools', {}]), say('Done.'))
  await world.pipe([...args, '--yolo', 'go'])
  return (await world.shell('rm ran')).code === 0
}

async function allows(world: World): Promise<boolean> {
  const judged = ['touch a', 'touch b'].map(async (command) =>
    (await world.pipe(['permissions', 'check', '--command', command])).stdout.startsWith('allow'),
  )
  return (await Promise.all(judged)).includes(true)
}

const agent = (field: string) => `---\nname: a\ndescription: b\n${field}\n---\nBe it.\n`
const server = { command: 'sh', args: ['-c', 'touch ran; exit 1'] }
const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: 'touch ran' }] }] }
const rules = JSON.stringify({ permissions: { allow: ['Bash(touch a)'] } })
const asAgent = ['--agent', 'a']
const exit: Approved['change'] = ['exit 1', 'exit 2']
const touch: Approved['change'] = ['touch ran', 'touch  ran']

const table: readonly Approved[] = [
  {
    kind: 'a server',
    path: '.mcp.json',
    text: JSON.stringify({ theirs: server }),
    change: exit,
    line: /^MCP server: theirs: sh -c 'touch ran; exit \d'$/m,
    counts: (world) => runs(world),
  },
  {
    kind: 'the server of an agent',
    path: '.claude/agents/a.md',
    text: agent(`mcpServers: ${JSON.stringify({ theirs: server })}`),
    change: exit,
    line: /^MCP server: theirs: sh -c 'touch ran; exit \d' \(for the agent a alone\)$/m,
    counts: (world) => runs(world, asAgent),
  },
  {
    kind: 'a hook of .pipe',
    path: '.pipe/config.json',
    text: JSON.stringify({ hooks }),
    change: touch,
    line: /^hook: SessionStart: touch +ran /m,
    counts: (world) => runs(world),
  },
  {
    kind: 'a hook of .claude',
    path: '.claude/settings.json',
    text: JSON.stringify({ hooks }),
    change: touch,
    line: /^hook: SessionStart: touch +ran /m,
    counts: (world) => runs(world),
  },
  {
    kind: 'the hook of an agent',
    path: '.claude/agents/a.md',
    text: agent(`hooks: ${JSON.stringify(hooks)}`),
    change: touch,
    line: /^hook: SessionStart: touch +ran /m,
    counts: (world) => runs(world, asAgent),
  },
  {
    kind: 'an agent',
    path: '.pipe/agents/a.md',
    text: agent('maxTurns: 3'),
    change: ['Be it.', 'Be it!'],
    line: /^agent: a \(/m,
    counts: async (world) => {
      world.server.reply(say('Done.'))
      return (await world.pipe([...asAgent, 'go'])).code === 0
    },
  },
  {
    kind: 'an import from outside',
    path: 'AGENTS.md',
    text: 'Rules: @~/notes1.md',
    change: ['notes1', 'notes2'],
    line: /^import: .*notes\d\.md$/m,
    counts: async (world) => {
      world.server.reply(say('Done.'))
      await world.pipe(['go'])
      return JSON.stringify(world.server.requests.at(-1)?.body).includes('Private notes.')
    },
  },
  {
    kind: 'an allow rule of .pipe',
    path: '.pipe/config.json',
    text: rules,
    change: ['touch a', 'touch b'],
    line: /^allowed: Bash\(touch .\)$/m,
    counts: allows,
  },
  {
    kind: 'an allow rule of .claude',
    path: '.claude/settings.json',
    text: rules,
    change: ['touch a', 'touch b'],
    line: /^allowed: Bash\(touch .\)$/m,
    counts: allows,
  },
]

async function openOffering({ path, text }: Approved): Promise<World> {
  const world = await openWorld()
  await world.put('.git/HEAD', '')
  await world.put(path, text)
  for (const name of ['notes1', 'notes2']) await writeFile(join(world.cwd, `../${name}.md`), 'Private notes.')
  return world
}

describe('what pipe trust has approved', () => {
  it.each(table)(
    'counts no longer once one byte has changed, and is asked about again: $kind',
    async (one) => {
      const world = await openOffering(one)
      expect(await one.counts(world)).toBe(false)
      expect((await world.pipe(['trust'])).stdout).toMatch(one.line)
      expect(await one.counts(world)).toBe(true)
      await world.put(one.path, one.text.replace(...one.change))
      expect(await one.counts(world)).toBe(false)
      const screen = await openPrompt(world, { columns: 120, rows: 40 })
      screen.type('go\r')
      await screen.until(/Allow what this folder asks for\?/)
      expect((await world.pipe(['trust'])).stdout).toMatch(one.line)
      expect(await one.counts(world)).toBe(true)
    },
  )

  it('covers no text: a skill and a command count as they are now, and still start and allow nothing', async () => {
    const world = await openWorld()
    await world.put('.git/HEAD', '')
    await world.put('.claude/skills/mend/SKILL.md', '---\nname: mend\ndescription: Mends\n---\nMend it.\n')
    await world.put('.claude/commands/go.md', 'Go on.')
    await world.pipe(['trust'])
    const fields = 'allowed-tools: Bash(touch ran)\nhooks: {"SessionStart": []}'
    await world.put(
      '.claude/skills/mend/SKILL.md',
      `---\nname: mend\ndescription: Mends\n${fields}\n---\n!\`touch ran\`\n`,
    )
    await world.put('.claude/commands/go.md', `---\n${fields}\n---\n!\`touch ran\`\n`)
    for (const prompt of ['/skill:mend', '/go']) {
      world.server.reply(use(['bash', { command: 'touch ran' }]), say('Not allowed.'))
      expectRun(await world.pipe([prompt]), {
        stdout: 'Not allowed.\n',
        stderr: expect.stringContaining('denied'),
      })
    }
    expect((await world.shell('ls')).stdout).toBe('')
  })
})
