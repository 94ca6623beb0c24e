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
  ])('%s needs a rule, because it may do more or read outside of the project', async (command) => {
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

  // A project file may select the program, a second word may add an action, and `python -v` runs its input.
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
  ])('%s may do more than ask for a version', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it.each([
    'rg --pretty foo',
    'rg --files src',
    'git diff --output-indicator-new=x',
    'git log --grep=signature',
    "git for-each-ref --format='%(refname)'",
  ])('%s may hold an option that shares its start with another', async (command) => {
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
  ])('asks about %s because of an abbreviated or attached option', async (command) => {
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
  ])('asks about %s, which reads a file outside of the project', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it.each([
    'git blame --ignore-revs-file=.git-blame-ignore-revs a',
    'git blame --ignore-rev HEAD a',
    'git log -S/etc/passwd',
    'git log --author=/etc/passwd',
    'git diff -Oorder.txt',
  ])('allows %s, which reads only project files', async (command) => {
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
  ])('asks about %s, which would run gpg', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})

describe('a rule with a wildcard at its end', () => {
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

describe('a rule that forbids writing', () => {
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
  ])('allows %s, which only reads', async (command) => {
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
  ])('denies %s', async (command) => {
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
  ])('does not allow %s, which may write', async (command) => {
    expect(await judge(command, whatever)).not.toBe('allow')
  })
})

describe('a rule that forbids reading', () => {
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
  ])('allows %s, which shows nothing of the file', async (command) => {
    expect(await judge(command, secret)).toBe('allow')
  })

  it.each([
    'git commit -m ".env"',
    'git commit -am ".env"',
    'git commit --message .env',
    'git commit --message=.env',
    'git tag -m .env v1',
    'git add . && git commit -m .env',
  ])('allows %s, which only prints the name', async (command) => {
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
  ])('denies %s', async (command) => {
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

describe('an awk program', () => {
  it.each([
    "awk '$3 > 100' f",
    "awk 'length > 80 {print}' f",
    "awk '$1 >= 2 || $2 > 3 {n++} END {print n}' f",
    `awk '{print $1 "|" $2}' a`,
    `awk 'BEGIN{FS="|"} {print $2}' a`,
    `awk '{print "->", $1}' a`,
    "awk '/system/ {print}' a",
    `awk '/a[0-9]+\\/b/ && !/getline/ {print "x > y"}' a`,
    "awk '{print $1; if ($2 > 3) n++}' a",
    "awk '/a/ {print}\n$3 > 100 {n++}' a",
    'awk \'BEGIN {FS=","}\n{s += $1}\nEND {print s}\' a',
    `awk '{print $1 "/" $2}' a`,
    "awk '{print $1 / $2}' a",
    `awk '{print "\\"|\\""}' a`,
    "awk '$1 ~ /^>/ {print}' a",
  ])('%j only compares and prints', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    `awk '{print > "x"}' f`,
    `awk '{print $1 >> "x"}' f`,
    `awk '{printf "a" > "x"}' f`,
    `awk '1 > 0 {print > "x"}' f`,
    `awk '1 > 0 {print | "sh"}' f`,
    `awk '{print $1 "|" $2 | "sh"}' f`,
    `awk '{print "a"|"b"|"sh"}' f`,
    `awk '{print "x"|""|"sh"}' f`,
    `awk '{"sh" | getline}' f`,
    `awk '{"sh" |& getline}' f`,
    `awk '{getline < "x"}' f`,
    `awk 'BEGIN{system("x")}' f`,
    `awk 'BEGIN{system ("x")}' f`,
    `awk '/system/ {system($0)}' f`,
    `awk '@include "x"' f`,
    `awk '@load "x"' f`,
    `awk 'BEGIN{f="system"; @f("x")}' f`,
    "awk '/>/ {print > $1}' f",
    "awk '{print $1; print > $2}' f",
    "awk '{print $1\nprint > $2}' f",
    "awk '{print $1,\n$2 > $3}' f",
    "awk '{print $1 \\\n> $2}' f",
    `awk '/"/ {print "x" > "f"}' f`,
    `awk '/"/{print"x">"f" /"/}' f`,
    `awk '/"/{print "x" > "f"; y="/"}' f`,
    `awk '{x=/;/;print 1>"f";y=/b/}' f`,
    `awk '{x=/;/;print 1>f;y=/b/}' f`,
    `awk '{x=1 /2;/1;print 1>f;y=1 /2}' f`,
    "awk -v y=f '/[/];/{print 1>y}/b/' f",
    "awk -v y=f '/[^]/];/{print 1>y}/b/' f",
    "awk -v y=f '/[[:a/];/{print 1>y}/b/' f",
    `awk '{print $1 ~ /a}/ > "f"}' f`,
    `awk '{print $1 /a}/ > "f"}' f`,
    `awk '# "\n{print "x" > "f"} # "' f`,
    `awk '{x="a\\\n"; print 1 > "f"}' f`,
    `awk '{print ENVIRON["A"]}' f`,
    `awk '{print PROCINFO["pid"]}' f`,
    `awk 'BEGIN{ARGV[1]="/etc/passwd"}1' f`,
    `awk -f x '{print "|"}' f`,
    "awk '$3 > 100' /etc/passwd",
    "awk '/system/ {print}' /etc/passwd",
  ])('%j writes, runs, or reads elsewhere', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})

describe('a jq filter', () => {
  it.each([
    "jq '.include' tsconfig.json",
    "jq '.include[]' tsconfig.json",
    "jq '{include, exclude}' a.json",
    `jq -r '.exports["."].import' package.json`,
    "jq '{env: .x}' a.json",
    "jq '.spec.containers[] | {name, env}' a.json",
    "jq '.env.import.include' a.json",
    `jq '.["env"], {"env": 1, import: .a}' a.json`,
    "jq '[.[] | {env, b: (.c | length)}]' a.json",
    `jq '.scripts["include"]' package.json`,
    'jq input_filename a.json',
    `jq 'getpath(["a"])' a.json`,
  ])('%s only names fields', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    "jq -n '$ ENV'",
    "jq -n '$\tENV'",
    "jq -n '$\nENV'",
    "jq -n '$#x\nENV.API_KEY'",
    "jq -n '{$ENV}'",
    'jq -n env',
    "jq -n '. env'",
    "jq -n '.a, env, .b'",
    "jq -n '[1, env, 2]'",
    "jq -n '{a: 1, b: (1, env, 2)}'",
    "jq -n '{a: [1, env, 2]}'",
    "jq -n '{a: env}'",
    "jq -n '{a: 1 | env}'",
    "jq -n '{(env | keys[0]): 1}'",
    "jq -n '{a: if . then 1, env, 3 else 2 end}'",
    "jq -n '{a: . as $x | 1, env, 3}'",
    "jq -n '{} , env , {}'",
    "jq -n '{a: 1}, env, {b: 2}'",
    `jq -n '"\\(env)"'`,
    `jq -n '"{\\(env, 1)}"'`,
    `jq -n '"{", env, "}"'`,
    `jq -n '"\\"{", env, "}"'`,
    "jq -n '#{\nenv, 1'",
    "jq -n '{#}\na: 1}, env, {}'",
    'jq -n \'@text "\\(env)"\'',
    `jq 'include "x"; .' a.json`,
    `jq 'include"x"; .' a.json`,
    `jq 'import "x" as y; .' a.json`,
    `jq 'import"x"as$y; .' a.json`,
    `jq 'import @text "x" as y; .' a.json`,
    `jq 'include @text"x"; .' a.json`,
    `jq 'module {}; include "x"; .' a.json`,
    `jq '#{\ninclude "x"; .' a.json`,
    `jq '"x" | modulemeta' a.json`,
    'jq -f x.jq a.json',
    'jq -nrf x.jq',
    'jq --from-file x.jq a.json',
    'jq -L lib . a.json',
    'jq -Llib . a.json',
    'jq --run-tests x',
    "jq '.include' /etc/passwd",
    `jq -n 'include {env, x}'`,
  ])('%j reads the environment, or files that no word names', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})

describe('sed printing lines', () => {
  it.each([
    "sed -n -e '1,5p' a",
    'sed -ne 1,5p a',
    'sed -n -e 1p -e 5p a',
    'sed --quiet -e 3p a b',
    'sed -n 1p a',
  ])('%s only reads', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    "sed -n -e 'w x' a",
    "sed -n -e 'r /etc/passwd' a",
    "sed -n -e '1e id' a",
    "sed -n -e 's/a/b/w x' a",
    "sed -n -e 's/a/id/e' a",
    "sed -n -e 'y/a/b/' a",
    "sed -ne 'w x' a",
    "sed -ne1p -e 'w x' a",
    "sed -n -e 1p -e 'w x' a",
    "sed -n 'w x' -e 1p",
    "sed -n 'w x' -e 1p 1p",
    "sed -n -e 1p --expression='w x' a",
    'sed -n -e 1p -f x a',
    'sed -ni -e 1p a',
    'sed -n -i -e 1p a',
    'sed -ine 1p a',
    'sed -n -e 1p a -i',
    "sed -n -e '1p\nw x' a",
    "sed -n -e '1p;w x' a",
    'sed -n -e 1p /etc/passwd',
    'sed -ne 1p /etc/passwd',
    'sed -e 1p a',
    'sed -n -e',
  ])('%j may do more', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it.each(['sed -n -e 1p .env', 'sed -ne 1p .env', 'sed -n 1p .env', 'sed -ne 1p a .env'])(
    '%s is denied the file',
    async (command) => {
      expect(await judge(command, { deny: ['Read(.env)'] })).toBe('deny')
    },
  )
})

describe('a test', () => {
  it.each([
    'test -t 1',
    '[ -t 0 ]',
    '[[ -t 1 ]] && echo x',
    '[[ abc == a* ]]',
    '[[ abc != *.[ch] ]]',
    '[[ -f a && -f b ]]',
    '[[ -f a && -d b || a == b* ]] && cat a',
    '[[ ! -f a && -f b ]]; ls',
    "bash -c '[[ x == y || a == b ]]'",
  ])('%s only checks', async (command) => {
    const { behavior, reason } = await testPolicy().judge(callOf('bash', { command }))
    expect(behavior, reason).toBe('allow')
  })

  it.each([
    "test -t 'a[$(x)]'",
    '[[ -t a ]]',
    '[[ -v a[$(x)] ]]',
    "[[ -v 'a[$(x)]' ]]",
    '[[ a -eq b[$(x)] ]]',
    "[[ 1 -eq 'b[$(x)]' ]]",
    "[[ -f a && 'b[$(x)]' -eq 1 ]]",
    "[[ -f a && -v 'b[$(x)]' ]]",
    '[[ -f a && $(x) == b ]]',
    '[[ $(x) == a* ]]',
    '[[ -f a && rm b ]]',
    '[[ -f a ]] && rm b ]]',
    '[[ -f a || ./x == b',
    '[ -f a && -f b ]',
    "sh -c '[[ x == y || ./x == b ]]'",
    "sh -c '[[ -f a && -f b ]]'",
    "bash -c '[[ x == y && rm b ]]'",
    '[ x || ./x == b ]',
    'test x || ./x == b',
    '< a [[ x == y || ./x == b ]]',
    'LANG=C [[ x == y || ./x == b ]]',
    '"[[" x == y || ./x == b ]]',
    '\\[[ x == y || ./x == b ]]',
    'command [[ x == y || ./x == b ]]',
    'timeout 5 [[ x == y || ./x == b ]]',
    '[[ x == y ; ./x == b ]]',
    '[[ x == y & ./x == b ]]',
    '[[ x == y | ./x == b ]]',
    '[[ x == y\n./x == b ]]',
    '[[ x == "]]" || a == ]] || ./x == b ]]',
    '[[ a == b ]] || ./x == b ]]',
    '[[ a =~ b ]]',
    '[[ -f /etc/passwd && -f /etc/hosts ]] && cat /etc/hosts',
    '[ abc == a* ]',
    'test abc == a*',
    '[[ a == b && -f c ]] > x',
  ])('%j may do more', async (command) => {
    expect(await judge(command)).toBe('ask')
  })
})

describe('options with values, and words that end the options', () => {
  it.each([
    'uniq --skip-fields 1 a',
    'uniq -c --skip-chars 2 --check-chars 3 a',
    'uniq --skip-fields=1 a',
    "printf -- '--\\n'",
    "printf -- '-v\\n'",
    "printf '%s\\n' -v",
    'ls | xargs -I{} echo {}',
    'ls | xargs -I {} basename {}',
    'ls | xargs -0 -I % echo x/%.ts',
    'ls | xargs -I{}',
  ])('%s only reads', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    'uniq --skip-fields 1 a b',
    'uniq -- --skip-fields b',
    'uniq --count a b',
    'uniq --skip-fields=1 a b',
    'uniq a --skip-fields 1 b',
    'uniq --skip-fields 1 /etc/passwd',
    "printf -v 'a[$(x)]' y",
    'printf -vx y',
    "printf -- '%n' x",
    "printf '%n' x",
    'xargs -I wc ./x',
    'ls | xargs -Iwc ./x',
    'ls | xargs -I{} {}',
    'ls | xargs -I{} sh -c {}',
    'ls | xargs -I{} rm {}',
    'ls | xargs -I{} cat {}',
    'ls | xargs -I{} wc {}',
    'ls | xargs -n1 -I % wc -l %',
    'ls | xargs -I% wc --files0-from=%',
    'ls | xargs -I{} wc /etc/{}',
    'ls | xargs -I',
    'ls | xargs -I echo echo',
  ])('%s may do more', async (command) => {
    expect(await judge(command)).toBe('ask')
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
