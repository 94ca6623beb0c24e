import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { promptFolders, readOwnPrompts } from '../../src/config/own-prompts.ts'
import { folderWith } from '../support/folders/folder.ts'

/** Reads the prompts of a project and of the user below this folder. */
function read(folder: string, trusted: boolean | undefined) {
  const root = join(folder, 'project')
  const places = { root, trusted, config: join(folder, 'config'), home: join(folder, 'home') }
  return readOwnPrompts(promptFolders(places))
}

const files = {
  'config/commands/tidy.md': 'Tidy up.\nAll of it.',
  'config/commands/fix.md': '---\ndescription: mine\n---\nFix it.',
  'config/commands/not a command.md': 'x',
  'project/.pipe/commands/fix.md': '---\ndescription: fix an issue\n---\n\n# Fix $ARGUMENTS\n',
  'project/.claude/commands/review.md': '# Review the branch\nAs a reader.',
  'project/.claude/commands/fix.md': 'hidden',
}

it('prompts are read from the folders of a trusted project and of the user, the project first', async () => {
  const folder = await folderWith(files)
  const root = join(folder, 'project')
  expect(read(folder, true)).toEqual({
    prompts: [
      {
        name: 'fix',
        description: 'fix an issue',
        text: '# Fix $ARGUMENTS',
        source: 'of this project',
        origin: 'project',
        path: join(root, '.pipe/commands/fix.md'),
        root,
      },
      {
        name: 'review',
        description: 'Review the branch',
        text: '# Review the branch\nAs a reader.',
        source: 'of this project',
        origin: 'project',
        path: join(root, '.claude/commands/review.md'),
        root,
      },
      {
        name: 'tidy',
        description: 'Tidy up.',
        text: 'Tidy up.\nAll of it.',
        source: 'yours',
        path: join(folder, 'config/commands/tidy.md'),
      },
    ],
    notes: [
      {
        path: join(folder, 'config/commands/not a command.md'),
        text: 'its name cannot be typed as a command: use only letters, digits, _ and -',
        kind: 'unusable',
      },
    ],
  })
  for (const trusted of [false, undefined])
    expect(read(folder, trusted).prompts.map((one) => `${one.name} ${one.description}`)).toEqual([
      'fix mine',
      'tidy Tidy up.',
    ])
})

it('a prompt in a folder is called by both names', async () => {
  const folder = await folderWith({
    'config/commands/git/commit.md': '---\nargument-hint: [message]\n---\nCommit it.',
    'config/commands/git/all/push.md': 'Push it.',
    'config/commands/git/two words/x.md': 'x',
    'config/commands/git/.hidden/x.md': 'x',
  })
  const { prompts, notes } = read(folder, true)
  expect(prompts.map(({ name, hint }) => [name, hint])).toEqual([
    ['git:all:push', undefined],
    ['git:commit', '[message]'],
  ])
  expect(notes).toEqual([])
})

describe('what has no effect', () => {
  const notesOf = async (...lines: readonly string[]) => {
    const folder = await folderWith({ 'config/commands/a.md': lines.join('\n') })
    return read(folder, true).notes.map(({ kind, text }) => `${kind} ${text}`)
  }

  it('is named with its line', async () => {
    const fields = ['model: haiku', 'agent: plan', 'allowed-tools: Bash(git:*)', 'paths: x', 'odd: 1']
    expect(await notesOf('---', ...fields, '---', 'Status:', '!`git status`')).toEqual([
      'note 6: ignored the unknown field odd',
      'note 5: paths has no effect on commands, because the model does not see them',
    ])
  })

  it('is no fault of a command without fields', async () => {
    expect(await notesOf('Do it.')).toEqual([])
    expect(await notesOf('---', 'what', '---', 'Do it.')).toEqual([
      'fault 2: expected a field, such as name: reviewer',
    ])
    expect(await notesOf('---', 'description: x', '---')).toEqual(['unusable it is empty'])
  })
})

it('a prompt of a project that leads out of it is left out with a note', async () => {
  const folder = await folderWith({ 'secret.md': 'a secret', 'others/a.md': 'a secret' })
  const commands = join(folder, 'project/.pipe/commands')
  await mkdir(commands, { recursive: true })
  await symlink(join(folder, 'secret.md'), join(commands, 'leak.md'))
  await symlink(join(folder, 'others'), join(commands, 'more'))
  const text = 'ignored: it leads out of the project'
  expect(read(folder, true)).toEqual({
    prompts: [],
    notes: [
      { path: join(commands, 'more'), text, kind: 'unusable' },
      { path: join(commands, 'leak.md'), text, kind: 'unusable' },
    ],
  })
})

it('a folder that does not exist has no prompts', async () => {
  expect(read(await folderWith(), true)).toEqual({ prompts: [], notes: [] })
})
