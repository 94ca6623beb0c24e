import { describe, expect, it } from 'vitest'
import { callOf, type RuleLists, testPolicy } from '../support/policy.ts'

async function judge(command: string, rules: RuleLists = {}) {
  return (await testPolicy({ rules }).judge(callOf('bash', { command }))).behavior
}

describe('a line that only reads', () => {
  it.each([
    'numfmt --to=iec 1000',
    'echo 1024 | numfmt --to=iec',
    'fdfind x',
    'join a b',
    'join -t , a b',
    'go version',
    'git version',
    'git cherry -v main',
    'git submodule status --recursive',
    'git check-attr -a x',
    'set +e; ls',
    'ls 2>&-',
    'jq .a /home/user/proj/a.json',
    'cat 0< a',
    'cat 0<a 2>/dev/null',
    "cat 0<<<'x'",
    'git log -p --submodule',
    'git diff --submodule=log --text',
    'git branch --sort -committerdate',
    "git branch --format '%(refname:short)'",
    'git branch --contains HEAD --sort=refname',
    "git branch --list --sort -refname 'x*'",
    'git tag --sort -creatordate',
    'git tag --list --sort -v:refname',
    'git tag --points-at HEAD',
    "cat 0<<'X'\nx\nX",
    'wc -l 0< a',
    '0< a wc -l',
    'ls;0<a wc -l|0<b cat',
    'cat 0<&-',
    'echo a\\ 0< b',
  ])('%s needs no rule', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    'fdfind -x rm',
    'fdfind x /etc',
    'join /etc/passwd b',
    'join -a /etc/passwd b',
    'go version -m /bin/ls',
    'go version x',
    'go run version',
    'node version',
    'git submodule',
    'git submodule update',
    'git diff HEAD~2 HEAD~1 --submodule=diff',
    'git show --submod=diff',
    'git branch --format -l new',
    'git branch --format --list new',
    'git branch --sort -l new',
    'git branch --sort --list new',
    'git branch --format --sort new',
    'git branch --sort refname new',
    'git tag --format -l v9',
    'git tag --format --list v9',
    'git tag --sort -l v9',
    "git submodule foreach 'git status'",
    'set +B',
    'set + e',
    'ls 2>&-x',
    'ls >&- x >y',
    'jq . /etc/passwd',
    'jq -f /etc/passwd',
    'jq -L /etc . f',
    'jq --run-tests /etc/passwd',
    'od -w /etc/passwd',
    'base64 -i /etc/passwd',
    'cat 0< /etc/passwd',
    'cat 0<~/.bashrc',
    'cat 0< $x',
    'cat 0<> a',
    'cat 0> a',
    '0< a rm b',
    'sh 0< a',
    'cat 00< a',
    'cat 0<<X\n$(rm x)\nX',
  ])('%s is none, or not of the project alone', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it.each([
    ...['node -v', 'npm --version', 'npm -v', 'python3 --version', 'python -V', 'pip --version'],
    ...['ruby -v', 'perl -v', 'php --version', 'java -version', 'javac --version', 'gcc --version', 'c++ -v'],
    ...['clang --version', 'make --version', 'cmake --version', 'docker --version', '/usr/bin/gcc --version'],
    ...['python3 --version && node --version', 'java -version 2>&1 | head -1', 'timeout 5 npm -v'],
  ])('%s only asks for a version', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  // A file of the project may say which program answers, a second word may have it do something, `python -v` runs its input.
  it.each([
    ...['cargo --version', 'rustc --version', 'rustup run x cargo --version', 'pnpm -v', 'yarn --version'],
    ...[
      'npx --version',
      'npx tsc --version',
      'dotnet --version',
      'mvn -v',
      'gradle --version',
      './gradlew -v',
    ],
    ...['npm -v x', 'npm version', 'npm --version --global', 'gcc -v a.c', 'make -v all', 'java -version A'],
    ...[
      'node -v x.js',
      'docker --version run x',
      'python3 -v',
      'echo "print(1)" | python3 -v',
      'python3 -VV',
    ],
    ...['./npm --version', 'node_modules/.bin/npm -v', '/home/user/proj/node -v', '/opt/bin/node -v'],
    ...['NODE_OPTIONS=--require=./x npm -v', 'PATH=. npm -v', 'npm -v > x', 'npm -v < /etc/passwd'],
    ...['npm() { rm x; }; npm -v', 'alias npm=rm; npm -v', 'hash -p ./x npm; npm -v'],
  ])('%s may do more than to ask for a version', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it.each([
    'rg --pretty foo',
    'rg --files src',
    'git diff --output-indicator-new=x',
    'git log --grep=signature',
    "git for-each-ref --format='%(refname)'",
  ])('%s may hold an option that another begins like', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    'rg --pre cat foo',
    'rg --pre=cat foo',
    'rg --files /etc',
    'rg --files-with-matches x /etc',
    'grep --files-with-matches x /etc',
    'git diff --output=x',
    'git diff --outp=x',
    'git diff --outpu x',
    'git diff --ou=x',
    'git diff --ext-d',
    'git diff --textc',
    'sort --out=x a',
    'sort --comp=x a',
  ])('%s is asked about for an option that is shortened, or given', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})

describe('git', () => {
  it.each([
    'git blame --ignore-revs-file=/etc/passwd a',
    'git blame --ignore-revs-file /etc/passwd a',
    'git blame --ignore-revs=/etc/passwd a',
    'git blame -S /etc/passwd a',
    'git blame -wS/etc/passwd a',
    'git ls-files -o -i -X /etc/passwd',
    'git ls-files -oiX/etc/passwd',
    'git ls-files -oi --exclude-from=/etc/passwd',
    'git ls-files -oi --exclude-f /etc/passwd',
    'git diff -O/etc/passwd',
    'git diff -O /etc/passwd',
    'git log -pO/etc/passwd',
    'git --no-pager show -O/etc/passwd',
    'git diff --no-index a b',
    'git grep -f /etc/passwd',
  ])('%s reads a file outside of the project', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it.each([
    'git blame --ignore-revs-file=.git-blame-ignore-revs a',
    'git blame --ignore-rev HEAD a',
    'git log -S/etc/passwd',
    'git log --author=/etc/passwd',
    'git diff -Oorder.txt',
  ])('%s does not', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    "git for-each-ref --format='%(signature)'",
    "git for-each-ref --format='%(*signature:grade)'",
    'git for-each-ref --sort=-signature:key',
    'git branch --sort signature',
    "git branch --format='%(signature)'",
    "git tag -l --format='%(if)%(signature:grade)%(then)a%(end)'",
    "git log --format='%G?'",
    "git log --format='%+GK'",
    "git log --format='%-GK'",
    "git log --format='% GK'",
  ])('%s would run gpg', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})

describe('a rule that leaves open what follows', () => {
  const open: RuleLists = {
    allow: ['Bash(git:*)', 'Bash(git diff:*)', 'Bash(sort:*)', 'Bash(tree:*)', 'Bash(rg:*)'],
  }

  it.each([
    'git diff --output=x',
    'git diff --output x',
    'git log --outp=x',
    'git -C . archive --output=x.tar HEAD',
    'git diff --ext-diff',
    'sort -o x a',
    'sort a -ox',
    'sort a --output=x',
    'sort -ro x a',
    'tree -o x',
    'rg --pre cat x',
  ])('does not allow %s', async (command) => {
    expect(await judge(command, open)).toBe('ask')
  })

  it.each([
    'git diff --stat --output-indicator-new=+',
    'git archive HEAD',
    'sort -r /etc/hosts',
    'rg --pretty x /etc',
  ])('allows %s', async (command) => {
    expect(await judge(command, open)).toBe('allow')
  })
})

describe('what a rule forbids to write', () => {
  const forbidden: RuleLists = { deny: ['Edit(src/**)', 'Edit(.env)'] }
  const whatever: RuleLists = { ...forbidden, allow: ['Bash(*)'] }

  it.each([
    'sed -n 1p src/a.ts',
    'sort src/a.txt',
    'uniq src/a',
    'git diff src',
    'git log src/a',
    'git show HEAD:src/a',
    'git blame src/a.ts',
    'xxd .env',
    'sort .env',
    'git commit -m src/a',
  ])('%s may read', async (command) => {
    expect(await judge(command, { ...forbidden, allow: ['Bash(git commit:*)'] })).toBe('allow')
  })

  it.each([
    'sort -o src/a x',
    'sort x -osrc/a',
    'sed -i s/a/b/ src/a.ts',
    'uniq a src/b',
    'xxd a src/b',
    'xxd -r a src/b',
    'git checkout src/a',
    'git diff --output=src/a',
    './sort src/a',
  ])('%s is denied', async (command) => {
    expect(await judge(command, whatever)).toBe('deny')
  })

  it.each([
    'sort src/*',
    'sort $x src/a',
    'find . | xargs sort -o',
    'sort() { rm "$@"; }; sort src/a',
    'alias sort=rm; sort src/a',
    'hash -p /bin/rm sort; sort src/a',
    'BASH_CMDS[sort]=/bin/rm; sort src/a',
  ])('%s is not allowed, for what it may come to', async (command) => {
    expect(await judge(command, whatever)).not.toBe('allow')
  })
})

describe('what a rule forbids to read', () => {
  const secret: RuleLists = { deny: ['Read(.env)'] }
  const whatever: RuleLists = { ...secret, allow: ['Bash(*)'] }

  it.each([
    'git log --grep=.env',
    'ls -a | grep .env',
    'grep -e .env a.txt',
    'rg .env src',
    'jq .env a.json',
    'tr .env x < f',
    "awk '/.env/' f",
    'ls -la .env',
    'stat .env',
    'test -f .env',
    '[ -f .env ]',
    'find . -name .env',
    'find . -name "*.ts" -not -name .env',
    'fd -H .env',
    'git check-ignore -v .env',
    'git ls-files .env',
    'git status .env',
  ])('%s tells nothing of', async (command) => {
    expect(await judge(command, secret)).toBe('allow')
  })

  it.each([
    'git commit -m ".env"',
    'git commit -am ".env"',
    'git commit --message .env',
    'git commit --message=.env',
    'git tag -m .env v1',
    'git add . && git commit -m .env',
  ])('%s only says the name of', async (command) => {
    expect(await judge(command, whatever)).toBe('allow')
  })

  it.each([
    'cat .env',
    'grep x .env',
    'grep -f .env a',
    'grep -f.env a',
    'grep -ef .env a',
    'grep --fil=.env a',
    'grep -e x -- .env',
    'grep -A 1 x .env',
    'grep --include=.env -r x .',
    './grep .env',
    'rg -f .env src',
    'rg --files-with-matches x .env',
    'awk 1 .env',
    'awk -f .env',
    'sed -n 1p .env',
    'sed -f .env x',
    'jq . .env',
    'jq -rf .env a',
    'jq --from-file .env a',
    'jq --rawfile x .env -n .',
    'jq --run-tests .env',
    'head -n 1 .env',
    'date -f .env',
    'tree --fromfile .env',
    'ls < .env',
    'cat 0< .env',
    'sort --files0-from=.env',
    'wc --files0-from=.env',
    'find -files0-from .env',
    'find . -name .env -exec cat {} +',
    'test -f x && cat .env',
    "bash -c 'cat .env'",
    'git diff .env',
    'git diff -m .env',
    'git log -p -- .env',
    'git show HEAD:.env',
    'git blame .env',
    'git blame --ignore-revs-file=.env a',
    'git ls-files -o -i -X .env',
    'git ls-files -oiX.env',
    'git grep x .env',
    'git status -sv .env',
    'git status --verb .env',
    'git add .env',
    'git am -m .env',
    'git commit -F .env',
    'git commit -m x -F .env',
    'git commit -m -F .env',
    'git commit -m .env .env',
    'git commit -v --dry-run -F -m .env',
    'git commit -v --dry-run -m -m .env',
    'git commit $x -m .env',
    'something -m .env',
  ])('%s is denied', async (command) => {
    expect(await judge(command, whatever)).toBe('deny')
  })

  it.each([
    'ls .env | xargs cat',
    'find . -name .env | xargs cat',
    'ls .env | while read f; do cat $f; done',
    'cat $(ls .env)',
    'cat `find . -name .env`',
    'rg -g .env x',
    'grep --include .env -r x .',
    'grep .e* x',
    'grep $x .env',
    'ls() { cat "$@"; }; ls .env',
    'alias grep=cat; grep .env',
    'shopt -s expand_aliases\nalias ls=cat\nls .env',
    'hash -p /bin/cat grep; grep .env',
    'enable -f x.so ls; ls .env',
    'BASH_CMDS[grep]=/bin/cat; grep .env',
  ])('%j is not allowed, for what it may come to', async (command) => {
    expect(await judge(command, whatever)).not.toBe('allow')
  })
})

describe('braces', () => {
  it.each([
    'git show stash@{0}',
    'git diff HEAD@{1}',
    'git log @{u}..HEAD',
    'git log HEAD@{2}..HEAD@{1}',
    'git rev-parse @{u}',
    'git show HEAD^{tree}',
    'echo {} {x}',
  ])('of %s stand for themselves', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    'cat {a,b}',
    'cat {1..3}',
    'cat {a..c}',
    'cat a{b,c}d',
    'cat a{b,{c,d}}e',
    'cat x{{a},/etc/passwd}',
    'cat {a},/etc/passwd}',
    'cat {/etc/passwd,}',
    'cat {"a",/etc/passwd}',
    'cat {a","b,/etc/passwd}',
    'cat {a\\,b,c}',
    'cat {"a"..c}',
    'cat {ac}..","}',
    `cat \${x}`,
    'git log @{$x}',
    '{a,b}',
    '{ ls; }',
  ])('of %s may stand for more', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})

describe('a script that is handed to a shell', () => {
  it.each([
    "sh -c 'ls | wc -l'",
    "bash -c 'git status'",
    'bash -c "ls"',
    `/bin/bash -c "bash -c 'ls'"`,
    "bash -c 'cd src && ls'",
  ])('%s is judged by what is in it', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    "bash -lc 'ls'",
    "bash -ec 'ls'",
    "zsh -c 'ls'",
    './bash -c "ls"',
    "bash -c 'ls' x",
    "bash -c 'ls' < x",
    "bash -c 'ls'; rm x",
    "bash -c 'rm x'",
    "bash -c 'ls > x'",
    "bash -c 'ls & touch x'",
    "bash -c 'ls\ntouch x'",
    "bash -c 'cat | sh'",
    "bash -c 'echo $(touch x)'",
    "bash -c 'cat /etc/passwd'",
    "bash -c 'cd sub && git status'",
    `bash -c '${'true;'.repeat(51)}'`,
    'bash -c "cat $x"',
    'bash -c cat\\ *',
    "BASH_ENV=x bash -c 'ls'",
    "sh -c $'ls'",
    `sh -c "echo \\$'\\\\'; touch x #'"`,
    `bash -c "sh -c 'rm x'"`,
  ])('%s is asked about', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it('is also what a rule on the shell allows', async () => {
    const rules = { allow: ['Bash(bash:*)'] }
    expect(await judge("bash -c 'cat /etc/hosts'", rules)).toBe('allow')
  })
})

describe('a program of awk', () => {
  it.each([
    "awk '$3 > 100' f",
    "awk 'length > 80 {print}' f",
    "awk '$1 >= 2 || $2 > 3 {n++} END {print n}' f",
  ])('%s compares', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    `awk '{print > "x"}' f`,
    `awk '{print $1 >> "x"}' f`,
    `awk '{printf "a" > "x"}' f`,
    `awk '1 > 0 {print > "x"}' f`,
    `awk '1 > 0 {print | "sh"}' f`,
    "awk '$3 > 100' /etc/passwd",
  ])('%s writes, runs, or reads elsewhere', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})

describe('a character that cannot be seen', () => {
  it.each([
    'echo "⚠\ufe0f warning"',
    'grep -rn "✔\ufe0f" src',
    'echo "👩🏽\u200d💻 🏳\ufe0f\u200d🌈 👨\u200d👩\u200d👧"',
  ])('may be part of a picture: %s', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    'echo a\ufe0f',
    'echo 1\ufe0f',
    'echo ⚠\ufe0f\ufe0f',
    'echo \ufe0f⚠',
    'echo a\u200db',
    'echo ⚠\u200db',
    'echo \u200d⚠',
    'echo 1\u200d2',
    'echo ⚠\u200d\u200d⚠',
    'echo ⚠\u200b⚠',
  ])('is asked about anywhere else: %j', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})
