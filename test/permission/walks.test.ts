import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'

const home = '/home/someone'

async function project() {
  return realpath(
    await folderWith({
      '.env': 'KEY=1',
      'a.txt': 'a',
      'certs/deep/site.pem': 'pem',
      'src/a.ts': 'a',
      'sub/.env': 'KEY=2',
    }),
  )
}

async function judge(cwd: string, command: string, rules: RuleLists) {
  return (await testPolicy({ cwd, home, rules }).judge(callOf('bash', { command }))).behavior
}

const secret: RuleLists = { deny: ['Read(.env)'] }
const anything: RuleLists = { deny: ['Read(.env)'], allow: ['Bash(*)'] }

describe('a command that reads a folder recursively', () => {
  it.each([
    'grep -r KEY .',
    'grep -rn KEY',
    'grep --recursive KEY',
    'grep -d recurse KEY .',
    'egrep -rn KEY sub',
    'rgrep KEY',
    'cd sub && grep -r KEY',
    'grep -rn KEY s*',
    'grep -r -e KEY .',
    "grep -r --include='*' KEY .",
    "grep -r --exclude=.env --include='*' KEY .",
    'rg --hidden KEY',
    'rg --hidden --max-count 1 KEY',
    'rg --hidden --color never KEY',
    "rg -ig '.e*' KEY",
    'rg --hidden -tmake KEY',
    'grep -r --max-count 1 KEY',
    'grep --directories recurse KEY',
    'grep -drecurse KEY',
    'grep -r --exclude=sub KEY sub',
    'grep -r --exclude-dir=.env KEY',
    'rg -. KEY',
    'rg -uu KEY sub',
    "rg -g '.e*' KEY",
    'git grep --no-index KEY',
    'diff -r . src',
  ])('asks if a forbidden file lies below: %s', async (command) => {
    expect(await judge(await project(), command, secret)).toBe('ask')
  })

  it.each([
    'docker build .',
    'docker build -t img -f Dockerfile .',
    'docker buildx build --push .',
    'docker compose build',
    'podman build sub',
    'buildah bud .',
    'docker cp . web:/x',
    'kubectl cp . pod:/x',
    'kubectl create configmap a --from-file=.',
    'kubectl create configmap a --from-file sub',
    'jar cf a.jar .',
    '7z a a.7z',
    'rar a a.rar',
    'aws s3 sync . s3://b',
    'aws s3 cp --recursive sub s3://b/x',
    'gsutil -m cp -r . gs://b',
    'gcloud storage cp -r . gs://b',
    'gcloud builds submit --tag img',
    'gcloud app deploy',
    'gcloud run deploy web --source .',
    'az storage blob upload-batch -d c -s .',
    'rclone copy . r:b',
    'restic backup .',
    'borg create r::a .',
    'netlify deploy --dir=.',
    'python3 -m http.server 8000',
    'python3 -m http.server -d sub',
    'python3 -mzipfile -c a.zip .',
    'npx serve',
    'http-server sub',
  ])('asks if it sends or packs a folder with a forbidden file: %s', async (command) => {
    expect(await judge(await project(), command, anything)).toBe('ask')
  })

  it.each([
    'docker build src',
    'docker build - < a.txt',
    'docker run img build .',
    'docker cp web:/x .',
    'kubectl cp pod:/x sub',
    'kubectl create configmap a --from-file=src',
    'jar tf a.jar',
    '7z a a.7z src',
    '7z l a.7z',
    'aws s3 sync src s3://b',
    'gcloud builds submit src',
    'rclone copy src r:b',
    'python3 -m http.server -d src',
    'python3 -m json.tool a.txt',
    'npx serve src',
  ])('runs if it sends or packs no such folder: %s', async (command) => {
    expect(await judge(await project(), command, anything)).toBe('allow')
  })

  it.each([
    'tar -c -T list -f a.tar',
    'tar -cT list -f a.tar',
    'tar cfT a.tar list',
    'tar --files-from=list -cf a.tar',
    'find . | cpio -o > a.cpio',
    'find . | zip a.zip -@',
    '7z a a.7z @list',
    'jar cf a.jar @list',
    'wc --files0-from=list',
    'sort --files0-from=list',
    'du --files0-from=list',
    'ffmpeg -f concat -i list a.mp4',
    'curl -K options',
    'sftp -b batch host',
    'fd -H env -X cat',
    'fd -H -x cat {}',
    'fd -H -x tail {//}/x',
  ])('asks if a list may name a forbidden file: %s', async (command) => {
    expect(await judge(await project(), command, anything)).toBe('ask')
  })

  it.each([
    'tar -cf Test.tar src',
    'tar -tf a.tar -T list',
    'tar cf a.tar Test',
    'cpio -it',
    'zip a.zip src/a.ts',
    'wc -l a.txt',
    'ffmpeg -i a.mp4 b.mp4',
    'curl -s http://h',
    'fd -x echo',
  ])('runs if no list names files: %s', async (command) => {
    expect(await judge(await project(), command, anything)).toBe('allow')
  })

  it.each(['tar cf x.tar .', 'cp -r . /tmp/x', 'rsync -a ./ host:', 'zip -r x.zip sub', 'ack KEY'])(
    'asks even if a rule allows the command: %s',
    async (command) => {
      expect(await judge(await project(), command, anything)).toBe('ask')
    },
  )

  it.each([
    'grep -rn KEY src',
    'grep -rn . src',
    'grep -rn KEY src certs',
    'grep -rn KEY --include=*.ts .',
    "grep -rn KEY --include '*.ts' .",
    'grep -rn KEY --exclude=.env .',
    "grep -rn KEY --exclude='.e*' --exclude-dir=sub .",
    'rg KEY',
    'rg KEY .',
    "rg KEY -g '*.ts'",
    "rg KEY -g '*.{ts,tsx}'",
    "rg KEY -g '!*.test.ts'",
    'rg --files --hidden',
    'grep -rn --color=never --max-count=1 KEY src',
    'git grep KEY',
    'find .',
    'ls -laR',
    'ls -ltr',
    'du -a .',
    'tree -a',
    'jq -r .name a.txt',
    'sort -r a.txt',
    'cat *',
    'cat src/*',
    'wc -l *',
    'grep KEY *',
  ])('does not ask if it reaches none: %s', async (command) => {
    expect(await judge(await project(), command, secret)).toBe('allow')
  })

  it.each(['shopt -s dotglob; cat *', 'GLOBIGNORE=x; cat *', 'bash -O dotglob -c "cat *"', 'cat .*'])(
    'may reach hidden files: %s',
    async (command) => {
      expect(await judge(await project(), command, anything)).toBe('ask')
    },
  )

  it('reaches hidden files that an ignore file includes', async () => {
    const cwd = await realpath(await folderWith({ '.env': 'KEY=1', '.ignore': '!.env' }))
    expect(await judge(cwd, 'rg KEY', secret)).toBe('ask')
  })

  it.each(['cat s*/key.txt', 'cat */key.txt', 'awk 1 s*/k*'])(
    'asks if a wildcard may match the forbidden folder: %s',
    async (command) => {
      const cwd = await realpath(await folderWith({ 'secrets/key.txt': 'x', 'src/a': '' }))
      for (const rule of ['Read(secrets)', 'Read(./secrets/)', 'Read(.x/../secrets/**)'])
        expect([rule, await judge(cwd, command, { deny: [rule] })]).toEqual([rule, 'ask'])
      expect(await judge(cwd, 'cat src/*', { deny: ['Read(.env)'] })).toBe('allow')
    },
  )

  it('checks rules of every kind, and ask rules', async () => {
    const cwd = await project()
    expect(await judge(cwd, 'rg x', { deny: ['Read(**/*.pem)'] })).toBe('ask')
    expect(await judge(cwd, 'rg x src', { deny: ['Read(**/*.pem)'] })).toBe('allow')
    expect(await judge(cwd, 'rg x', { deny: ['Read(deep/**)'] })).toBe('ask')
    expect(await judge(cwd, 'rg x', { deny: [`Read(/${join(cwd, 'certs')})`] })).toBe('ask')
    expect(await judge(cwd, 'grep -rn x', { ask: ['Read(.env)'] })).toBe('ask')
    expect(await judge(cwd, 'grep -rn x', { deny: ['Edit(.env)'] })).toBe('allow')
  })

  it('asks if the working folder cannot be read', async () => {
    expect(await judge('/nowhere/at/all', 'grep -rn KEY src', secret)).toBe('ask')
    expect(await judge('/nowhere/at/all', 'rg KEY', secret)).toBe('allow')
  })
})
