import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/json-value.ts'
import type { PermissionMode } from '../../src/permission.ts'
import { folderWith } from '../support/folders/folder.ts'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'

async function judge(command: string, rules: RuleLists, mode: PermissionMode = 'default', cwd?: string) {
  const policy = testPolicy({ rules, mode, ...(cwd === undefined ? {} : { cwd }) })
  return (await policy.judge(callOf('bash', { command }))).behavior
}

describe('a line that changes to a folder named by a glob', () => {
  it.each([
    'cd sec* && cat key',
    'cd ?ecrets && head key',
    'cd "sec"* && grep -n x key',
    'cd secret[s]/ && cat < key',
    'cd secre{ts,t} && cat key',
    'pushd sec* && cat key',
  ])('reads nothing without a question: %s', async (command) => {
    expect(await judge(command, { deny: ['Read(secrets/**)'] })).not.toBe('allow')
    expect(await judge(command, { deny: ['Read(secrets/**)'] }, 'bypass')).not.toBe('allow')
    expect(await judge(command, {})).toBe('ask')
  })

  it.each([
    'cd sr* && echo x > x.js',
    'cd sr* && rm x.js',
    'cd sr?; cp /tmp/f x.js',
    'cd sr* && tee x.js < a',
  ])('changes nothing that a rule forbids: %s', async (command) => {
    expect(await judge(command, { deny: ['Edit(src/**)'] }, 'bypass')).not.toBe('allow')
  })

  it('follows no link out of the project', async () => {
    const root = await folderWith({ 'outside/key': 'k' })
    await mkdir(join(root, 'project', 'sub'), { recursive: true })
    await symlink(join(root, 'outside', 'key'), join(root, 'project', 'sub', 'notes.txt'))
    await writeFile(join(root, 'project', 'sub', 'own.txt'), 'o')
    for (const folder of ['su*', 'sub']) {
      const command = `cd ${folder} && cat notes.txt`
      expect(await judge(command, {}, 'default', join(root, 'project'))).toBe('ask')
    }
    expect(await judge('cd sub && cat own.txt', {}, 'default', join(root, 'project'))).toBe('allow')
  })
})

describe("a line that names files in a way of its program's own", () => {
  it.each([
    'LANGUAGE=../../../../tmp/p/evil LC_ALL=C.UTF-8 ls nosuch',
    'LANGUAGE=en:/tmp/evil ls nosuch',
    'TZ=:/etc/shadow date',
    'LANGUAGE=de:~/evil ls nosuch',
    'strings @/etc/shadow',
    'strings -n 3 @keys',
  ])('asks: %s', async (command) => {
    expect(await judge(command, {})).toBe('ask')
  })

  it.each([
    'LC_ALL=C.UTF-8 sort a',
    'LANGUAGE=de:en ls',
    'TZ=Europe/Berlin date',
    'TZ=UTC date',
    'strings -n 3 a',
  ])('does not ask if the value names no file: %s', async (command) => {
    expect(await judge(command, {})).toBe('allow')
  })
})

describe('a folder that may only be read', () => {
  async function open(mode: PermissionMode, deny: readonly string[] = []) {
    const root = await folderWith({ 'skill/SKILL.md': 's', 'skill/a/b.txt': 'b', 'key/id': 'k' })
    await symlink(join(root, 'key'), join(root, 'skill', 'away'))
    await mkdir(join(root, 'project'))
    const policy = testPolicy({
      mode,
      rules: { deny },
      cwd: join(root, 'project'),
      readable: () => [join(root, 'skill')],
    })
    const judged = async (tool: string, args: JsonObject) => (await policy.judge(callOf(tool, args))).behavior
    return { root, judged, bash: (command: string) => judged('bash', { command }) }
  }

  it('needs no question to read, whether by a tool or a command', async () => {
    const { root, judged, bash } = await open('default')
    expect(await judged('read', { path: `${root}/skill/SKILL.md` })).toBe('allow')
    expect(await judged('grep', { pattern: 'b', path: `${root}/skill` })).toBe('allow')
    for (const command of ['cat ../skill/a/b.txt', `head ${root}/skill/SKILL.md`, `ls ${root}/skill`])
      expect(await bash(command)).toBe('allow')
  })

  it('opens nothing behind its links or beside it, and nothing that a rule forbids', async () => {
    const { root, judged, bash } = await open('default', ['Read(../skill/a/**)'])
    for (const path of ['skill/away/id', 'skill/../key/id', 'key/id'])
      expect(await judged('read', { path: `${root}/${path}` })).toBe('ask')
    expect(await bash('cat ../skill/away/id')).toBe('ask')
    expect(await bash('cat ../skill/*/id')).toBe('ask')
    expect(await judged('read', { path: `${root}/skill/a/b.txt` })).toBe('deny')
  })

  it('is not written without a question', async () => {
    const { root, judged, bash } = await open('accept-edits')
    expect(await judged('write', { path: `${root}/skill/new.md`, content: '' })).toBe('ask')
    expect(await bash('echo x > ../skill/new.md')).toBe('ask')
    expect(await bash('../skill/run.sh')).toBe('ask')
  })
})

describe("the folder of an agent's notes", () => {
  async function open(options: Partial<Parameters<typeof testPolicy>[0]> = {}, isWritable = true) {
    const root = await folderWith({ 'home/agent-memory/a/MEMORY.md': 'n', 'home/auth.json': 'k' })
    await mkdir(join(root, 'project'))
    const folder = join(root, 'home/agent-memory/a')
    const places = {
      folders: [join(root, 'home')],
      keys: [join(root, 'home/auth.json')],
      memories: [],
      targets: [],
    }
    const policy = testPolicy({
      cwd: join(root, 'project'),
      own: () => places,
      notes: { agent: 'a', folder, isWritable },
      ...options,
    })
    const judged = async (tool: string, args: JsonObject) => (await policy.judge(callOf(tool, args))).behavior
    const write = (path: string) => judged('write', { path: join(folder, path), content: '' })
    return { folder, judged, write }
  }

  it('takes notes without a question, by the tools for files alone', async () => {
    const { folder, judged, write } = await open()
    const edit = { old_text: 'n', new_text: 'm' }
    expect(await judged('edit', { path: join(folder, 'MEMORY.md'), ...edit })).toBe('allow')
    expect(await write('topics/new.md')).toBe('allow')
    for (const path of ['x.sh', '../b/x.md', '../../x.md', '.git/x.md', '.pipe/x.md', 'topics'])
      expect(await write(path)).toBe('ask')
    expect(await judged('bash', { command: `echo x >${folder}/MEMORY.md` })).toBe('ask')
    const away = { from: join(folder, 'MEMORY.md'), to: join(folder, 'OLD.md') }
    expect(await judged('rename', away)).toBe('ask')
  })

  it.each([
    ['plan mode', { mode: 'plan' } as const, 'deny'],
    ['a deny rule', { rules: { deny: ['Edit(**/*.md)'] } }, 'deny'],
    ['a rule that hides it', { rules: { deny: ['Read(**/MEMORY.md)'] } }, 'deny'],
    ['an ask rule', { rules: { ask: ['Edit(**/*.md)'] } }, 'ask'],
    ['a sandbox that only reads', { sandboxed: async () => 'read-only' as const }, 'ask'],
  ])('is outweighed by %s', async (_, options, behavior) => {
    const { write } = await open(options)
    expect(await write('MEMORY.md')).toBe(behavior)
  })

  it('is asked about where it is not to be written', async () => {
    const { write } = await open({}, false)
    expect(await write('MEMORY.md')).toBe('ask')
  })
})
