import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { createSandboxedProject, hasBubblewrap, path, run } from './sandboxed-project.ts'

const who = 'git config --global user.email a@b.c; git config --global user.name a; '
const commit = `${who}git add -A && git commit -qm one`

/** Runs a line of bash outside any sandbox, with a home of its own. */
async function outside(script: string, cwd: string) {
  const commands = createCommandRunner({ clock: systemClock })
  try {
    const ran = await run(commands, { script, cwd, env: { HOME: join(cwd, '..') } })
    expect(ran).toMatchObject({ exitCode: 0 })
  } finally {
    await commands.close()
  }
}

/** Lists files that are neither committed nor ignored. */
const status = 'git status --porcelain --untracked-files=all'

describe.skipIf(!hasBubblewrap)('git in a sandbox', () => {
  it('lists no placeholders, and ignores what the repository ignores', async () => {
    const { project, bash, close } = await createSandboxedProject({ 'project/f': '', 'project/ignored': '' })
    await outside(`git init -q && printf ignored > .git/info/exclude && ${commit}`, project)
    expect(await bash(`${status}; touch made; ${status}`)).toEqual({
      exitCode: 0,
      stdout: '?? made\n',
      stderr: '',
    })
    await close()
    expect(await readFile(join(project, '.git/info/exclude'), 'utf8')).toBe('ignored')
    expect((await readdir(project)).sort()).toEqual(['.git', 'f', 'ignored', 'made'])
  })

  it('lists none in a subfolder or a work tree either', async () => {
    const { root, project } = await createSandboxedProject({ 'project/sub [1]/f': '' })
    await outside(`git init -q && ${commit} && git worktree add -q ../tree`, project)
    for (const folder of [join(project, 'sub [1]'), join(root, 'tree')]) {
      const { sandbox } = await createSandboxedProject({}, { writable: [folder] })
      const line = { script: `${status}; touch made; ${status}; rm made`, cwd: folder, env: {} }
      expect(await run(sandbox.commands, line)).toEqual({
        exitCode: 0,
        stdout: expect.stringMatching(/^\?\? \S*made\n$|^\?\? "?sub \[1\]\/made"?\n$/),
        stderr: '',
      })
    }
  })

  it('throws if the exclude file cannot be written', async () => {
    const { root, project, bash } = await createSandboxedProject({ 'project/f': '' })
    await outside('git init -q', project)
    expect(await bash('true')).toMatchObject({ exitCode: 0 })
    await rm(join(root, 'temp.own'), { recursive: true })
    await expect(bash('true')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^cannot write .*exclude-/),
    })
  })

  it('follows changes to the exclude file, and works without one', async () => {
    const { project, bash } = await createSandboxedProject({ 'project/a': '', 'project/b': '' })
    await outside('git init -q --template= && mkdir .git/info', project)
    expect((await bash('git status --porcelain a b')).stdout).toBe('?? a\n?? b\n')
    for (const [text, listed] of [
      ['/a\n', '?? b\n'],
      ['/b', '?? a\n'],
    ] as const) {
      await writeFile(join(project, '.git/info/exclude'), text)
      expect((await bash(status)).stdout).toBe(listed)
    }
  })
})

describe.skipIf(!hasBubblewrap)('a placeholder for a file', () => {
  it('is an empty file that can be read and copied, even in a home', async () => {
    const { root, project } = await createSandboxedProject()
    const files = ['.gitconfig', '.bash_profile', '.netrc', '.yarnrc'].map((name) => join(project, name))
    const { sandbox } = await createSandboxedProject({}, { writable: [project], protectedFiles: files })
    const script =
      'cat .gitconfig .netrc .yarnrc && cp -r . /tmp/copy && tar cf /tmp/t . && git config --global -l'
    expect(await run(sandbox.commands, { script, cwd: project, env: { HOME: project, PATH: path } })).toEqual(
      {
        exitCode: 0,
        stdout: '',
        stderr: '',
      },
    )
    await sandbox.close()
    expect(await readdir(root)).toEqual(['other', 'project'])
    expect(await readdir(project)).toEqual([])
  })
})
