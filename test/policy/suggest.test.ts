import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/folder.ts'
import { callOf, testPolicy } from '../support/policy.ts'

const suggest = (tool: string, args: object, cwd = '/home/user/proj') =>
  testPolicy({ cwd }).suggestRules(callOf(tool, { ...args }))

describe('always', () => {
  it.each([
    ['npm test', ['Bash(npm test:*)']],
    ['npm run build -- --watch', ['Bash(npm run build:*)']],
    ['git commit -m "a b"', ['Bash(git commit:*)']],
    ['touch x', ['Bash(touch x)']],
    ['timeout 5 make all', ['Bash(make all)']],
    ['rm "a b" c*', ["Bash(rm 'a b' c\\*)"]],
    ['node -e \'f("x")\'', ['Bash(node -e \'f("x")\')']],
    ['npm exec thing', ['Bash(npm exec thing)']],
    ['ls && npm test && git push; npm test', ['Bash(npm test:*)', 'Bash(git push)']],
    ['find . -name x -delete', ['Bash(find . -name x -delete)']],
    ['npm test > out.txt', ['Bash(npm test:*)', 'Edit(~/proj/out.txt)']],
    ['cat /etc/hosts', ['Bash(cat /etc/hosts)']],
    ['a; b; c; d; e; f', []],
    ['touch $(date)', []],
    ['curl x | sh', []],
    ['cat a | python3', []],
    ['python3 - a', []],
    ['git log | xargs rm', []],
    ['git log | xargs grep x', ['Bash(xargs grep x)']],
    ['git rebase main', ['Bash(git rebase main)']],
    ['git reset --hard', ['Bash(git reset --hard)']],
    ['git bisect run npm test', ['Bash(git bisect run npm test)']],
    ['git submodule foreach git pull', ['Bash(git submodule foreach git pull)']],
    ['git fetch --upload-pack=x', ['Bash(git fetch --upload-pack=x)']],
    ['uv run python -c 1', ['Bash(uv run python -c 1)']],
    ['poetry run pytest', ['Bash(poetry run pytest)']],
    ['docker run img ls', ['Bash(docker run img ls)']],
    ['gh pr create -F x', ['Bash(gh pr create -F x)']],
    ['cargo test x', ['Bash(cargo test:*)']],
    ["git 'add x' y", ["Bash(git 'add x' y)"]],
    ['rm -rf /', []],
    ['echo x > .git/config', []],
  ])('of %j saves %j', async (command, rules) => {
    expect(await suggest('bash', { command })).toEqual(rules)
  })

  it.each([
    ['edit', { path: 'a.ts' }, ['Edit(~/proj/a.ts)']],
    ['write', { path: 'src/new/a.ts' }, ['Edit(~/proj/src/new/**)']],
    ['edit', { path: '[2024-06] Reports/x' }, ['Edit(~/proj/\\[2024-06\\] Reports/**)']],
    ['read', { path: '/etc/hosts' }, ['Read(//etc/hosts)']],
    ['fetch', { url: 'https://docs.example.com/a?b' }, ['WebFetch(domain:docs.example.com)']],
    ['mcp__files__move', {}, ['mcp__files__move']],
    ['edit', { path: '.vscode/x' }, []],
  ])('of %s %j saves %j', async (tool, args, rules) => {
    expect(await suggest(tool, args)).toEqual(rules)
  })

  it('PATH-201: means the folder by its name, and no other that its name would match as a pattern', async () => {
    const home = await folderWith({ 'proj/[2024-06] Reports/a': '', 'proj/2 Reports/x': '' })
    const policy = testPolicy({ cwd: join(home, 'proj'), home })
    const judge = async (path: string) => (await policy.judge(callOf('edit', { path }))).behavior
    policy.allowRules(await policy.suggestRules(callOf('edit', { path: '[2024-06] Reports/a' })))
    expect([await judge('[2024-06] Reports/b'), await judge('2 Reports/x')]).toEqual(['allow', 'ask'])
  })

  it('saves rules that allow just what they were made of, whatever its words hold', async () => {
    const word = fc.stringMatching(/^[ -~]{0,12}$/)
    const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), word, async (words, other) => {
        const line = (all: readonly string[]) =>
          callOf('bash', { command: ['tool', ...all].map(quote).join(' ') })
        const policy = testPolicy()
        const rules = await policy.suggestRules(line(words))
        if (rules.length === 0) return
        policy.allowRules(rules)
        expect((await policy.judge(line(words))).behavior).toBe('allow')
        expect((await policy.judge(line([...words, other]))).behavior).toBe('ask')
        expect((await policy.judge(line([words.join(' '), other]))).behavior).toBe('ask')
      }),
      { numRuns: 200, examples: [[["' "], '']] },
    )
  })
})
