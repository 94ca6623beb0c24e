import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentTools } from '../../../src/cli/wiring/tools/known-tools.ts'
import { type AgentFolder, agentFolders } from '../../../src/config/agents/definition-folders.ts'
import { findAgents } from '../../../src/config/agents/find-agents.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { thrown } from '../../support/thrown.ts'

const { signal } = new AbortController()

const agent = (name: string, description = `does ${name}`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBe ${name}.\n`

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

/** A project with its user's config folder. `approves` says which contents the user approved. */
async function openProject(approves: (hash: string) => boolean = () => true) {
  const root = join(await folderWith(), 'project')
  const config = join(await folderWith(), 'config')
  await mkdir(root)
  const home = join(await folderWith(), 'home')
  const folders = agentFolders({ config, home }, { root, approved: (_, hash) => approves(hash) })
  return { root, config, home, folders, find: () => findAgents(folders, { signal, tools: agentTools }) }
}

/** Lists the agents that are not built in, as name and source. */
function named({ agents }: Awaited<ReturnType<typeof findAgents>>): readonly string[] {
  return [...agents.values()]
    .filter(({ source }) => source !== 'builtin')
    .map((one) => `${one.name} ${one.source}`)
}

describe('agents', () => {
  it('come from the project, the user and pipe, the strongest of each name, by name', async () => {
    const { root, config, find } = await openProject()
    await put(join(config, 'agents/a.md'), agent('a'))
    await put(join(config, 'agents/b.md'), agent('b'))
    await put(join(config, 'agents/explore.md'), agent('explore'))
    await put(join(root, '.claude/agents/b.md'), agent('b'))
    await put(join(root, '.claude/agents/c.md'), agent('c'))
    await put(join(root, '.pipe/agents/c.md'), agent('c'))
    await put(join(root, '.pipe/agents/notes.txt'), 'none')
    const found = await find()
    expect([...found.agents.keys()]).toEqual(['a', 'b', 'c', 'explore', 'general', 'review'])
    expect(named(found)).toEqual(['a user', 'b peer', 'c project', 'explore user'])
    expect([found.unapproved, found.notes]).toEqual([
      [],
      [
        {
          path: join(root, '.claude/agents/c.md'),
          text: `hidden by ${join(root, '.pipe/agents/c.md')}, which is also called c`,
          kind: 'note',
        },
        {
          path: join(config, 'agents/b.md'),
          text: `hidden by ${join(root, '.claude/agents/b.md')}, which is also called b`,
          kind: 'note',
        },
      ],
    ])
  })

  it('come from the folders of other agents, and from those below them', async () => {
    const { root, home, find } = await openProject()
    await put(join(root, '.claude/agents/team/review/a.md'), agent('a'))
    await put(join(root, '.claude/agents/node_modules/x/b.md'), agent('b'))
    await put(join(root, '.claude/agents/README.md'), '# About these agents\n')
    await put(join(root, '.agents/agents/c.md'), agent('c'))
    await put(join(root, '.codex/agents/d.toml'), 'name = "d"\ndescription = "does d"\n')
    await put(join(home, '.claude/agents/e.md'), agent('e'))
    await put(join(home, '.codex/agents/f.toml'), 'name = "f"\ndescription = "does f"\n')
    const found = await find()
    expect(named(found)).toEqual(['a peer', 'c peer', 'd peer', 'e user', 'f user'])
    expect(found.notes).toEqual([])
  })

  it('of a project count once their hooks are approved too', async () => {
    const approved = new Set<string>()
    const { root, find } = await openProject((hash) => approved.has(hash))
    const hooks = 'hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ./x'
    await put(join(root, '.claude/agents/a.md'), `---\nname: a\ndescription: b\n${hooks}\n---\n`)
    const [waiting] = (await find()).unapproved
    approved.add(waiting?.hash ?? '')
    expect(named(await find())).toEqual([])
    approved.add(waiting?.hooksHash ?? '')
    expect(named(await find())).toEqual(['a peer'])
  })

  it('of a project do not count before they are approved, and hide no other', async () => {
    const approved = new Set<string>()
    const { root, config, find } = await openProject((hash) => approved.has(hash))
    const path = join(root, '.pipe/agents/a.md')
    await put(join(config, 'agents/a.md'), agent('a'))
    await put(path, agent('a'))
    const first = await find()
    expect([named(first), first.unapproved.map(({ definition }) => definition.path)]).toEqual([
      ['a user'],
      [path],
    ])
    for (const { hash } of first.unapproved) approved.add(hash)
    expect(named(await find())).toEqual(['a project'])
    await put(join(root, '.pipe/agents/copy.md'), agent('a'))
    await put(path, `${agent('a')}More.\n`)
    expect(named(await find())).toEqual(['a user'])
  })

  it('that cannot be used are named with their line, and the others stay usable', async () => {
    const { root, find } = await openProject()
    const folder = join(root, '.pipe/agents')
    const path = (name: string) => join(folder, `${name}.md`)
    await put(path('a'), agent('a'))
    await put(path('b'), agent('a'))
    await put(path('broken'), '---\nname: x\nmode: yolo\n---\n')
    await put(path('large'), agent('large') + 'x'.repeat(64 * 1024))
    await put(path('z\u001b[31m\nforged'), agent('z'))
    execFileSync('mkfifo', [path('pipe')])
    await symlink('nowhere.md', path('dangling'))
    const elsewhere = join(await folderWith(), 'secret.md')
    await put(elsewhere, agent('secret'))
    await symlink(elsewhere, path('out'))
    await put(join(root, 'docs/inside.md'), agent('inside'))
    await symlink('../../docs/inside.md', path('inside'))
    const found = await find()
    expect(named(found)).toEqual(['a project', 'inside project'])
    expect(found.notes).toEqual([
      {
        path: folder,
        text: String.raw`ignored "z\u001b[31m\nforged.md": invisible characters`,
        kind: 'unusable',
      },
      {
        path: path('broken'),
        text: '3: mode takes plan, default, accept-edits, auto, bypass, not "yolo"',
        kind: 'unusable',
      },
      { path: path('dangling'), text: 'it is a broken link', kind: 'unusable' },
      { path: path('large'), text: 'it has more than 65536 bytes', kind: 'unusable' },
      { path: path('out'), text: 'ignored: it leads out of the project', kind: 'unusable' },
      { path: path('pipe'), text: 'it is not a regular file', kind: 'unusable' },
      { path: path('b'), text: `the agent a is already in ${path('a')}`, kind: 'unusable' },
    ])
  })

  it('are at most 300 a folder', async () => {
    const { config, find } = await openProject()
    for (let i = 100; i < 401; i++) await put(join(config, `agents/a${i}.md`), agent(`a${i}`))
    const found = await find()
    expect(named(found)).toHaveLength(300)
    expect(found.agents.has('a400')).toBe(false)
    const text = 'only the first 300 files are read'
    expect(found.notes).toEqual([{ path: join(config, 'agents'), text, kind: 'unusable' }])
  })

  it('are not read in a folder that is a link out of the project, or a pipe', async () => {
    const { root, find } = await openProject()
    const elsewhere = await folderWith()
    await put(join(elsewhere, 'a.md'), agent('a'))
    await mkdir(join(root, '.pipe'))
    await mkdir(join(root, '.claude'))
    await symlink(elsewhere, join(root, '.pipe/agents'))
    execFileSync('mkfifo', [join(root, '.claude/agents')])
    const found = await find()
    expect(named(found)).toEqual([])
    expect(found.notes).toEqual([
      { path: join(root, '.pipe/agents'), text: 'ignored: it leads out of the project', kind: 'unusable' },
    ])
  })

  it('of the user stay theirs if the home folder is the project', async () => {
    const root = await folderWith()
    await put(join(root, '.pipe/agents/a.md'), agent('a'))
    const folders = agentFolders(
      { config: join(root, '.pipe'), home: root },
      { root, approved: () => undefined },
    )
    expect(named(await findAgents(folders, { signal, tools: agentTools }))).toEqual(['a user'])
  })

  it('are not read any more once the run is stopped', async () => {
    const folders: readonly AgentFolder[] = [{ path: await folderWith(), source: 'user' }]
    expect(
      await thrown(() => findAgents(folders, { signal: AbortSignal.abort(), tools: agentTools })),
    ).toMatchObject({ code: 'aborted' })
  })
})
