import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'
import { callOf, testPolicy } from '../support/permission/policy.ts'

const judge = async (command: string) =>
  (await testPolicy({ mode: 'bypass' }).judge(callOf('bash', { command }))).behavior

it.each([
  'rm -rf ../pro*',
  'rm -rf ../[[:alpha:]]roj',
  'rm -rf .gi*',
  'find . ! -name x -delete',
  "find . -path './*' -delete",
  'rm -rf ../proj*',
  'rm -rf ~/proj*',
  'rm -rf /home/user/p*',
  'rm -rf ../*proj',
  'rm -rf ~/[a-z]*',
  'rm -rf [a-z]*',
  'rm -rf ../[p]roj',
  'rm -rf ../pr?j',
  'rm -rf *',
  'shred /dev/sda',
  'truncate -s 0 /dev/sda',
  'rsync -a --delete empty/ ~/',
  `rm -rf ../${'p*'.repeat(40)}`,
  'mv ~ x',
  'mv / /x',
  'mv -t /x ~',
  'chmod -R 000 ~',
  'chmod -R a-rwx ..',
  'chmod -R -wr ~',
  'chmod -R ug-r ~',
  'chmod -R u= ~',
  'chmod -R 0 ~',
  'chmod -R 1333 ~',
  'blkdiscard /dev/sda',
  'parted /dev/sda mklabel gpt',
  'tar cf x --remove-files ~',
  'cd build; rm -rf *',
  'cd build || rm -rf *',
  'cd build && rm -rf * || rm -rf *',
  'cd build && cd .. && rm -rf *',
  'cd build && rm -rf ../*',
  'cd - && rm -rf *',
  'cd . && rm -rf *',
  'cd .. && rm -rf *',
  'rm -rf * && cd build && ls',
  'cd build && rm -rf ~-/*',
  'cd build && find ~- -delete',
  'cd build && source x && rm -rf *',
  'cd build && . x && rm -rf *',
  'cd build && rm -rf x && . x && rm -rf *',
  'cd ../other && rm -rf *',
  'cd /usr/bin && rm -rf *',
])('PERM-178: %s asks even if everything is allowed', async (command) => {
  expect(await judge(command)).toBe('ask')
})

it.each([
  'rm -rf build',
  'rm -rf build/*',
  'rm -rf src/*.o',
  'rm -rf *.o',
  'rm -rf ../other*',
  'rm -rf dist*',
  'rm -rf /tmp/x*',
  'rsync -a --delete src/ build/',
  'rm -rf pro*',
  'mv x ~',
  'mv * build/',
  'mv "$(cat x)" y',
  'chmod -R 755 .',
  'chmod -R go-rwx .',
  'chmod -R go= .',
  'chmod -R u=rw .',
  'chmod -R 0400 .',
  'chmod -R u+w ~/proj',
  'parted /dev/sda print',
  'fdisk -l /dev/sda',
  'tar cf x.tar --remove-files build',
  'cd build && rm -rf *',
  'mkdir -p build && cd build && rm -rf * && cmake ..',
  'cd build && find . -delete',
])('%s is allowed', async (command) => {
  expect(await judge(command)).toBe('allow')
})

it('asks before emptying a folder that is a symlink', async () => {
  const cwd = await folderWith()
  await symlink('..', join(cwd, 'up'))
  await mkdir(join(cwd, 'build'))
  const policy = testPolicy({ mode: 'bypass', cwd })
  const judgeIn = async (folder: string) =>
    (await policy.judge(callOf('bash', { command: `cd ${folder} && rm -rf *` }))).behavior
  expect([await judgeIn('up'), await judgeIn('build'), await judgeIn('none')]).toEqual([
    'ask',
    'allow',
    'allow',
  ])
})
