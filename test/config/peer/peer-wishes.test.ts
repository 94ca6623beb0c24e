import { rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWishes, modeWish } from '../../../src/config/peer/peer-wishes.ts'
import { folderWith } from '../../support/folders/folder.ts'

async function place(files: Readonly<Record<string, string>>) {
  const folder = await folderWith({ 'project/sub/x': '', 'home/x': '', ...files })
  const sources = {
    root: join(folder, 'project'),
    cwd: join(folder, 'project'),
    home: join(folder, 'home'),
    mode: 'default',
    folderFault: (path: string) => (path.endsWith('secret') ? 'it is secret' : undefined),
  } as const
  return { folder, sources }
}

it('a mode is a wish only if it is looser, and never without any question', () => {
  const wish = (mode: Parameters<typeof modeWish>[0], own: 'plan' | 'default' | 'auto') =>
    modeWish(mode, { mode: own })?.text
  expect([wish('accept-edits', 'default'), wish('auto', 'default'), wish('default', 'plan')]).toEqual([
    'accept-edits',
    'auto',
    'default',
  ])
  expect([
    wish('bypass', 'default'),
    wish('plan', 'default'),
    wish('auto', 'auto'),
    wish(undefined, 'plan'),
  ]).toEqual([undefined, undefined, undefined, undefined])
  // The yes to a mode instead of `default` is none to it instead of `plan`.
  const [one, other] = [modeWish('auto', { mode: 'default' }), modeWish('auto', { mode: 'plan' })]
  expect(one?.hash).not.toBe(other?.hash)
})

it('folders are named by their real path, once, and not those of the project', async () => {
  const { folder, sources } = await place({ 'near/x': '', 'home/far/x': '', 'a/secret/x': '', file: '' })
  await symlink('near', join(folder, 'link'))
  const { wishes, faults } = folderWishes(
    [
      '../near',
      '../near/',
      '../link',
      '~/far',
      join(folder, 'near'),
      'sub',
      '.',
      '../a/secret',
      '../none',
      '../file',
      3,
      '',
    ],
    sources,
  )
  expect(wishes.map(({ text }) => text)).toEqual([join(folder, 'near'), join(folder, 'home/far')])
  expect(faults).toEqual([
    '"../a/secret": it is secret',
    '"../none": there is no such folder',
    '"../file": there is no such folder',
    '3: there is no such folder',
    '"": there is no such folder',
  ])
})

it('a link that leads elsewhere later is another wish', async () => {
  const { folder, sources } = await place({ 'near/x': '', 'other/x': '' })
  await symlink('near', join(folder, 'link'))
  const before = folderWishes('../link', sources).wishes
  await rename(join(folder, 'near'), join(folder, 'moved'))
  await symlink('other', join(folder, 'near'))
  const after = folderWishes('../link', sources).wishes
  expect([before[0]?.text, after[0]?.text]).toEqual([join(folder, 'near'), join(folder, 'other')])
  expect(after[0]?.hash).not.toBe(before[0]?.hash)
})

it('a list is bounded', async () => {
  const { sources } = await place({})
  expect(folderWishes(Array(30).fill('../home'), sources).faults).toEqual(['only the first 20 are read'])
})
