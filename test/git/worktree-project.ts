import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/clock.ts'
import type { Clock } from '../../src/clock.ts'
import type { CommandRunner } from '../../src/command.ts'
import type { WorkKind } from '../../src/git/work-refs.ts'
import { GitWorktrees } from '../../src/git/worktrees.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { never, openProject, type ProjectSetup } from './project.ts'

interface WorktreeSetup extends Pick<ProjectSetup, 'files' | 'cwd'> {
  /** Shell lines to run in the project. Default: makes a repository with all files in one commit. */
  readonly script?: string
}

interface Opening {
  readonly kind?: WorkKind
  readonly clock?: Clock
  readonly pid?: number
  readonly commands?: (real: CommandRunner) => CommandRunner
}

export const commitAll = 'git init -q -b main; git add -A; git commit -qm one'

/** A project with worktrees in the cache beside it. */
export async function openWorktreeProject({ files, cwd = '', script = commitAll }: WorktreeSetup = {}) {
  const project = await openProject({ files: files ?? { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' } })
  project.run(script)
  mkdirSync(join(project.root, cwd), { recursive: true })
  const real = createCommandRunner({ clock: systemClock })
  onTestFinished(() => real.close())
  const folder = join(project.folder, 'cache', 'worktrees')
  const open = ({ kind = 'elves', clock = systemClock, pid = process.pid, commands }: Opening = {}) =>
    new GitWorktrees({
      kind,
      cwd: join(project.root, cwd),
      root: project.root,
      home: join(project.folder, 'home'),
      folder,
      saved: join(project.folder, 'state', 'worktrees'),
      commands: commands?.(real) ?? real,
      clock,
      pid,
      host: 'here',
      searchPath: process.env['PATH'] ?? '',
    })
  return { ...project, cache: folder, open, worktrees: open() }
}

export const options = { signal: never() }
