import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findSkills } from '../../../src/config/skills/find-skills.ts'
import { skillFolders } from '../../../src/config/skills/skill-folders.ts'
import { folderWith } from '../../support/folders/folder.ts'

const skill = (name: string, description = `does ${name}`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`

/** Finds the skills of a project and a home below this folder. */
function find(folder: string, answer: boolean | 'none' = true) {
  const trusted = answer === 'none' ? undefined : answer
  const root = join(folder, 'project')
  const places = { root, trusted, config: join(folder, 'config'), home: join(folder, 'home') }
  const { skills, notes } = findSkills(skillFolders(places))
  const short = (path: string) => path.replace(`${folder}/`, '')
  return {
    skills: skills.map(({ name, source, path }) => `${name} ${source} ${short(path)}`),
    notes: notes.map(
      ({ kind, path, text }) => `${kind} ${short(path)}: ${text.replaceAll(`${folder}/`, '')}`,
    ),
  }
}

it('skills are found in all folders, those of a trusted project first', async () => {
  const folder = await folderWith({
    'project/.pipe/skills/a/SKILL.md': skill('a'),
    'project/.agents/skills/b/SKILL.md': skill('b'),
    'project/.claude/skills/c/SKILL.md': skill('c'),
    'config/skills/d/SKILL.md': skill('d'),
    'home/.pipe/skills/e/SKILL.md': skill('e'),
    'home/.agents/skills/f/skill.md': skill('f'),
    'home/.claude/skills/a/SKILL.md': skill('a'),
    'home/.claude/skills/g/SKILL.md': skill('g'),
  })
  const own = [
    'd user config/skills/d/SKILL.md',
    'e user home/.pipe/skills/e/SKILL.md',
    'f user home/.agents/skills/f/skill.md',
    'g user home/.claude/skills/g/SKILL.md',
  ]
  expect(find(folder)).toEqual({
    skills: [
      'a project project/.pipe/skills/a/SKILL.md',
      'b project project/.agents/skills/b/SKILL.md',
      'c project project/.claude/skills/c/SKILL.md',
      ...own,
    ],
    notes: [
      'note home/.claude/skills/a/SKILL.md: hidden by project/.pipe/skills/a/SKILL.md, which is also called a',
    ],
  })
  for (const answer of [false, 'none'] as const)
    expect(find(folder, answer)).toEqual({
      skills: ['a user home/.claude/skills/a/SKILL.md', ...own],
      notes: [],
    })
})

it('skills in folders that group them are found, and what lies beside a SKILL.md is not one', async () => {
  const folder = await folderWith({
    'home/.agents/skills/documents/pdf/SKILL.md': skill('pdf'),
    'home/.agents/skills/documents/pdf/examples/old/SKILL.md': skill('old'),
    'home/.agents/skills/.git/hidden/SKILL.md': skill('hidden'),
    'home/.agents/skills/node_modules/x/SKILL.md': skill('x'),
    'home/.agents/skills/1/2/3/4/SKILL.md': skill('deep'),
    'home/.agents/skills/README.md': 'none',
  })
  expect(find(folder)).toEqual({
    skills: ['pdf user home/.agents/skills/documents/pdf/SKILL.md'],
    notes: [],
  })
})

it('a folder that links to a group of skills is one, but not if it leads to what holds it', async () => {
  const folder = await folderWith({
    'repo/skills/a/SKILL.md': skill('a'),
    'home/work/SKILL.md': skill('work'),
    'home/.agents/skills/README.md': '',
  })
  await symlink(join(folder, 'repo/skills'), join(folder, 'home/.agents/skills/group'))
  await symlink('../..', join(folder, 'home/.agents/skills/up'))
  expect(find(folder)).toEqual({
    skills: ['a user home/.agents/skills/group/a/SKILL.md'],
    notes: ['unusable home/.agents/skills/up: ignored: it leads to a folder that contains it'],
  })
})

it('one skill that several folders link to is one', async () => {
  const folder = await folderWith({ 'home/.agents/skills/a/SKILL.md': skill('a') })
  await mkdir(join(folder, 'home/.claude/skills'), { recursive: true })
  await symlink('../../.agents/skills/a', join(folder, 'home/.claude/skills/a'))
  expect(find(folder)).toEqual({ skills: ['a user home/.agents/skills/a/SKILL.md'], notes: [] })
})

describe('a skill of a project that leads out of it', () => {
  it.each([
    ['by its file', 'a/SKILL.md', 'secret/SKILL.md'],
    ['by its folder', 'a', 'secret'],
    ['by the folder of all', '', 'others'],
  ])('%s is left out with a note', async (_, link, target) => {
    const folder = await folderWith({
      'secret/SKILL.md': skill('a'),
      'others/a/SKILL.md': skill('a'),
      'project/.agents/readme': '',
    })
    const at = join(folder, 'project/.agents/skills', link)
    await mkdir(join(at, '..'), { recursive: true })
    await symlink(join(folder, target), at)
    const path = join('project/.agents/skills', link)
    expect(find(folder)).toEqual({
      skills: [],
      notes: [`unusable ${path}: ignored: it leads out of the project`],
    })
  })

  it('is the user’s own in their home', async () => {
    const folder = await folderWith({ 'elsewhere/a/SKILL.md': skill('a'), 'home/.agents/readme': '' })
    await symlink(join(folder, 'elsewhere'), join(folder, 'home/.agents/skills'))
    expect(find(folder).skills).toEqual(['a user home/.agents/skills/a/SKILL.md'])
  })
})

it('a home that is the project holds the user’s own skills, trusted or not', async () => {
  const folder = await folderWith({ '.agents/skills/a/SKILL.md': skill('a') })
  for (const trusted of [true, false]) {
    const places = { root: folder, trusted, config: join(folder, 'config'), home: folder }
    expect(findSkills(skillFolders(places)).skills.map(({ name, source }) => `${name} ${source}`)).toEqual([
      'a user',
    ])
  }
})

it('what cannot be read is named, and leaves the others usable', async () => {
  const folder = await folderWith({
    'home/.agents/skills/a/SKILL.md': skill('a'),
    'home/.agents/skills/big/SKILL.md': 'x'.repeat(300_000),
    'home/.agents/skills/empty/SKILL.md': '',
    'home/.agents/skills/evil\u202e/SKILL.md': skill('evil'),
  })
  await symlink('nowhere', join(folder, 'home/.agents/skills/empty/../gone'))
  await mkdir(join(folder, 'home/.agents/skills/lost'))
  await symlink('nowhere', join(folder, 'home/.agents/skills/lost/SKILL.md'))
  expect(find(folder)).toEqual({
    skills: ['a user home/.agents/skills/a/SKILL.md'],
    notes: [
      `unusable home/.agents/skills: ignored ${JSON.stringify('evil\u202e')}: invisible characters`,
      'unusable home/.agents/skills/big/SKILL.md: it has more than 262144 bytes',
      'fault home/.agents/skills/empty/SKILL.md: 1: expected --- in a line of its own, then the fields',
      'fault home/.agents/skills/empty/SKILL.md: 1: the field name is missing, so it is called empty',
      'fault home/.agents/skills/empty/SKILL.md: 1: the field description is missing',
      'unusable home/.agents/skills/empty/SKILL.md: it is empty',
      'unusable home/.agents/skills/lost/SKILL.md: it is a broken link',
    ],
  })
})

it('a folder with too many skills is read up to a bound, and says so', async () => {
  const folder = await folderWith()
  for (let i = 0; i < 205; i++) {
    const at = join(folder, `home/.agents/skills/s${String(i).padStart(3, '0')}`)
    await mkdir(at, { recursive: true })
    await writeFile(join(at, 'SKILL.md'), skill(`s${String(i).padStart(3, '0')}`))
  }
  const { skills, notes } = find(folder)
  expect([skills.length, notes]).toEqual([
    200,
    ['unusable home/.agents/skills: only the first 200 skills and 1000 folders are read'],
  ])
})

it.each([
  ['work', 'Bash(sh FOLDER/work/x.sh:*)'],
  ['a *', 'Bash(sh VARIABLE/x.sh:*)'],
])('a rule of a skill names the project %j only if that allows nothing more', async (project, rule) => {
  const variable = `\${CLAUDE_PROJECT_DIR}`
  const content = skill('a').replace('\n---\n', `\nallowed-tools: Bash(sh ${variable}/x.sh:*)\n---\n`)
  const folder = await folderWith({ 'home/.claude/skills/a/SKILL.md': content })
  const at = (name: string) => join(folder, name)
  const places = { root: at(project), trusted: true, config: at('config'), home: at('home') }
  const [found] = findSkills(skillFolders(places)).skills
  expect(found?.asks?.allowed).toEqual([rule.replace('FOLDER', folder).replace('VARIABLE', variable)])
})
