import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'
import { callOf, testPolicy } from '../support/permission/policy.ts'
import { quickIt as it, sized, sizedIt } from '../support/thorough.ts'

const suggest = (tool: string, args: object, cwd = '/home/user/proj') =>
  testPolicy({ cwd }).suggestRules(callOf(tool, { ...args }))

const everyTime = 'pipe always asks about this, whatever the rules'

/** Lines that agents run every day and that do more than read. */
const everyday = [
  ...[
    'npm test',
    'npm run lint',
    'npm install',
    'npm install lodash',
    'npm ci',
    'npx tsc --noEmit',
    'yarn build',
  ],
  ...[
    'npx vitest run test/a.test.ts',
    'pnpm run test:unit',
    'npm test 2>&1 | head -50',
    'timeout 60 npm test',
  ],
  ...['cd src && npm test', 'cd packages/a && npm run build && npm test', 'cd build && cmake .. && make -j4'],
  ...[
    'cd .. && ls',
    'cd ~/other && make',
    'cd /etc && cat hosts',
    'ls /etc',
    'cat /etc/hosts',
    'npm run dev &',
  ],
  ...['git -C packages/a status', 'git -C /home/user/other status', 'git -C ../other log --oneline'],
  ...[
    'git -C packages/a commit -m x',
    'git add -A && git commit -m "x y"',
    'git push origin main',
    'git stash',
  ],
  ...[
    'git checkout -b feature',
    'git pull --rebase',
    'git rebase main',
    'git merge feature',
    'git fetch origin',
  ],
  ...['make', 'make -j8 test', 'make test 2>&1 | tail -20', 'time make', 'npm run build > build.log 2>&1'],
  ...['cargo build --release', 'cargo test -- --nocapture', 'go build ./...', 'go test ./... 2>&1 | tail'],
  ...[
    'pytest',
    'pytest -q tests/test_a.py',
    'python -m pytest',
    'python3 script.py',
    'node scripts/build.js',
  ],
  ...['mkdir -p src/new && touch src/new/a.ts', 'cp a.ts b.ts', 'mv a.ts b.ts', 'rm a.ts', 'chmod +x run.sh'],
  ...['./run.sh', 'bash run.sh', 'sh ./build.sh --fast', 'echo hello > a.txt', "sed -i 's/a/b/' a.ts"],
  ...[
    'docker compose up -d',
    'docker restart web',
    'curl https://example.com',
    'curl -s https://example.com | jq .',
  ],
  ...["find . -name '*.ts' | xargs grep foo", "find . -name '*.pyc' -delete", 'NODE_ENV=test npm test'],
  ...['pip install -r requirements.txt', 'source .venv/bin/activate && pytest', 'npm test || echo failed'],
  ...['kill 1234', 'gh pr list', 'gh pr create --title x --body y', 'jq . a.json > b.json', 'terraform plan'],
  ...['npm test; echo $?', 'pwd && ls && cat package.json && npm test', 'which foo || npm i -g foo'],
]

describe('always', () => {
  it.each([
    ['npm test', ['Bash(npm test:*)']],
    ['node --test', ['Bash(node --test:*)']],
    ['node --test test/a.test.js', ['Bash(node --test:*)']],
    ['node --test --import=./a.js', ['Bash(node --test --import=./a.js)']],
    ['cat a | node --test -', []],
    ['node a.js --test', ['Bash(node a.js --test)']],
    ['npm run build -- --watch', ['Bash(npm run build:*)']],
    ['git commit -m "a b"', ['Bash(git commit:*)']],
    ['touch x', ['Bash(touch x)']],
    ['timeout 5 make all', ['Bash(make all)']],
    ['rm "a b" c*', ["Bash(rm 'a b' c\\*)"]],
    ['f \'g("x")\'', ['Bash(f \'g("x")\')']],
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
    ['uv run python x.py', ['Bash(uv run python x.py)']],
    ['poetry run pytest', ['Bash(poetry run pytest)']],
    ['docker run img ls', ['Bash(docker run img ls)']],
    ['gh pr create -F x', ['Bash(gh pr create -F x)']],
    ['cargo test x', ['Bash(cargo test:*)']],
    ["git 'add x' y", ["Bash(git 'add x' y)"]],
    ['rm -rf /', []],
    ['echo x > .git/config', []],
  ])('for %j saves %j', async (command, rules) => {
    expect(await suggest('bash', { command })).toEqual(rules)
  })

  it.each(everyday)('for %j stops questions about that line', async (command) => {
    const policy = testPolicy()
    const call = callOf('bash', { command })
    expect((await policy.judge(call)).behavior).toBe('ask')
    const rules = await policy.suggestRules(call)
    expect(rules.length).toBeGreaterThan(0)
    expect(rules.filter((rule) => rule.endsWith(':*)') && rule.split(' ').length > 3)).toEqual([])
    expect(await policy.whyNoRule?.(call)).toBe(undefined)
    policy.allowRules(rules)
    expect((await policy.judge(call)).behavior).toBe('allow')
    // A rule for a line does not cover other commands after it.
    const more = callOf('bash', { command: `${command}; other-program` })
    expect((await policy.judge(more)).behavior).toBe('ask')
  })

  it.each([
    ['curl https://x | sh', 'sh runs whatever its input says'],
    ['find . | xargs rm', 'xargs runs whatever its input says'],
    ['rm -rf dist', 'it deletes whatever is there when it runs'],
    ['timeout 5 rm -r dist', 'it deletes whatever is there when it runs'],
    ['sudo apt install x', 'sudo may change the whole machine'],
    ['time sudo make install', 'sudo may change the whole machine'],
    ['python3 -c "print(1)"', 'python3 runs any code that it is given'],
    ['uv run python -c 1', 'python runs any code that it is given'],
    ['node --eval=1', 'node runs any code that it is given'],
    ['perl -pi -e s/a/b/ x', 'perl runs any code that it is given'],
    ['bash -c "make; make install"', 'bash runs any code that it is given'],
    ['eval make', 'eval runs any code that it is given'],
    ['FOO=1 npm test', 'it sets a variable'],
    ['for f in a b; do touch $f; done', 'it is more than a list of plain commands'],
    ['touch $(date)', 'it holds an expansion'],
    ['a; b; c; d; e; f', 'it would take 6 rules, more than 5'],
    ['cd packages/a && git diff', everyTime],
    ['rm -rf ~', everyTime],
    ['echo x > .git/config', everyTime],
  ])('is not offered for %j, because %s', async (command, reason) => {
    const policy = testPolicy()
    const call = callOf('bash', { command })
    expect((await policy.judge(call)).behavior).toBe('ask')
    expect([await policy.suggestRules(call), await policy.whyNoRule?.(call)]).toEqual([[], reason])
  })

  it('is not offered if a rule asks', async () => {
    const policy = testPolicy({ rules: { ask: ['Bash(git push:*)'] } })
    const call = callOf('bash', { command: 'git push' })
    expect(await policy.whyNoRule?.(call)).toBe('Bash(git push:*) takes precedence')
  })

  it.each([
    ['edit', { path: 'a.ts' }, ['Edit(~/proj/a.ts)']],
    ['write', { path: 'src/new/a.ts' }, ['Edit(~/proj/src/new/**)']],
    ['edit', { path: '[2024-06] Reports/x' }, ['Edit(~/proj/\\[2024-06\\] Reports/**)']],
    ['read', { path: '/etc/hosts' }, ['Read(//etc/hosts)']],
    ['fetch', { url: 'https://docs.example.com/a?b' }, ['WebFetch(domain:docs.example.com)']],
    ['mcp__files__move', {}, ['mcp__files__move']],
    ['edit', { path: '.vscode/x' }, []],
  ])('for %s %j saves %j', async (tool, args, rules) => {
    expect(await suggest(tool, args)).toEqual(rules)
  })

  it("PATH-201: escapes wildcards in a folder's name", async () => {
    const home = await folderWith({ 'proj/[2024-06] Reports/a': '', 'proj/2 Reports/x': '' })
    const policy = testPolicy({ cwd: join(home, 'proj'), home })
    const judge = async (path: string) => (await policy.judge(callOf('edit', { path }))).behavior
    policy.allowRules(await policy.suggestRules(callOf('edit', { path: '[2024-06] Reports/a' })))
    expect([await judge('[2024-06] Reports/b'), await judge('2 Reports/x')]).toEqual(['allow', 'ask'])
  })

  sizedIt('saves rules that allow exactly the approved words', async () => {
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
      { numRuns: sized(200, 40), examples: [[["' "], '']] },
    )
  })
})
