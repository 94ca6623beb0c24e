import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { Clock } from '../../src/clock.ts'
import type { CommandExit, CommandRunner } from '../../src/machine/running-command.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { SandboxProfile } from '../../src/sandbox/profile.ts'
import { folderWith } from '../support/folders/folder.ts'
import { closedProfile } from './profile.ts'

export const path = '/usr/local/bin:/usr/bin:/bin'

/** Whether this machine has bubblewrap. Otherwise, tests that need it are skipped. */
export const hasBubblewrap = ['/usr/local/bin', '/usr/bin', '/bin'].some((folder) =>
  existsSync(join(folder, 'bwrap')),
)

export interface SandboxedProject {
  /** Holds `project` and `other`. */
  readonly root: string
  readonly project: string
  readonly sandbox: OpenSandbox
  readonly commands: CommandRunner
  /** Runs a line of bash inside, with these variables added to its environment. */
  bash(script: string, env?: Readonly<Record<string, string>>): Promise<Ran>
  close(): Promise<void>
}

export interface Ran {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Creates a project in an empty folder, with a sandbox around it. */
export async function createSandboxedProject(
  files: Readonly<Record<string, string>> = {},
  more: Partial<SandboxProfile> = {},
  clock: Clock = systemClock,
  commands: CommandRunner = createCommandRunner({ clock: systemClock }),
): Promise<SandboxedProject> {
  const root = await folderWith(files)
  const project = join(root, 'project')
  for (const name of ['project', 'other']) await mkdir(join(root, name), { recursive: true })
  const profile: SandboxProfile = {
    ...closedProfile,
    writable: [project],
    protectedNames: ['.git', '.pipe', '.npmrc', '.bashrc'],
    protectedFolders: ['.git', '.pipe'],
    protectedFiles: ['.npmrc', '.bashrc'],
    temp: join(root, 'temp'),
    ...more,
  }
  const sandbox = openSandbox({
    commands,
    clock,
    profile,
    platform: 'linux',
    arch: process.arch,
    path,
  })
  const close = async () => {
    await commands.close()
    await sandbox.close()
  }
  onTestFinished(close)
  const bash = (script: string, env = {}) => run(sandbox.commands, { script, cwd: project, env })
  return { root, project, sandbox, commands, close, bash }
}

export interface Line {
  readonly script: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Runs a line of bash to its end. */
export async function run(commands: CommandRunner, { script, cwd, env }: Line): Promise<Ran> {
  const command = {
    file: 'bash',
    args: ['--norc', '-c', script, 'bash'],
    cwd,
    env: { PATH: path, ...env },
    timeoutMs: 120_000,
  }
  const running = commands.run(command, { signal: new AbortController().signal })
  const text = { stdout: '', stderr: '' }
  for (;;) {
    const step: IteratorResult<{ stream: 'stdout' | 'stderr'; chunk: Uint8Array }, CommandExit> =
      await running.next()
    if (step.done === true) return { exitCode: step.value.exitCode, ...text }
    text[step.value.stream] += Buffer.from(step.value.chunk).toString()
  }
}
