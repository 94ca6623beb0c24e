import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsFromOutside, readContextFiles } from '../../../src/config/context/context-files.ts'
import { folderWith } from '../../support/folders/folder.ts'

type Files = Readonly<Record<string, string>>

/** A folder with a home and a project, whose instructions are read. */
async function world(files: Files, mayImport?: (path: string) => boolean) {
  const folder = await folderWith({ 'home/x': '', 'project/.git/HEAD': '', ...files })
  return {
    folder,
    places: {
      cwd: join(folder, 'project'),
      home: join(folder, 'home'),
      config: join(folder, 'home/pipe'),
      mayImport,
    },
  }
}

async function read(files: Files, mayImport?: (path: string) => boolean) {
  const { folder, places } = await world(files, mayImport)
  const { files: found, faults } = readContextFiles(places)
  const short = (path: string) => path.slice(folder.length + 1)
  return {
    files: found.map(({ path, text }) => [short(path), text]),
    faults: faults.map(({ path, what }) => `${short(path)} ${what}`),
  }
}

describe('an import', () => {
  it('stands before the file that names it, relative to that file, and the file keeps its words', async () => {
    const { files } = await read({
      'project/AGENTS.md': 'See @docs/style.md and @./README.md.',
      'project/docs/style.md': 'tabs, as @more/why.md says',
      'project/docs/more/why.md': 'because',
      'project/README.md': 'a ledger',
    })
    expect(files).toEqual([
      ['project/docs/more/why.md', 'because'],
      ['project/docs/style.md', 'tabs, as @more/why.md says'],
      ['project/README.md', 'a ledger'],
      ['project/AGENTS.md', 'See @docs/style.md and @./README.md.'],
    ])
  })

  it('is read once, also in a circle', async () => {
    const { files, faults } = await read({
      'project/AGENTS.md': 'a @b.md @b.md',
      'project/b.md': 'b @AGENTS.md @b.md @c.md',
      'project/c.md': 'c @b.md',
    })
    expect(files.map(([path]) => path)).toEqual(['project/c.md', 'project/b.md', 'project/AGENTS.md'])
    expect(faults).toEqual([])
  })

  it('goes five files deep', async () => {
    const chain = Array.from({ length: 7 }, (_, i) => [`project/${i}.md`, `${i} @${i + 1}.md`])
    const { files, faults } = await read({ 'project/AGENTS.md': 'start @0.md', ...Object.fromEntries(chain) })
    expect(files.map(([path]) => path)).toEqual([
      ...['4', '3', '2', '1', '0'].map((name) => `project/${name}.md`),
      'project/AGENTS.md',
    ])
    expect(faults).toEqual(['project/4.md imports 5.md, which is skipped: imports go at most 5 files deep'])
  })

  it('in code is text', async () => {
    const text = [
      'Write `@a.md` and ``x ` @a.md``.',
      '```sh',
      'cat @a.md',
      '~~~',
      '@a.md',
      '```',
      '- ~~~',
      '  @a.md',
    ].join('\n')
    const { files } = await read({ 'project/AGENTS.md': text, 'project/a.md': 'a' })
    expect(files).toEqual([['project/AGENTS.md', text]])
  })

  it('that is missing stays text, and one that looks like a file is named to those who ask', async () => {
    const { places } = await world({
      'project/AGENTS.md': 'ask @someone, @scope/package or read @docs/no.md',
    })
    const { files, faults } = readContextFiles(places)
    expect(files.map(({ text }) => text)).toEqual(['ask @someone, @scope/package or read @docs/no.md'])
    expect(faults.map(({ what, isDetail }) => [what, isDetail])).toEqual([
      ['imports docs/no.md, which does not exist', true],
    ])
  })

  it('may have blanks and a heading in its name', async () => {
    const { files } = await read({
      'project/AGENTS.md': 'x @my\\ notes.md#style y',
      'project/my notes.md': 'notes',
    })
    expect(files[0]).toEqual(['project/my notes.md', 'notes'])
  })

  it('out of the project is left out and named until the user approves it', async () => {
    const project: Files = {
      'home/notes.md': 'mine',
      'home/secret.md': 'secret',
      'project/AGENTS.md': 'a @~/notes.md @../home/secret.md',
    }
    const { folder, places } = await world(project)
    expect(readContextFiles(places).files).toHaveLength(1)
    expect(readContextFiles(places).faults.map(({ what }) => what)).toEqual([
      'imports ~/notes.md, which is skipped: it is outside the project; pipe trust approves it',
      'imports ../home/secret.md, which is skipped: it is outside the project; pipe trust approves it',
    ])
    const outside = [join(folder, 'home/notes.md'), join(folder, 'home/secret.md')]
    expect(importsFromOutside(places)).toEqual(outside)
    const approved = readContextFiles({ ...places, mayImport: (path) => path === outside[0] })
    expect(approved.files.map(({ text, isOwn }) => [text, isOwn])).toEqual([
      ['mine', false],
      ['a @~/notes.md @../home/secret.md', false],
    ])
  })

  it('by a link out of the project, and of a hidden file, is left out', async () => {
    const { folder, places } = await world({
      'home/secret.md': 'secret',
      'project/AGENTS.md': 'a @link.md @.env @.git/config @docs/.key.md',
      'project/.env': 'KEY=1',
      'project/.git/config': 'url = token',
      'project/docs/.key.md': 'key',
    })
    await symlink('../home/secret.md', join(folder, 'project/link.md'))
    const { files, faults } = readContextFiles(places)
    expect(files).toHaveLength(1)
    expect(faults.map(({ what }) => what.replace(/^.*skipped: /, ''))).toEqual([
      'it is outside the project; pipe trust approves it',
      'hidden files are not imported',
      'hidden files are not imported',
      'hidden files are not imported',
    ])
  })

  it('of the user’s own instructions leads anywhere in the home folder, and not out of it', async () => {
    const { files, faults } = await read({
      'home/pipe/AGENTS.md': 'own @~/notes.md @../../project/README.md',
      'home/notes.md': 'notes',
      'project/README.md': 'not yours',
    })
    expect(files).toEqual([
      ['home/notes.md', 'notes'],
      ['home/pipe/AGENTS.md', 'own @~/notes.md @../../project/README.md'],
    ])
    expect(faults).toEqual([
      'home/pipe/AGENTS.md imports ../../project/README.md, which is skipped: your own instructions import files of your home folder only',
    ])
  })

  it('is one of at most 50', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `${i}.md`)
    const { files, faults } = await read({
      'project/AGENTS.md': names.map((name) => `@${name}`).join(' and '),
      ...Object.fromEntries(names.map((name) => [`project/${name}`, name])),
    })
    expect(files).toHaveLength(51)
    expect(faults).toHaveLength(10)
  })
})

describe('the instructions of a folder', () => {
  it('are those of all agents, in the order in which they count', async () => {
    const { files, faults } = await read({
      'project/AGENTS.md': 'overridden',
      'project/AGENTS.override.md': 'override',
      'project/CLAUDE.md': 'peer',
      'project/.claude/CLAUDE.md': 'peer in its folder',
      'project/.claude/rules/b.md': 'rule b',
      'project/.claude/rules/a/deep.md': '---\ndescription: x\n---\nrule a',
      'project/.claude/rules/c.md': '---\npaths: "**"\n---\nall files',
      'project/.claude/rules/d.md': '---\npaths:\n  - "src/**/*.ts"\n---\nonly some files',
      'project/.claude/rules/e.txt': 'no rule',
      'project/CLAUDE.local.md': 'local',
      'project/GEMINI.md': 'not the only one',
    })
    expect(files).toEqual([
      ['project/AGENTS.override.md', 'override'],
      ['project/CLAUDE.md', 'peer'],
      ['project/.claude/CLAUDE.md', 'peer in its folder'],
      ['project/.claude/rules/a/deep.md', 'rule a'],
      ['project/.claude/rules/b.md', 'rule b'],
      ['project/.claude/rules/c.md', 'all files'],
      ['project/CLAUDE.local.md', 'local'],
    ])
    expect(faults).toEqual(['project/CLAUDE.md is read as well as AGENTS.md, because they differ'])
  })

  it('overridden are not imported by what stands beside them', async () => {
    const { files } = await read({
      'project/AGENTS.md': 'overridden',
      'project/AGENTS.override.md': 'override',
      'project/CLAUDE.md': '@AGENTS.md',
    })
    expect(files).toEqual([['project/AGENTS.override.md', 'override']])
  })

  it('are GEMINI.md where it is the only one', async () => {
    expect((await read({ 'project/GEMINI.md': 'alone' })).files).toEqual([['project/GEMINI.md', 'alone']])
  })

  it('of the home are those of the user for other agents too', async () => {
    const { files } = await read({
      'home/.claude/CLAUDE.md': 'peer',
      'home/.claude/rules/x.md': 'rule',
      'home/.codex/AGENTS.md': 'another',
      'home/.gemini/GEMINI.md': 'not the only one',
      'home/pipe/AGENTS.md': 'mine',
    })
    expect(files.map(([, text]) => text)).toEqual(['peer', 'rule', 'another', 'mine'])
    expect((await read({ 'home/.gemini/GEMINI.md': 'alone' })).files.map(([, text]) => text)).toEqual([
      'alone',
    ])
  })

  it('leave out rules in a folder that is a link out of the project', async () => {
    const { folder, places } = await world({ 'home/rules/a.md': 'not yours' })
    await mkdir(join(folder, 'project/.claude'))
    await symlink('../../home/rules', join(folder, 'project/.claude/rules'))
    expect(readContextFiles(places)).toEqual({
      files: [],
      faults: [
        {
          path: join(folder, 'project/.claude/rules'),
          what: 'is skipped: it is a link out of the project',
          isBroken: false,
        },
      ],
    })
  })
})
