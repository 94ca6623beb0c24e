import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownCommands } from '../../../../src/cli/run/message/own-commands.ts'
import type { Skill } from '../../../../src/config/skills/skill.ts'
import { initPrompt } from '../../../../src/frontend/slash/init-prompt.ts'
import { folderWith } from '../../../support/folders/folder.ts'

const skill: Skill = {
  name: 'pdf',
  description: 'Reads PDF files',
  source: 'user',
  path: '/skills/pdf/SKILL.md',
  body: '',
  isForModel: true,
  isForUser: true,
}
const fix = { name: 'fix', description: 'fixes', text: 'Fix it.', source: 'yours', path: '/fix.md' }
const base = { cwd: '/nowhere', home: '/home/me' }

it('what the user calls are prompts, skills that are not for the model alone, and /init', () => {
  const skills = [
    { ...skill, hint: 'FILE' },
    { ...skill, name: 'fix', source: 'project' as const },
    { ...skill, name: 'mine', isForUser: false },
  ]
  expect(ownCommands({ prompts: () => [fix], skills: () => skills }, base)).toEqual([
    fix,
    {
      name: 'pdf',
      alias: 'skill:pdf',
      description: 'Reads PDF files',
      text: '/skill:pdf $ARGUMENTS',
      source: 'a skill of yours',
      hint: 'FILE',
    },
    {
      name: 'skill:fix',
      description: 'Reads PDF files',
      text: '/skill:fix $ARGUMENTS',
      source: 'a skill of this project',
    },
    initPrompt,
  ])
  const init = { ...fix, name: 'init' }
  expect(ownCommands({ prompts: () => [init], skills: () => [] }, base)).toEqual([init])
})

describe('the text of a command of a project', () => {
  async function textOf(text: string, isOfProject = true): Promise<string | undefined> {
    const folder = await folderWith({
      'home/key.txt': 'k',
      'home/notes/a.md': '# A',
      'project/a.md': '# A',
      'project/sub/b.md': 'b',
      'project/it’s': '',
    })
    const root = join(folder, 'project')
    await symlink(join(folder, 'home/key.txt'), join(root, 'link.txt'))
    await symlink(join(folder, 'home/key.txt'), join(root, "it's mine"))
    await mkdir(join(root, 'work'))
    const prompt = { ...fix, text, ...(isOfProject && { root }) }
    const where = { cwd: root, home: join(folder, 'home') }
    return ownCommands({ prompts: () => [prompt], skills: () => [] }, where)[0]?.text
  }

  it.each([
    'See @a.md, @sub/b.md and @sub.',
    'See @a.md#a and @a.md:1-2.',
    'See @$1, @$ARGUMENTS and @nothing.',
    'Mail me@home.example or @agent:review.',
  ])('keeps what lies in it: %s', async (text) => expect(await textOf(text)).toBe(text))

  it.each([
    ['@~/key.txt', '~/key.txt'],
    ['See @../home/key.txt, now', 'See ../home/key.txt, now'],
    ['"x" @"~/key.txt"', '"x" "~/key.txt"'],
    ['@link.txt', 'link.txt'],
    ['@link.txt:1-2 and @a.md', 'link.txt:1-2 and @a.md'],
    ['@~/notes/a.md#a', '~/notes/a.md#a'],
    ['@"it’s mine"', '"it’s mine"'],
    ['@~/$1', '~/$1'],
    ['@lin$1', 'lin$1'],
    ['@session:last', 'session:last'],
    ['@@~/key.txt$ARGUMENTS', '~/key.txt$ARGUMENTS'],
    ['$ARGUMENTS@~/key.txt', '$ARGUMENTS~/key.txt'],
    ['$1 x $2@@~/key.txt', '$1 x $2~/key.txt'],
    [`@${'sub/../'.repeat(400)}../home/key.txt`, `${'sub/../'.repeat(400)}../home/key.txt`],
    [`@"${'sub/../'.repeat(200)}../home/key.txt"`, `"${'sub/../'.repeat(200)}../home/key.txt"`],
    ['@"$1 @~/key.txt "', '"$1 ~/key.txt "'],
    [String.raw`@\~/key.txt`, String.raw`\~/key.txt`],
  ])('attaches nothing outside of it: %s', async (text, expected) => {
    expect(await textOf(text)).toBe(expected)
    expect(await textOf(text, false)).toBe(text)
  })
})
