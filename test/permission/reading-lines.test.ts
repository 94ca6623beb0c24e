import { describe, expect, it } from 'vitest'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'

async function judge(command: string, rules: RuleLists = {}) {
  return (await testPolicy({ rules }).judge(callOf('bash', { command }))).behavior
}

describe('a line that only reads', () => {
  it.each([
    'ls 2>&-',
    'cat 0< a',
    'cat 0<a 2>/dev/null',
    "cat 0<<<'x'",
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
    'ls 2>&-x',
    'ls >&- x >y',
    'cat 0< /etc/passwd',
    'cat 0<~/.bashrc',
    'cat 0< $x',
    'cat 0<> a',
    '0< a rm b',
    'sh 0< a',
    'cat 00< a',
    'cat 0<<X\n$(rm x)\nX',
    'npm() { rm x; }; npm -v',
    'alias npm=rm; npm -v',
    'hash -p ./x npm; npm -v',
  ])('%s needs a rule, because it may do more or read outside the project', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})

describe('a rule that forbids writing', () => {
  const forbidden: RuleLists = { deny: ['Edit(src/**)', 'Edit(.env)'] }
  const whatever: RuleLists = { ...forbidden, allow: ['Bash(*)'] }

  it.each([
    'sort src/*',
    'sort $x src/a',
    'find . | xargs sort -o',
    'sort() { rm "$@"; }; sort src/a',
    'alias sort=rm; sort src/a',
    'hash -p /bin/rm sort; sort src/a',
    'BASH_CMDS[sort]=/bin/rm; sort src/a',
  ])('does not allow %s, which may write', async (command) => {
    expect(await judge(command, whatever)).not.toBe('allow')
  })

  it.each([
    'link a src/a',
    'mktemp -p src',
    'dos2unix src/a',
    'base64 -i a -o src/a',
    'gawk -osrc/a 1',
    'gawk --profile=src/a 1 b',
    "sed -n 'wsrc/a' b",
    "sed 's/a/b/wsrc/a' b",
    "sed -e '/x/W src/a' b",
    '7z a src/a.7z b',
    'ar rcs src/a.a b.o',
    'cpio -pd src < list',
    'zstd --output-dir-flat=src b',
    'lz4 b src/a',
    'ncat -o src/a host 80',
    'aria2c -d src https://x/a',
    'aria2c --dir=src https://x/a',
    'http -o src/a https://x',
    'ssh-keygen -f src/a',
    'tcpdump -ni eth0 -w src/a',
    'gcc -MMD -MF src/a a.c',
    'rustc --out-dir=src a.rs',
    'javac -d src A.java',
    'jar cf src/a.jar b',
    'tsc --declarationDir src',
    'esbuild a --metafile=src/a',
    'black src',
    'ruff format src/a.py',
    'isort src/a.py',
    'eslint -o src/a b',
    'go test -coverprofile=src/a ./...',
    'go test -outputdir src ./...',
    'cmake -S . -B src',
    'strip src/a',
    'objcopy a src/a',
    'psql -qo src/a',
    'pg_dump -f src/a db',
    'redis-cli --rdb src/a',
    'pip download -d src a',
    'cargo build --target-dir src',
    'cargo new src/a',
    'docker save -o src/a image',
    'docker build --iidfile src/a .',
    'svn export https://x src/a',
    'hg clone https://x src/a',
    'gh repo clone x/y src/a',
    'hg clone https://x src/a -r 5',
    'gh repo clone x/y src/a -u up',
    'helm pull -d src a',
    'valgrind --log-file=src/a ls',
    'perf record -o src/a ls',
  ])('denies %s, which writes', async (command) => {
    expect(await judge(command, whatever)).toBe('deny')
  })

  it.each([
    'black --check src',
    'ruff check src',
    'isort --diff src',
    '7z l src/a.7z',
    'ar t src/a.a',
    'jar tf src/a.jar',
    'gcc -o out src/a.c',
    'javac -d out src/A.java',
    'go test ./src/...',
    'objcopy src/a out',
    'eslint src',
    'pytest src/a.py',
    'docker build -t src .',
    'cargo test --manifest-path src/Cargo.toml',
    'sed -n 1p src/a',
  ])('allows %s, which only reads', async (command) => {
    expect(await judge(command, whatever)).toBe('allow')
  })
})

describe('a rule that forbids reading', () => {
  const secret: RuleLists = { deny: ['Read(.env)'] }
  const whatever: RuleLists = { ...secret, allow: ['Bash(*)'] }

  it.each(['ls < .env', 'cat 0< .env'])('denies %s', async (command) => {
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
  ])('does not allow %j, which may read it', async (command) => {
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
  ])('in %s are literal', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    'cat {a,b}',
    'cat a{b,c}d',
    'cat a{b,}',
    'ls src/{a,b}.js',
    'ls -la src/{a,b/c,d}/x.ts test/{e,f}.ts',
    'grep -rn x --include=*.{ts,tsx} src',
    'wc -l src/{a,b}*.ts',
    'cat {a..b,c}',
    "bash -c 'cat {a,b}'",
    'cat {-n,a}',
    'sort {-r,a}',
  ])('in %s expand to a few words', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    'cat {a,/etc/passwd}',
    'cat {,/etc/passwd}',
    'cat /etc/{passwd,group}',
    'cat {..,a}/x',
    'cat a/{b,..}/../../x',
    'cat ~/{a,b}',
    'cd {a,b} && cat x',
    'cd {a,b}/.. && cat x',
    'command cd {a,b} && cat x',
    'cat {~,a}/x',
    'cat {$x,b}',
    'cat {a,$(b)}',
    'cat {a,b}{c,d}',
    'cat {a,"b"}',
    'cat {a,b\\}',
    'sort {-o,x,a}',
    'sort -{o,r} x a',
    'sort --{output,reverse}=x a',
    'uniq {a,b}',
    'find . -{name,delete}',
    'find . -{exec,x} rm',
    'rg --{pre,x}=cat y',
    'git diff --{output,stat}=x',
    'sed -n {wx,1p}',
    'sed -n -e {1p,-e,wx} a',
    "sh -c 'cat {a,b}'",
    'tee {a,b}',
    'cat < {a,b}',
    'ls > {a,b}',
    'X={a,b} ls',
    'LANG={a,b} ls',
    'test -v {a,b}',
    '{ls,-la}',
    'date {-s,x}',
    'printf {-v,x} y',
    'command {rm,x}',
    'xargs {rm,x}',
  ])('in %s may expand to words that do more', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it.each(['cat {.env,a}', 'cat .{env,x}', 'cat a {b,.env}', 'cat .en{v,x}'])(
    'in %s are expanded before deny rules apply',
    async (command) => {
      expect(await judge(command, { deny: ['Read(.env)'] })).toBe('deny')
    },
  )

  it.each([
    'cat {1..3}',
    'cat {a..c}',
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
  ])('in %s may expand to more', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})

describe('a process substitution', () => {
  it.each([
    'comm <(sort a) <(sort b)',
    'diff <(sort a) <(sort b | uniq) | head -5',
    'grep -f <(cut -f1 a) -r src',
    'cat <(cat <(sort a))',
    'timeout 5 diff <(sort a) b',
  ])('in %s only reads', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    'diff <(rm a) b',
    'cat <(curl x)',
    'diff <(sort a > b) c',
    'diff <(sort -o a b) c',
    'diff <(sort $x) b',
    'diff <(sort /etc/passwd) b',
    'diff <(cd x && cat y) b',
    'cd x && diff <(sort a) b',
    'diff <(if true; then sort a; fi) b',
    'diff >(cat) b',
    'diff x<(sort a) b',
    'diff <(sort a)x b',
    'diff --from-file=<(sort a) b',
    'cat 2<(sort a)',
    'cat 2>&1<(sort a)',
    'cat < <(sort a)',
    'sh <(cat a)',
    'source <(cat a)',
    'rm <(cat a)',
    'xargs <(cat a)',
    '<(cat a)',
    'timeout 5 <(cat a)',
    'x=<(cat a)',
    'awk -f <(cat a) b',
    'sort --files0-from <(cat a)',
  ])('in %s may do more, or read elsewhere', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it.each(['diff <(sort .env) b', 'cat <(cat <(cat .env))'])('in %s reads the file', async (command) => {
    expect(await judge(command, { deny: ['Read(.env)'] })).toBe('deny')
  })
})

describe('a script passed to a shell', () => {
  it.each([
    "sh -c 'ls | wc -l'",
    "bash -c 'git status'",
    'bash -c "ls"',
    `/bin/bash -c "bash -c 'ls'"`,
    "bash -c 'cd src && ls'",
  ])('is judged instead of the shell: %s', async (command) => {
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
  ])('asks: %s', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it('is also allowed by a rule for the shell', async () => {
    const rules = { allow: ['Bash(bash:*)'] }
    expect(await judge("bash -c 'cat /etc/hosts'", rules)).toBe('allow')
  })
})

describe('an invisible character', () => {
  it.each([
    'echo "⚠\ufe0f warning"',
    'grep -rn "✔\ufe0f" src',
    'echo "👩🏽\u200d💻 🏳\ufe0f\u200d🌈 👨\u200d👩\u200d👧"',
  ])('may be part of an emoji: %s', async (command) => {
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
  ])('asks anywhere else: %j', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})
