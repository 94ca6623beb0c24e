import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readOwnPrompts } from '../../src/config/own-prompts.ts'
import { folderWith } from '../support/folders/folder.ts'

const files = {
  'config/commands/tidy.md': 'Tidy up.\nAll of it.',
  'config/commands/fix.md': '---\ndescription: mine\n---\nFix it.',
  'config/commands/not a command.md': 'x',
  'config/commands/empty.md': '\n',
  'project/.pipe/commands/fix.md': '---\ndescription: fix an issue\nmodel: x\n---\n\n# Fix $ARGUMENTS\n',
  'project/.claude/commands/review.md': '# Review the branch\nAs a reader.',
  'project/.claude/commands/fix.md': 'hidden',
  'secret.md': 'a secret',
}

it('prompts are read from the folders of a trusted project and of the user, the project first', async () => {
  const folder = await folderWith(files)
  await symlink(join(folder, 'secret.md'), join(folder, 'project/.pipe/commands/leak.md'))
  const read = (trusted: boolean | undefined) =>
    readOwnPrompts(join(folder, 'config'), { root: join(folder, 'project'), trusted })
  expect(read(true)).toEqual([
    { name: 'fix', description: 'fix an issue', text: '# Fix $ARGUMENTS', source: 'of this project' },
    {
      name: 'review',
      description: 'Review the branch',
      text: '# Review the branch\nAs a reader.',
      source: 'of this project',
    },
    { name: 'tidy', description: 'Tidy up.', text: 'Tidy up.\nAll of it.', source: 'yours' },
  ])
  const own = ['fix mine', 'tidy Tidy up.']
  expect(
    [false, undefined].map((trusted) => read(trusted).map((one) => `${one.name} ${one.description}`)),
  ).toEqual([own, own])
})

it('a folder that does not exist has no prompts', async () => {
  const folder = await folderWith()
  expect(readOwnPrompts(join(folder, 'config'), { root: folder, trusted: true })).toEqual([])
})
