import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/json-value.ts'
import { createPolicy } from '../../src/permission/policy.ts'
import { readRule } from '../../src/permission/rules/rule.ts'
import type { PermissionMode } from '../../src/permission.ts'
import { folderWith } from '../support/folders/folder.ts'
import { callOf, type RuleLists, testPolicy, testWorld } from '../support/permission/policy.ts'

/** A home with a project in it. `links` maps names in the project to targets relative to the home. */
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
  it.each(['app/[id]/**', './app/[id]/', '**/[id]/page.tsx', 'app/\\[id\\]/page.tsx'])(
    'with brackets in its name is forbidden by %s',
    async (rule) => {
      const { judge, judgeLine } = await world()
      const rules = { deny: [`Read(${rule})`] }
      expect(await judge('read', 'app/[id]/page.tsx', rules)).toBe('deny')
      expect(await judgeLine("cat 'app/[id]/page.tsx'", rules)).toBe('deny')
      expect(await judge('read', 'app/x/page.tsx', rules)).toBe('allow')
    },
  )

  it('PATH-190: is forbidden if the link or its target is', async () => {
    const { judge, judgeLine } = await world({ key: '.ssh/id_rsa' })
    expect(await judge('read', 'key', secret)).toBe('deny')
    expect(await judge('read', 'key', { deny: ['Read(key)'] })).toBe('deny')
    expect(await judge('edit', 'key', secret)).toBe('deny')
    expect(await judge('grep', 'key', secret)).toBe('deny')
    expect(await judgeLine('cat key', secret)).toBe('deny')
    expect(await judgeLine('echo x > key', secret)).toBe('deny')
  })

  it('PATH-193: is reported with the decision as its real path, even if nothing exists there', async () => {
    const { home, cwd } = await world({ key: '.ssh/id_rsa', out: '.aws' })
    const judged = async (tool: string, path: string) =>
      (await testPolicy({ cwd, home }).judge(callOf(tool, { path }))).judgedPaths
    expect(await judged('read', 'key')).toEqual([join(home, '.ssh/id_rsa')])
    expect(await judged('write', 'out/new/file')).toEqual([join(home, '.aws/new/file')])
    expect(await judged('edit', 'a.txt')).toEqual([join(cwd, 'a.txt')])
    expect(
      (await testPolicy({ cwd, home }).judge(callOf('bash', { command: 'ls' }))).judgedPaths,
    ).toBeUndefined()
  })

  it('may be searched if a rule allows reading everything below it', async () => {
    const { judge } = await world()
    expect(await judge('grep', '~/.aws', { allow: ['Read(~/.aws/**)'] })).toBe('allow')
    expect(await judge('grep', '~/.aws', { allow: ['Read(~/.aws/*)'] })).toBe('ask')
    expect(await judge('grep', '~/.aws', { allow: ['Read(~/.aws/**/*.md)'] })).toBe('ask')
    expect(await judge('grep', '~', { allow: ['Read(~/.aws/**)'] })).toBe('ask')
    expect(await judge('edit', '~/.aws', { allow: ['Edit(~/.aws/**)'] })).toBe('ask')
  })

  it('PATH-191, PATH-192: of a new file is judged by where its nearest folder or its link leads', async () => {
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
      '.vscode/tasks.json .idea/x .envrc .npmrc .yarnrc.yml .pipe/config.json .Pipe/x .husky/pre-commit ./sub/../.mcp.json ' +
      '.ssh/authorized_keys .config/git/config .codex/config.toml .cursor/mcp.json .cargo/config.toml .yarn/releases/y.cjs ' +
      '.yarn/plugins/x/y.cjs .vimrc .gdbinit bunfig.toml sub/.pypirc .hg/hgrc .jj/repo/config.toml lefthook.yml .lefthook-local.yml .zed/settings.json mise.toml .config/mise/config.toml .nvim.lua .devcontainer.json'
    ).split(' '),
  )('PATH-194: %s asks even if edits are accepted or a rule allows it', async (path) => {
    const { judge, judgeLine } = await world()
    expect(await judge('write', path, {}, 'accept-edits')).toBe('ask')
    expect(await judge('edit', path, { allow: ['Edit'] })).toBe('ask')
    expect(await judgeLine(`echo x > ${path}`, { allow: ['Edit', 'Bash'] }, 'accept-edits')).toBe('ask')
    expect(await judge('read', path)).toBe('allow')
  })

  it.each([
    '.gitignore',
    '.github/workflows/ci.yml',
    '.env',
    'git/config',
    'bashrc',
    '..foo',
    '.yarn/cache/x',
    'cargo/config',
  ])('%s is an ordinary file', async (path) => {
    const { judge } = await world()
    expect(await judge('write', path, {}, 'accept-edits')).toBe('allow')
  })

  it('PATH-197: outside the project asks, however it is written', async () => {
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

  it('PATH-198: below a forbidden folder is forbidden, with or without a trailing slash, in any case', async () => {
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

  it('of a forbidden folder is not listed, but a forbidden file may be named', async () => {
    const { judgeLine } = await world()
    const deny = ['Read(secrets/**)', 'Read(~/.ssh/**)', 'Read(.env)']
    for (const line of [
      'ls secrets',
      'ls -la sub/secrets/deep',
      'ls ~/.ssh',
      'find secrets -type f',
      'stat ~/.ssh/id_rsa',
    ])
      expect([line, await judgeLine(line, { deny })]).toEqual([line, 'deny'])
    for (const line of ['ls .env', 'ls -la', 'find .', 'test -f .env', 'stat .env'])
      expect([line, await judgeLine(line, { deny })]).toEqual([line, 'allow'])
  })

  it.each([
    ['.g\u200cit/config', 'a character that HFS+ passes over'],
    ['.ba\u017fhrc', 'a long s'],
    ['.hu\u017f\u212ay/pre-commit', 'a Kelvin sign'],
    ['.G\u0131T/hooks/x', 'an i without its dot'],
  ])('PATH-195: %j is protected because of %s', async (path) => {
    const { judge } = await world()
    expect(await judge('write', path, {}, 'accept-edits')).toBe('ask')
  })

  it('PATH-195: is forbidden in every Unicode form, but allowed only in one', async () => {
    const { judge } = await world()
    for (const path of ['caf\u00e9/x', 'cafe\u0301/x', 'CAF\u00c9/x', 'ca\u200bf\u00e9/x']) {
      expect([path, await judge('read', path, { deny: ['Read(cafe\u0301/**)'] })]).toEqual([path, 'deny'])
    }
    const allow = { allow: ['Edit(caf\u00e9/**)'] }
    expect([await judge('edit', 'caf\u00e9/x', allow), await judge('edit', 'cafe\u0301/x', allow)]).toEqual([
      'allow',
      'ask',
    ])
  })

  it('PATH-199: in an allow rule is relative to cwd, in a deny rule matches at any depth', async () => {
    const { judge } = await world()
    const rules = { allow: ['Edit(src/**)'] }
    expect(await judge('edit', 'src/x.js', rules)).toBe('allow')
    expect(await judge('edit', './src/a/../b/x.js', rules)).toBe('allow')
    expect(await judge('edit', 'vendor/pkg/src/x.js', rules)).toBe('ask')
    expect(await judge('edit', 'src/../../x.js', rules)).toBe('ask')
    expect(await judge('edit', 'vendor/pkg/src/x.js', { deny: ['Edit(src/**)'] })).toBe('deny')
    expect(await judge('read', 'vendor/pkg/src/x.js', { deny: ['Edit(src/**)'] })).toBe('allow')
  })

  it('PATH-200: can be checked for deny rules, so that searches leave it out', async () => {
    const { cwd, home } = await world()
    const policy = testPolicy({ cwd, home, rules: { deny: ['Read(.env)', 'Edit(x)'] } })
    expect(
      ['.env', 'sub/.env', join(cwd, '.env'), 'a.env', 'x'].map((path) => policy.forbidsReading(path)),
    ).toEqual([true, true, true, false, false])
  })

  it('PATH-199: of only stars in an allow rule stays below cwd', async () => {
    const { judge } = await world()
    for (const rule of ['Edit(**)', 'Edit(./**)', 'Edit(**/*)']) {
      expect([rule, await judge('edit', 'src/x', { allow: [rule] })]).toEqual([rule, 'allow'])
      for (const path of ['../proj-evil/x', '/etc/passwd'])
        expect([rule, path, await judge('edit', path, { allow: [rule] })]).toEqual([rule, path, 'ask'])
    }
    expect(await judge('read', '/etc/passwd', { allow: ['Read(./**)'] })).toBe('ask')
    expect(await judge('edit', '/etc/x', { allow: ['Edit(*)'] })).toBe('allow')
    expect(await judge('read', '/etc/passwd', { deny: ['Read(**)'] })).toBe('deny')
  })

  it('in a rule may lead out of a folder and need normalizing', async () => {
    const { judge } = await world()
    for (const rule of [
      'Read(../**)',
      'Read(../proj-evil/**)',
      'Read(./../proj-evil)',
      'Read(src/../../proj-evil/)',
    ])
      expect([rule, await judge('read', '../proj-evil/x', { deny: [rule] })]).toEqual([rule, 'deny'])
    for (const rule of [
      'Read(src/../.env)',
      'Read(././.env)',
      'Read(.env/.)',
      'Read( .env )',
      'Read(".env")',
      "Read('.env')",
    ])
      expect([rule, await judge('read', '.env', { deny: [rule] })]).toEqual([rule, 'deny'])
    expect(await judge('read', '../proj-evil/x', { deny: ['Read(src/../**)'] })).toBe('deny')
    expect(await judge('edit', '../x', { allow: ['Edit(src/../../**)'] })).toBe('allow')
  })

  it('in a rule may hold braces', async () => {
    const { judge, judgeLine } = await world()
    const deny = ['Read(src/*.{js,ts})', 'Read({.{env,key},certs/{a,b}})']
    for (const path of ['src/a.js', 'src/a.ts', '.env', '.key', 'certs/a', 'x/certs/b/c'])
      expect([path, await judge('read', path, { deny })]).toEqual([path, 'deny'])
    for (const path of ['src/a.md', 'certs/c', '{.env,x}'])
      expect([path, await judge('read', path, { deny })]).toEqual([path, 'allow'])
    expect(await judgeLine('cat *', { deny })).toBe('ask')
    for (const rule of ['Edit({src/**,})', 'Edit("")', 'Edit({*,x})', 'Edit(,)'])
      expect([rule, await judge('edit', '/etc/x', { allow: [rule] })]).toEqual([rule, 'ask'])
    expect(await judgeLine('cat .e*', { deny: ['Read(".env")'] })).toBe('ask')
    expect(await judge('read', 'secrets/x', { deny: ['Read({.env, secrets/**})'] })).toBe('deny')
    expect(await judge('read', '.env', { deny: ['Read($PWD/.env)'] })).toBe('deny')
    expect(await judge('read', '{a}', { deny: ['Read({a})'] })).toBe('deny')
    const many = `Read(${'{a,b}'.repeat(9)})`
    expect([await judge('read', 'x', { deny: [many] }), await judge('edit', 'x', { allow: [many] })]).toEqual(
      ['deny', 'ask'],
    )
  })

  it('in a rule is anchored by its leading slashes', async () => {
    const { home, cwd } = await world()
    const judge = async (text: string, path: string) => {
      const written = { text, behavior: 'deny', source: 'project', folder: join(home, 'proj-evil') } as const
      const rules = [readRule(written, { cwd, home })]
      const policy = createPolicy({ ...testWorld, mode: 'default', rules, cwd, home })
      return (await policy.judge(callOf('read', { path }))).behavior
    }
    expect(await judge('Read(/x)', '../proj-evil/x')).toBe('deny')
    expect(await judge('Read(/x)', 'x')).toBe('allow')
    expect(await judge(`Read(/${cwd}/a.txt)`, 'a.txt')).toBe('deny')
    expect(await judge('Read(~/proj/a.txt)', 'a.txt')).toBe('deny')
    expect(await judge('Read(a.*)', 'a.txt')).toBe('deny')
    expect(await judge('Read(a.*)', 'sub/a/b')).toBe('allow')
  })

  it.each([
    ['glob', 'pattern'],
    ['grep', 'glob'],
  ])('in the glob of a %s counts as read', async (tool, field) => {
    const { cwd, home } = await world({ out: '.aws' })
    await mkdir(join(cwd, 'src'))
    const judge = async (glob: string, path?: string, rules: RuleLists = {}) => {
      const args = { [field]: glob, ...(path === undefined ? {} : { path }) }
      return (await testPolicy({ cwd, home, rules }).judge(callOf(tool, args))).behavior
    }
    for (const glob of ['**/*.ts', '*.ts', 'src/**', '../proj/*', '/{etc,home}', '{src,lib}/*', '!../x/*'])
      expect([glob, await judge(glob)]).toEqual([glob, glob.startsWith('/') ? 'ask' : 'allow'])
    for (const glob of [
      ...[
        '../proj-evil/*',
        '../../secret/*',
        '/etc/*',
        '~/.ssh/*',
        '~/*',
        '/*',
        'src/../../x/*',
        '/etc/hosts',
      ],
      ...['../(a)/../proj/*', '/etc/!(x)', '../\\proj/*', 'out/*', 'out/credentials'],
    ])
      expect([glob, await judge(glob)]).toEqual([glob, 'ask'])
    expect(await judge('*.ts', 'src')).toBe('allow')
    expect([await judge('src/*', ''), await judge('../../*.ts', '')]).toEqual(['allow', 'ask'])
    expect(await judge('../*.ts', 'src')).toBe('allow')
    expect(await judge('../../*.ts', 'src')).toBe('ask')
    expect(await judge('/etc/*', 'src')).toBe('ask')
    expect(await judge('../.ssh/*', '~/proj')).toBe('ask')
    expect(await judge('../.ssh/*', undefined, secret)).toBe('deny')
    expect(await judge('~/.ssh/*', 'src', secret)).toBe('deny')
  })

  it("in a search's pattern is not a path", async () => {
    const { cwd, home } = await world()
    expect((await testPolicy({ cwd, home }).judge(callOf('grep', { pattern: '/etc/*' }))).behavior).toBe(
      'allow',
    )
  })
})

describe("files that a command's words name for writing", () => {
  it.each([
    'cp a .git/hooks/pre-commit',
    'cp -t .husky a b',
    'mv a .pipe/config.json',
    'install -m 755 a .git/hooks/post-merge',
    'ln -sf ../evil .git/hooks/pre-push',
    'tee -a .envrc',
    'touch .vscode/tasks.json',
    'chmod +x .git/hooks/pre-commit',
    "sed -i 's/a/b/' .git/config",
    'dd if=a of=.npmrc',
    'curl -o .bashrc http://x',
    'wget -O .npmrc http://x',
    'cd sub && cp a ../.mcp.json',
    'bash -c "cp a .git/config"',
    'bash -c "echo x > .git/hooks/pre-commit"',
    'curl -so .bashrc http://x',
    'cp -vt .husky a',
    'cp a .git/config -S .bak',
    'cp a/.npmrc sub/',
  ])('%s asks if the file is protected, whatever a rule allows', async (line) => {
    const { judgeLine } = await world()
    expect(await judgeLine(line, { allow: ['Bash'] })).toBe('ask')
  })

  it.each([
    'cp .git/config /tmp/x',
    'cp a b',
    'tee out.txt',
    "sed -n '1p' .git/config",
    'git add .npmrc',
    'chmod +x run.sh',
  ])('%s is allowed', async (line) => {
    const { judgeLine } = await world()
    expect(await judgeLine(line, { allow: ['Bash'] })).toBe('allow')
  })

  it.each([
    ['echo x > .git/hooks/pre-commit', 'allow'],
    ['echo x > .envrc', 'allow'],
    ['echo x > pkg/.git/hooks/pre-commit', 'ask'],
    ['cp a pkg/.envrc', 'ask'],
    ['echo x > .envrc; echo x > pkg/.envrc', 'ask'],
    ['bash -c "echo x > lib/.envrc"', 'ask'],
    ['cd lib && echo x > .envrc', 'ask'],
    ['echo x > .ssh/authorized_keys', 'ask'],
    ['cp a b', 'allow'],
  ])(
    'in auto mode, %s: %s, depending on whether the sandbox protects the target',
    async (command, expected) => {
      const { cwd, home } = await world()
      const policy = testPolicy({ cwd, home, mode: 'auto', sandboxed: true })
      expect((await policy.judge(callOf('bash', { command }))).behavior).toBe(expected)
    },
  )
})

describe("pipe's own files", () => {
  /** A home that is also the project, with settings behind a link. */
  async function ownWorld(mode: PermissionMode = 'default', rules: RuleLists = {}) {
    const home = await folderWith({
      'dots/pipe/auth.json': '',
      'state/pipe/sessions/a.json': '',
      'a.txt': '',
    })
    await mkdir(join(home, '.config'))
    await symlink(join(home, 'dots/pipe'), join(home, '.config/pipe'))
    const at = (...paths: readonly string[]) => paths.map((path) => join(home, path))
    const own = {
      folders: at('.config/pipe', 'dots/pipe', 'state/pipe'),
      keys: at('.config/pipe/auth.json', 'dots/pipe/auth.json'),
      memories: at('.config/pipe/MEMORY.md', 'dots/pipe/MEMORY.md', 'state/pipe/memories'),
      targets: at('shared/hooks'),
    }
    const policy = testPolicy({ cwd: home, home, mode, rules, own: () => own })
    const judge = async (tool: string, args: JsonValue) => {
      const { behavior, reason } = await policy.judge(callOf(tool, args))
      return behavior === 'ask' ? reason : behavior
    }
    return { home, policy, judge }
  }

  it('include the targets of links in protected folders', async () => {
    const { judge } = await ownWorld('accept-edits')
    expect(await judge('write', { path: 'shared/hooks/pre-commit' })).toBe(
      'shared/hooks/pre-commit decides what runs later',
    )
    expect(await judge('write', { path: 'shared/hooksmith' })).toBe('allow')
  })

  it.each([
    '.config/pipe/MEMORY.md',
    'dots/pipe/Memory.md',
    'state/pipe/memories/proj-0123456789abcdef/MEMORY.md',
  ])('%s asks in every mode, whatever the rules', async (path) => {
    const rules = { allow: ['Edit(~/**)', 'Edit', 'Bash'] }
    for (const mode of ['accept-edits', 'auto', 'default', 'bypass'] as const) {
      const { judge, home } = await ownWorld(mode, rules)
      const why = 'holds memories, which only the user keeps'
      for (const tool of ['write', 'edit']) expect(await judge(tool, { path })).toBe(`${path} ${why}`)
      for (const command of [`echo x >> ${path}`, `cp a.txt ${path}`, `echo x > a.txt > ${path}`])
        expect(await judge('bash', { command })).toBe(`${join(home, path)} ${why}`)
      expect(await judge('bash', { command: `echo x > .config/pipe/config.json > ${path}` })).toContain(why)
    }
  })

  it.each([
    '.config/pipe/config.json',
    '~/.config/pipe/new/file',
    'dots/pipe/trust.json',
    'DOTS/Pipe/config.json',
    'state/pipe/sessions/a.json',
    'state/pipe',
  ])('PATH-194: %s asks even if edits are accepted or a rule allows it', async (path) => {
    const why = "belongs to pipe's settings and records"
    const rules = { allow: ['Edit(~/**)', 'Edit', 'Bash'] }
    for (const mode of ['accept-edits', 'auto', 'default'] as const) {
      const { judge } = await ownWorld(mode, rules)
      expect(await judge('write', { path, content: '' })).toBe(`${path} ${why}`)
      expect(await judge('edit', { path })).toBe(`${path} ${why}`)
      expect(await judge('bash', { command: `echo x > ${path}` })).toMatch(new RegExp(` ${why}$`))
      expect(await judge('write', { path: 'a.txt', content: '' })).toBe('allow')
      expect(await judge('read', { path })).toBe('allow')
    }
    const { policy } = await ownWorld()
    expect(await policy.suggestRules(callOf('write', { path, content: '' }))).toEqual([])
  })

  it('with keys ask before any way of reading them', async () => {
    const { judge, policy, home } = await ownWorld('default', {
      allow: ['Read(~/**)', 'Bash(cat:*)', 'Bash(xxd:*)'],
    })
    for (const path of ['.config/pipe/auth.json', 'dots/pipe/auth.json', '~/DOTS/pipe/auth.json']) {
      expect(await judge('read', { path })).toBe(`${path} holds keys`)
      expect(await judge('grep', { pattern: 'sk', path })).toBe(`${path} holds keys`)
      expect(policy.forbidsReading(path.replace('~', home))).toBe(true)
    }
    const command = 'it may read a file that holds keys'
    for (const line of [
      'cat ~/.config/pipe/auth.json',
      'cat a.txt dots/pipe/auth.json',
      'cat < dots/pipe/auth.json',
      'cat dots/pipe/*.json',
      'cat dots/*/a*',
      'grep -r sk .',
      'grep -r sk ~/dots',
      'rgrep sk ~/dots',
      'cp -av ~/dots x',
      '7za a x ~/dots',
      'fdfind . ~/dots -X cat',
    ])
      expect([line, await judge('bash', { command: line })]).toEqual([line, command])
    for (const line of [
      'cat a.txt',
      'cat dots/pipe/config.json',
      'grep sk *.txt',
      'grep -r sk state',
      'grep -a sk state',
      'ls',
      'ls -ltra ~/dots',
      'ls -R ~/dots',
      'find ~ -maxdepth 1 -name foo',
    ]) {
      expect([line, await judge('bash', { command: line })]).toEqual([line, 'allow'])
    }
    expect(await judge('grep', { pattern: 'sk' })).toBe('allow')
    expect(policy.forbidsReading('a.txt')).toBe(false)
  })

  it('with keys ask before links that lead to them, and no others, are followed', async () => {
    const root = await folderWith({ 'own/pipe/auth.json': '', 'project/a/x': '', 'project/b/x': '' })
    const project = join(root, 'project')
    await symlink('../b/x', join(project, 'a/y'))
    await mkdir(join(project, 'away/deep'), { recursive: true })
    await symlink('../../../outside', join(project, 'away/deep/on'))
    await mkdir(join(root, 'outside'))
    await symlink('../own', join(root, 'outside/own'))
    await mkdir(join(project, 'near'))
    await symlink('../../own/pipe/auth.json', join(project, 'near/key'))
    const own = { folders: [], keys: [join(root, 'own/pipe/auth.json')], memories: [], targets: [] }
    const reasonIn = async (folder: string, command: string) => {
      const options = { cwd: join(project, folder), home: root, own: () => own }
      const { behavior, reason } = await testPolicy(options).judge(callOf('bash', { command }))
      return [command, behavior === 'ask' ? reason : behavior]
    }
    expect(await reasonIn('.', 'diff -r a b')).toEqual(['diff -r a b', 'allow'])
    for (const line of ['ls -LR', 'ls -LR away', 'find -L ~ -name foo'])
      expect(await reasonIn('.', line)).toEqual([line, expect.not.stringContaining('keys')])
    for (const line of ['grep -R foo', 'grep -R foo away', 'diff -r a away', 'diff -r near b'])
      expect(await reasonIn('.', line)).toEqual([line, 'it may read a file that holds keys'])
    expect(await reasonIn('a', 'grep -R foo')).toEqual(['grep -R foo', expect.stringContaining('lead out')])
    expect(await reasonIn('b', 'grep -R foo')).toEqual(['grep -R foo', 'allow'])
  })
})
