import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { Clock } from '../../src/clock.ts'
import { type CheckpointsOptions, createCheckpoints } from '../../src/git/checkpoints/checkpoints.ts'
import { turnLimits } from '../../src/git/save-limits.ts'
import { Shadow } from '../../src/git/shadow.ts'
import type { Checkpoint, Checkpoints } from '../../src/history/checkpoint.ts'
import type { CommandRunner } from '../../src/machine/running-command.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { folderWith } from '../support/folders/folder.ts'
import { text, user } from '../support/messages/messages.ts'

const path = process.env['PATH'] ?? ''

/** The limits of a turn, without its time: a busy machine takes longer. */
export const patientLimits = { ...turnLimits, ms: 120_000, writtenMs: 120_000 }

/** Hides the git configuration of this machine from the tests. */
const gitEnv = {
  PATH: path,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
}

export interface ProjectSetup {
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly clock?: Clock
  readonly path?: string
  /** A folder inside the project for the state of pipe. Default: a folder beside the project. */
  readonly stateIn?: string
  /** The absolute folder for the state of pipe. */
  readonly state?: string
  /** The working folder, relative to the project. Default: its root. */
  readonly cwd?: string
  readonly commands?: (real: CommandRunner) => CommandRunner
}

/** A folder to work in, with the state of pipe. Removed after the test. */
export async function openProject({
  files = {},
  clock = systemClock,
  cwd = '',
  ...setup
}: ProjectSetup = {}) {
  const folder = await folderWith({})
  const root = join(folder, 'project')
  mkdirSync(root)
  const { stateIn } = setup
  const state = setup.state ?? (stateIn === undefined ? join(folder, 'state') : join(root, stateIn))
  const real = createCommandRunner({ clock: systemClock })
  onTestFinished(() => real.close())
  const shadow = new Shadow({
    root,
    directory: join(state, 'checkpoints'),
    cwd: join(root, cwd),
    keepOut: [state],
    commands: setup.commands?.(real) ?? real,
    clock,
    searchPath: setup.path ?? path,
    pid: process.pid,
    host: 'here',
  })
  const run = (script: string) =>
    execFileSync('sh', ['-c', script], { cwd: root, env: gitEnv, encoding: 'utf8' })
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  for (const [name, content] of Object.entries(files)) put(name, content)
  return {
    folder,
    root,
    shadow,
    put,
    /** Runs shell lines in the folder and returns their output. */
    run,
    checkpoints: (options: Partial<CheckpointsOptions> = {}) =>
      createCheckpoints(shadow, { session: 'one', limits: patientLimits, ...options }),
    /** The contents of the folder, as returned by `listing`. */
    list: () => listing(root),
  }
}

/** Runs a turn that does this, in a command or in calls that keep files. Returns the checkpoints saved before and after it. */
export async function turn(
  checkpoints: Checkpoints,
  label: string,
  change: () => unknown,
  keepsFiles = false,
): Promise<readonly (Checkpoint | undefined)[]> {
  checkpoints.begin(user(text(label)))
  const before = await checkpoints.save({ signal: never(), keepsFiles })
  await change()
  return [before, await checkpoints.end()]
}

/**
 * A shell command that gives files an old time. Git compares times in seconds, so it misses a new mode within the second of the last
 * save; turns take longer.
 */
export function aged(files: string): string {
  return `touch -d 2001-01-01 ${files}`
}

export function never(): AbortSignal {
  return new AbortController().signal
}

/** Lists the files below a folder, each with its mode and its content or link target. Leaves out folders. */
export function listing(folder: string, below = ''): Record<string, string> {
  const entries = readdirSync(join(folder, below), { withFileTypes: true })
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const name = join(below, entry.name)
      const file = join(folder, name)
      if (entry.isDirectory()) return listing(folder, name)
      if (entry.isSymbolicLink()) return { [name]: `-> ${readlinkSync(file)}` }
      const mode = (lstatSync(file).mode & 0o7777).toString(8)
      return { [name]: `${mode} ${describe(readFileSync(file))}` }
    }),
  )
}

/** Short text as is; anything else as its hash. */
function describe(bytes: Buffer): string {
  const shown = bytes.toString('utf8')
  const isPlain = bytes.length < 100 && Buffer.from(shown).equals(bytes)
  return isPlain ? JSON.stringify(shown) : createHash('sha256').update(bytes).digest('hex')
}
