import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/folder.ts'
import { callOf, type RuleLists, testPolicy } from '../support/policy.ts'

/** A home with a project in it, and links of the project: name to target, relative to home. */
async function world(links: Readonly<Record<string, string>> = {}) {
  const home = await folderWith({
    'proj/a.txt': '',
    '.ssh/id_rsa': '',
    '.aws/credentials': '',
    'proj-evil/x': '',
  })
  const cwd = join(home, 'proj')
  for (const [name, target] of Object.entries(links)) await symlink(join(home, target), join(cwd, name))
  const judge = async (
    tool: string,
    path: string,
    rules: RuleLists = {},
    mode: 'default' | 'accept-edits' = 'default',
  ) => (await testPolicy({ cwd, home, rules, mode }).judge(callOf(tool, { path }))).behavior
  const judgeLine = async (
    command: string,
    rules: RuleLists = {},
    mode: 'default' | 'accept-edits' = 'default',
  ) => (await testPolicy({ cwd, home, rules, mode }).judge(callOf('bash', { command }))).behavior
  return { home, cwd, judge, judgeLine }
}

const secret = { deny: ['Read(~/.ssh/**)'] }

describe('a path', () => {
  it('PATH-190: is forbidden where the link or what it leads to is', async () => {
    const { judge, judgeLine } = await world({ key: '.ssh/id_rsa' })
    expect(await judge('read', 'key', secret)).toBe('deny')
    expect(await judge('read', 'key', { deny: ['Read(key)'] })).toBe('deny')
    expect(await judge('edit', 'key', secret)).toBe('deny')
    expect(await judge('grep', 'key', secret)).toBe('deny')
    expect(await judgeLine('cat key', secret)).toBe('deny')
    expect(await judgeLine('echo x > key', secret)).toBe('deny')
  })

  it('PATH-191, PATH-192: of a new file is where its nearest folder or its link leads', async () => {
    const { home, judge, judgeLine } = await world({ out: '.aws', dangling: 'newfile' })
    expect(await judge('write', 'out/new.txt', {}, 'accept-edits')).toBe('ask')
    expect(await judge('write', 'dangling', {}, 'accept-edits')).toBe('ask')
    expect(await judge('write', 'dangling', { allow: ['Edit(dangling)'] })).toBe('ask')
    expect(await judge('write', 'dangling', { allow: ['Edit(dangling)', `Edit(/${home}/newfile)`] })).toBe(
      'allow',
    )
    expect(await judge('write', 'sub/new.txt', {}, 'accept-edits')).toBe('allow')
    expect(await judgeLine('echo x > dangling', {}, 'accept-edits')).toBe('ask')
    expect(await judgeLine('echo x > sub/new.txt', {}, 'accept-edits')).toBe('allow')
  })

  it.each(
    (
      '.git/hooks/pre-commit .git/config .GIT/config sub/.git .gitmodules .bashrc .zshrc .profile .gitconfig .ripgreprc .mcp.json ' +
      '.vscode/tasks.json .idea/x .envrc .npmrc .yarnrc.yml .pipe/config.json .Pipe/x .husky/pre-commit ./sub/../.mcp.json'
    ).split(' '),
  )('PATH-194: %s is asked about where edits are accepted, and whatever a rule allows', async (path) => {
    const { judge, judgeLine } = await world()
    expect(await judge('write', path, {}, 'accept-edits')).toBe('ask')
    expect(await judge('edit', path, { allow: ['Edit'] })).toBe('ask')
    expect(await judgeLine(`echo x > ${path}`, { allow: ['Edit', 'Bash'] }, 'accept-edits')).toBe('ask')
    expect(await judge('read', path)).toBe('allow')
  })

  it.each(['.gitignore', '.github/workflows/ci.yml', '.env', 'git/config', 'bashrc', '..foo'])(
    '%s is a file like any other',
    async (path) => {
      const { judge } = await world()
      expect(await judge('write', path, {}, 'accept-edits')).toBe('allow')
    },
  )

  it('PATH-197: outside of the project is asked about, by whatever way it leads there', async () => {
    const { home, judge, judgeLine } = await world({ out: '.aws' })
    for (const path of [
      '/proc/self/root/etc/shadow',
      '/etc/hosts',
      '../proj-evil/x',
      '~/.ssh/id_rsa',
      'out/credentials',
      '..',
    ]) {
      expect([path, await judge('read', path), await judgeLine(`cat ${path}`)]).toEqual([path, 'ask', 'ask'])
    }
    for (const path of ['a.txt', '.', '..foo/x', join(home, 'proj/a.txt'), '~/proj/a.txt', '../proj/a.txt']) {
      expect([path, await judge('read', path), await judgeLine(`cat ${path}`)]).toEqual([
        path,
        'allow',
        'allow',
      ])
    }
  })

  it('PATH-198: below a forbidden folder is forbidden, a trailing slash or not, in any case', async () => {
    const { judge, judgeLine } = await world()
    for (const rule of [
      'Read(~/.aws/)',
      'Read(~/.aws)',
      'Read(~/.aws/**)',
      'read(~/.AWS/*)',
      'Read($HOME/.aws/**)',
    ]) {
      expect([rule, await judge('read', '~/.aws/credentials', { deny: [rule] })]).toEqual([rule, 'deny'])
      expect([rule, await judgeLine('head -1 ~/.aws/credentials', { deny: [rule] })]).toEqual([rule, 'deny'])
    }
    expect(await judge('glob', '~/.aws', { deny: ['Read(~/.aws/**)'] })).toBe('deny')
    expect(await judgeLine('tar cf - ~/.aws', { deny: ['Read(~/.aws/**)'] })).toBe('deny')
    expect(await judgeLine('grep -r key ~', { deny: ['Read(~/.aws/**)'], allow: ['Bash'] })).toBe('ask')
  })

  it('PATH-199: of an allow rule begins at cwd, of a deny rule anywhere', async () => {
    const { judge } = await world()
    const rules = { allow: ['Edit(src/**)'] }
    expect(await judge('edit', 'src/x.js', rules)).toBe('allow')
    expect(await judge('edit', './src/a/../b/x.js', rules)).toBe('allow')
    expect(await judge('edit', 'vendor/pkg/src/x.js', rules)).toBe('ask')
    expect(await judge('edit', 'src/../../x.js', rules)).toBe('ask')
    expect(await judge('edit', 'vendor/pkg/src/x.js', { deny: ['Edit(src/**)'] })).toBe('deny')
    expect(await judge('read', 'vendor/pkg/src/x.js', { deny: ['Edit(src/**)'] })).toBe('allow')
  })

  it('PATH-200: that is forbidden can be told, so that a search leaves it out', async () => {
    const { cwd, home } = await world()
    const policy = testPolicy({ cwd, home, rules: { deny: ['Read(.env)', 'Edit(x)'] } })
    expect(
      ['.env', 'sub/.env', join(cwd, '.env'), 'a.env', 'x'].map((path) => policy.forbidsReading(path)),
    ).toEqual([true, true, true, false, false])
  })

  it('of a rule begins where its slashes say', async () => {
    const { home, cwd } = await world()
    const judge = async (text: string, path: string) => {
      const rule = { text, behavior: 'deny', source: 'project', folder: join(home, 'proj-evil') } as const
      const { createPolicy } = await import('../../src/policy/policy.ts')
      const { realPath } = await import('../../src/files/real-path.ts')
      const { testReader } = await import('../support/policy.ts')
      const policy = createPolicy({
        ...{
          mode: 'default',
          rules: [rule],
          cwd,
          home,
          trusted: true,
          sandboxed: false,
          reader: testReader,
          realPath,
        },
      })
      return (await policy.judge(callOf('read', { path }))).behavior
    }
    expect(await judge('Read(/x)', '../proj-evil/x')).toBe('deny')
    expect(await judge('Read(/x)', 'x')).toBe('allow')
    expect(await judge(`Read(/${cwd}/a.txt)`, 'a.txt')).toBe('deny')
    expect(await judge('Read(~/proj/a.txt)', 'a.txt')).toBe('deny')
    expect(await judge('Read(a.*)', 'a.txt')).toBe('deny')
    expect(await judge('Read(a.*)', 'sub/a/b')).toBe('allow')
  })

  it('that a pattern of a search leads to is one that is read', async () => {
    const { cwd, home } = await world()
    await mkdir(join(cwd, 'src'))
    const judge = async (args: { readonly pattern: string; readonly path?: string }, tool = 'glob') =>
      (await testPolicy({ cwd, home }).judge(callOf(tool, args))).behavior
    expect(await judge({ pattern: '**/*.ts' })).toBe('allow')
    expect(await judge({ pattern: '*.ts', path: 'src' })).toBe('allow')
    expect(await judge({ pattern: '../proj-evil/*' })).toBe('ask')
    expect(await judge({ pattern: '/etc/*' })).toBe('ask')
    expect(await judge({ pattern: '~/.ssh/*' })).toBe('ask')
    expect(await judge({ pattern: '/api/' }, 'grep')).toBe('allow')
  })
})
