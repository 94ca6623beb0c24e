import { describe, expect, it } from 'vitest'
import { callOf, testPolicy } from '../support/policy.ts'

async function judge(command: string, deny: readonly string[] = []) {
  const policy = testPolicy({ rules: { allow: ['Bash(*)'], deny } })
  return (await policy.judge(callOf('bash', { command }))).behavior
}

describe('a folder that a rule forbids to edit', () => {
  const edit = (command: string) => judge(command, ['Edit(src/**)'])

  it.each([
    'gzip src/a.ts',
    'openssl rand -out src/a.ts 5',
    'gcc -o src/a.ts x',
    'go build -o src/a.ts',
    'tsc --outDir src',
    'gofmt -w src/a.ts',
    'npx prettier --write src/a.ts',
    'docker cp c:/x src/a.ts',
    'find src -delete',
    'cp a src/a.ts',
    'mv src/a.ts b',
    'rsync -a x/ src/',
    'dd if=x of=src/a.ts',
    "sed -n '1w src/a.ts' f",
    'git mv src/a.ts b',
    'git checkout -- src/a.ts',
    'git -C src checkout x',
    'git worktree add -b x src',
    'git worktree remove src',
    'git clone x src/y --depth 1',
    'git stash push src/a.ts',
    'git stash -- src/a.ts',
    'git checkout-index --prefix=src/ -a',
    'git config --file=src/a.ts a b',
    'git format-patch -osrc HEAD~1',
    'git log --outpu=src/a.ts',
    'git mergetool src/a.ts',
    'rsync a src --timeout 3',
    'rsync a src/a.ts --suffix x',
    'rsync --log-file=src/a.ts a b',
    'rsync --remove-source-files src/ b',
    'install a src/a.ts -Z x',
    'cp --parents src/a.ts .',
    'cp -l src/a.ts x',
    'cp -- -a src/a.ts',
    'cd src && ln -s x/a.ts',
    'ln src/a.ts x',
    'zip -P pw src/a.zip a',
    'zip -m x src/a.ts',
    'zip -x a src/a.zip b',
    'zip x a -O src/a.zip',
    'tar --remove-file -cf x src/a.ts',
    'tar -cg src/a.ts -f x y',
    'curl -L4o src/a.ts u',
    'curl --out src/a.ts u',
    'wget --hsts-file=src/a.ts u',
    'sed --in s/a/b/ src/a.ts',
    "perl -e 'unlink @ARGV' src/a.ts",
    "ruby -e 'File.delete ARGV[0]' src/a.ts",
    'patch -osrc/a.ts x p',
  ])('denies %s', async (command) => {
    expect(await edit(command)).toBe('deny')
  })

  it.each([
    'find . -name a.ts -delete',
    'git checkout .',
    'git restore .',
    'git clean -fd',
    'rm -rf "$(cat x)"',
    'cp a $(cat x)',
    'awk \'{print > "src/" $1}\' f',
    "awk '{print > $1}' f",
    'sed "$(cat x)" f',
  ])('asks about %s, which may change it', async (command) => {
    expect(await edit(command)).not.toBe('allow')
  })

  it.each([
    'git add src/a.ts',
    'git commit -m x src/a.ts',
    'git checkout main',
    'git rm --cached src/a.ts',
    'git --no-pager diff src/a.ts',
    'git log --oneline src/a.ts',
    'cp src/a.ts lib/',
    'rsync -a src/ dist/ --timeout 3',
    'rsync -avz --delete src/ dist/',
    'sed -n 1,5p src/a.ts',
    'zip -r out.zip src',
    "zip -r out.zip . -x 'src/*'",
    'tar cf out.tar --exclude=x src',
    'cp src/a.ts src/b.ts lib/',
    'tar czf out.tgz src',
    'rsync -a src/ dist/',
    'rsync -a -e ssh src/ h:dist',
    'scp src/a.ts h:',
    "sed 's/a/b/' src/a.ts",
    "sed -n 's/www/x/p' src/a.ts",
    "awk '$3 > 5 {print $1}' src/a.ts",
    'zip out.zip src/a.ts',
    'gzip -c src/a.ts',
    'find src -name a.ts',
    'tsc --outDir dist src/a.ts',
    'gcc -o out src/a.c',
    'prettier --check src/a.ts',
    'curl -T src/a.ts http://x/',
    'docker cp src/a.ts c:/x',
  ])('allows %s, which only reads it', async (command) => {
    expect(await edit(command)).toBe('allow')
  })
})

describe('a path that decides what runs later', () => {
  it.each([
    "sed 's/x/y/w .git/hooks/pre-commit' f",
    "sed -n '1w .bashrc' f",
    "sed 's|x|y|gw .bashrc' f",
    `awk '{print > ".bashrc"}' f`,
    `awk '{printf "%s", $1 >> ".git/config"}' f`,
    'gawk -i inplace 1 .bashrc',
    'ruby -i -pe 1 .bashrc',
    'git archive -o .git/hooks/x HEAD',
    'git format-patch -o .git/hooks HEAD~1',
    'git clone x .husky',
    'git clone https://x/.vscode.git',
    'git worktree add .husky',
    'git apply --directory=.git/hooks p',
    'git mv a .bashrc',
    'git checkout main -- .vscode/tasks.json',
    'git bundle create .bashrc HEAD',
    'curl -D .bashrc u',
    'curl -c .bashrc u',
    'curl --trace .bashrc u',
    'curl --stderr .bashrc u',
    'curl -O http://x/.bashrc',
    'curl -sLO http://x/.bashrc?y',
    'wget http://x/.npmrc',
    'wget -o .bashrc u',
    'script .bashrc',
    'script -qc ls .bashrc',
    'command time -o .bashrc ls',
    'docker cp c:/x .bashrc',
    'docker cp c:/.bashrc .',
    'kubectl cp pod:/x .git/hooks/x',
    'gh release download -D .git/hooks',
    'pip install -t .git/hooks x',
    'cpio -i -D .git/hooks',
    'find .git/hooks -delete',
    'tar cf x --remove-files .husky',
    "printf '%s\\n' x .git/hooks | xargs cp",
    'rsync a .git/hooks --timeout 3',
    'rsync a .git/hooks -@ 3',
    'rsync a/.bashrc . --suffix x',
    'install a .git/hooks/pre-commit -Z x',
  ])('asks about %s', async (command) => {
    expect(await judge(command)).toBe('ask')
  })

  it.each([
    'git clone https://x/y.git',
    'git checkout main',
    'curl -sS -o out.json http://x/y',
    'curl -O http://x/y.tgz',
    'script -qc ls typescript',
    "sed 's/a/b/' .bashrc",
    `awk '/x/ {print ".bashrc"}' f`,
    'find . -name "*.o" -delete',
    'docker cp .bashrc c:/x',
    "zip -r out.zip . -x '.git/*'",
    'git stash',
  ])('does not ask about %s', async (command) => {
    expect(await judge(command)).toBe('allow')
  })
})
