import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PermissionMode } from '../../src/permission.ts'
import { folderWith } from '../support/folders/folder.ts'
import { callOf, testPolicy } from '../support/permission/policy.ts'

interface Place {
  readonly mode?: PermissionMode
  readonly cwd?: string
  readonly allow?: readonly string[]
}

async function judge(command: string, { mode = 'default', cwd, allow = ['Bash(*)'] }: Place = {}) {
  const policy = testPolicy({ rules: { allow }, mode, ...(cwd === undefined ? {} : { cwd }) })
  return (await policy.judge(callOf('bash', { command }))).behavior
}

describe('a glob that may match a protected path', () => {
  it.each([
    'cp a .gi?/hooks/',
    'cp a .g*/hooks',
    'cp a .GI?/hooks',
    'cp a .[[:alpha:]]it/hooks/x',
    'cp a sub/.*/config',
    'cp .g*/hooks/*',
    'cp -t .gi?/hooks a',
    'cp --target-directory=.gi?/hooks a',
    'cp .bash[r]c ~',
    'tee .gi?/config < a',
    'sed -i s/a/b/ .gi?/config',
    'dd of=.gi?/config',
    'rsync a .gi?/hooks/',
    'cp a $PWD/.gi?/hooks/x',
    'cp a "$PWD"/.gi?/hooks/x',
    'mv a .bash[r]c',
    'touch .pip?/settings.json',
    'cp a ~/.c*/g?t/conf*',
    'cp a .carg?/con*',
    'cp a .yar?/rel*/x',
    'echo x > .gi?/config',
    'cd .gi*/hooks && cp /x/a post-checkout',
    'cd .gi* && cd hooks && tee post-checkout < /x/a',
    'rm .gi?/config',
    'shopt -s dotglob; cp a ?git/hooks/x',
  ])('asks: %s', async (command) => {
    expect(await judge(command)).toBe('ask')
    expect(await judge(command, { mode: 'accept-edits' })).toBe('ask')
  })

  it.each([
    'cp a *.bak',
    'mv a* dist/',
    'cp -r src/* dist/',
    'chmod +x *',
    'touch */x',
    'rm -f build/*.o',
    'rm .*.swp',
    'rm .DS_Stor?',
    "sed -i 's/.*/x/' src/*.ts",
    'sed -i s/a/b/ *.toml *.json',
    'cp .gi?/config x',
    'cp .gi?ignore x/',
    'cd pack* && cp a b',
    "cp a '.gi?'",
  ])('does not ask if it cannot match one: %s', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it('looks up existing files', async () => {
    const cwd = await folderWith({ '.npmrc': '', 'bunfig.toml': '', 'src/a.ts': '', '.git/hooks/x': '' })
    await symlink(join(cwd, '.git', 'hooks'), join(cwd, 'shortcut'))
    expect(await judge('sed -i s/a/b/ *.toml', { cwd })).toBe('ask')
    expect(await judge('cp a short*/', { cwd })).toBe('ask')
    expect(await judge('cp a shortcu?/x', { cwd })).toBe('ask')
    expect(await judge('sed -i s/a/b/ src/*', { cwd })).toBe('allow')
    expect(await judge('touch *c', { cwd })).toBe('allow')
  })

  it('asks below a folder that is a link to a protected one', async () => {
    const cwd = await folderWith({ '.git/hooks/x': '' })
    await symlink(join(cwd, '.git'), join(cwd, 'inner'))
    expect(await judge('cp a inner/hook?/new', { cwd })).toBe('ask')
  })

  it("asks if it may match pipe's own files, or matches too many files", async () => {
    const own = () => ({
      folders: ['/home/user/.config/pipe'],
      keys: [],
      memories: [],
      targets: ['/home/user/proj/scripts/hook.sh'],
    })
    const policy = testPolicy({ rules: { allow: ['Bash(*)'] }, own })
    const decide = async (command: string) => (await policy.judge(callOf('bash', { command }))).behavior
    expect(await decide('cp a ~/.config/p*/settings.json')).toBe('ask')
    expect(await decide('sed -i s/a/b/ scripts/*.sh')).toBe('ask')
    expect(await decide('sed -i s/a/b/ scripts/*.js')).toBe('allow')
    const files = Array.from({ length: 2_100 }, (_, i) => [`f${i}`, ''] as const)
    const cwd = await folderWith(Object.fromEntries(files))
    expect(await judge('touch f*', { cwd })).toBe('ask')
  })
})

describe('a command that writes to a file among its words', () => {
  it.each([
    'uniq a .git/hooks/post-checkout',
    'uniq -f 1 a .git/hooks/post-checkout',
    'xxd -r a .git/hooks/post-checkout',
    'split a .git/hooks/',
    'split -l 1 a .git/hooks/x',
    'csplit -f .git/hooks/x a 1',
    'tar -xf x -C .git/hooks',
    'tar xfC x .git/hooks',
    'tar xf x --directory=.git/hooks',
    'tar xf x .git/hooks/post-checkout',
    'tar -cf .git/hooks/x a',
    'tar czf .git/hooks/x a',
    'unzip x -d .git/hooks',
    'unzip x .git/hooks/post-checkout',
    'zip .git/hooks/x a',
    'gcc a.c -o .git/hooks/post-checkout',
    'gcc -o.git/hooks/post-checkout a.c',
    'clang++-17 -o .git/hooks/post-checkout a.c',
    'openssl enc -d -in a -out .git/hooks/post-checkout',
    'sort a -o .git/hooks/post-checkout',
    'sort --output=.git/hooks/post-checkout a',
    'go build -o .git/hooks/post-checkout',
    'git diff --output=.git/hooks/post-checkout',
    'curl --output-dir .git/hooks -O http://x/post-checkout',
    'rm .git/config',
    'rm -rf .git/hooks',
    'rmdir .husky',
    'unlink .bashrc',
    'mkdir .git/hooks/x',
    'mkdir -p .pipe/agents',
    'mv .git/hooks/pre-commit x',
    'xxd -r -ps a .git/hooks/post-checkout',
    'split -tl a .git/hooks/x',
    'cp "$x" .git/hooks/post-checkout',
    'install -d .git/hooks/x',
    'gunzip .git/hooks/post-checkout.gz',
    'xargs cp a <<< .git/hooks/x',
    'echo .git/hooks/x | xargs cp a',
    'printf "%s\\n" .git/hooks | xargs -I{} cp a {}/x',
    'echo .gi?/hooks/x | xargs cp a',
    'xargs -n 1 rm <<< "b .git/config"',
  ])('asks even if a rule allows the command: %s', async (command) => {
    expect(await judge(command)).toBe('ask')
    expect(await judge(command, { mode: 'accept-edits' })).toBe('ask')
  })

  it('asks even if a rule allows exactly this command', async () => {
    expect(await judge('rm .git/config', { allow: ['Bash(rm:*)'] })).toBe('ask')
    expect(await judge('mkdir .git/hooks/x', { allow: ['Bash(mkdir:*)'] })).toBe('ask')
    expect(await judge('uniq a .git/hooks/x', { allow: ['Bash(uniq:*)'] })).toBe('ask')
  })

  it.each([
    'uniq .gitconfig',
    'xxd -s 16 -l 4 .gitconfig',
    'gzip -dc .git/a.gz',
    'tar czf b.tgz --exclude .git .',
    'tar xzf b.tgz --exclude .git -C out',
    'rsync -a --exclude .git src/ out/',
    'uniq -f 1 .npmrc',
    'split .npmrc part',
    'tar czf backup.tgz .git',
    'tar -cf backup.tar -C .git hooks',
    'tar -tf .git/x.tar',
    'tar -xf x.tar -C build',
    'unzip .git/x.zip -d build',
    'zip -r out.zip .git',
    'gcc -I.git -o build/a a.c',
    'openssl dgst -sha256 .npmrc',
    'sort .npmrc',
    'rm -rf build node_modules',
    'mkdir -p src/a',
    'rm .gitignore',
    'mv a b',
    "find . -path ./.git -prune -o -name '*.ts' -print | xargs sed -i s/a/b/",
    'echo a b | xargs rm',
  ])('does not ask about files that are only read: %s', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it('handles hundreds of operands', async () => {
    const cwd = await folderWith()
    await mkdir(join(cwd, 'dist'))
    const many = Array.from({ length: 300 }, (_, i) => `f${i}`).join(' ')
    expect(await judge(`cp ${many} dist`, { cwd })).toBe('allow')
    expect(await judge(`touch ${many.replaceAll(' ', '* ')}`, { cwd })).toBe('ask')
  })
})
