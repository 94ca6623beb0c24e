import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { Clock } from '../../src/clock.ts'
import type { WorkKind } from '../../src/git/worktrees/work-refs.ts'
import { GitWorktrees } from '../../src/git/worktrees/worktrees.ts'
import type { CommandRunner } from '../../src/machine/running-command.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { listing, never, openProject, type ProjectSetup } from './project.ts'

interface WorktreeSetup extends Pick<ProjectSetup, 'files' | 'cwd'> {
  /** Shell lines to run in the project. Default: makes a repository with all files in one commit. */
  readonly script?: string
}

interface Opening {
  readonly kind?: WorkKind
  readonly clock?: Clock
  readonly pid?: number
  readonly home?: string
  /** Absolute. Default: the working folder of the project. */
  readonly cwd?: string
  readonly commands?: (real: CommandRunner) => CommandRunner
}

const commitAll = 'git init -q -b main; git add -A; git commit -qm one'

/** A project with worktrees in the cache beside it. */
export async function openWorktreeProject({ files, cwd = '', script = commitAll }: WorktreeSetup = {}) {
  const project = await openProject({ files: files ?? { 'a.txt': lines } })
  project.run(script)
  mkdirSync(join(project.root, cwd), { recursive: true })
  const real = createCommandRunner({ clock: systemClock })
  onTestFinished(() => real.close())
  const folder = join(project.folder, 'cache', 'worktrees')
  const warnings: string[] = []
  const open = ({
    kind = 'elves',
    clock = systemClock,
    pid = process.pid,
    commands,
    ...opening
  }: Opening = {}) =>
    new GitWorktrees({
      kind,
      cwd: opening.cwd ?? join(project.root, cwd),
      root: project.root,
      home: opening.home ?? join(project.folder, 'home'),
      folder,
      saved: join(project.folder, 'state', 'worktrees'),
      commands: commands?.(real) ?? real,
      clock,
      pid,
      host: 'here',
      warn: (line) => void warnings.push(line),
      searchPath: process.env['PATH'] ?? '',
    })
  return { ...project, cache: folder, warnings, open, worktrees: open() }
}

export const options = { signal: never() }

/** Runs shell lines in a folder, with git as Ann uses it. */
export function sh(cwd: string, script: string): string {
  const ann = { name: 'Ann', email: 'ann@example.org' }
  const env = {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: ann.name,
    GIT_AUTHOR_EMAIL: ann.email,
    GIT_COMMITTER_NAME: ann.name,
    GIT_COMMITTER_EMAIL: ann.email,
  }
  return execFileSync('sh', ['-ec', script], { cwd, env, encoding: 'utf8' })
}

export const lines = 'one\ntwo\nthree\nfour\nfive\n'

/** The user's files without those of git. */
export function filesIn(root: string): Record<string, string> {
  return Object.fromEntries(Object.entries(listing(root)).filter(([name]) => !name.startsWith('.git/')))
}

/** A project and saved work in it, made by shell lines. */
export async function withWork(script: string, setup: WorktreeSetup = {}) {
  const project = await openWorktreeProject(setup)
  const made = await project.worktrees.create('one', options)
  sh(made.cwd, script)
  await made.save(options)
  return { ...project, made }
}
