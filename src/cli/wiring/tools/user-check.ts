import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Actor } from '../../../actor.ts'
import { CheckDemand, type CheckRun } from '../../../answers/check-demand.ts'
import { type CheckDisk, CheckFiles } from '../../../answers/check-files.ts'
import { sha256 } from '../../../files/lazy-crypto.ts'
import { lookThrough } from '../../../files/look.ts'
import { textContent } from '../../../message.ts'
import type { ToolContext, ToolExecutor } from '../../../tool.ts'
import type { Choices } from '../run-choices.ts'

export interface CheckParts {
  /** The tools without the guard: nobody asks about a command of the user. */
  readonly builtin: ToolExecutor
  readonly actor: Actor
  /** Whether commands are confined to the sandbox now. */
  readonly isConfined: () => Promise<boolean>
  /** The working folder. */
  readonly cwd: string
}

/** The longest time of a check, in seconds: that of any command. */
const timeout = 600

/** Opens the user's check. It runs as commands of the model do, because it may run what the model wrote. */
export function openCheck(
  { command, tries }: NonNullable<Choices['check']>,
  { builtin, actor, isConfined, cwd }: CheckParts,
): CheckDemand {
  return new CheckDemand({
    command,
    tries,
    files: new CheckFiles(command, diskAt(cwd)),
    run: async (signal) => {
      const context = { callId: 'check', signal, actor, confined: await isConfined() }
      return runCheck(builtin, command, context)
    },
  })
}

async function runCheck(builtin: ToolExecutor, command: string, context: ToolContext): Promise<CheckRun> {
  const run = builtin.execute('bash', { command, timeout, on_timeout: 'kill' }, context)
  for (;;) {
    const step = await run.next()
    if (step.done === true) return { passed: !step.value.isError, text: textContent(step.value) }
  }
}

/** Larger files are told apart by size and time of change. */
const mostHashed = 16 * 1024 * 1024

function diskAt(cwd: string): CheckDisk {
  const bytesOf = (path: string) => {
    const full = resolve(cwd, path)
    const stat = lookThrough(full)
    if (stat?.isFile() !== true) return undefined
    try {
      return stat.size > mostHashed ? `${stat.size} ${stat.mtimeMs}` : readFileSync(full)
    } catch {
      // A file that cannot be read is not watched.
      return undefined
    }
  }
  return {
    isFolder: (path) => lookThrough(resolve(cwd, path))?.isDirectory() === true,
    fingerprint: (path) => {
      const bytes = bytesOf(path)
      return typeof bytes === 'object' ? sha256(bytes) : bytes
    },
    text: (path) => bytesOf(path)?.toString(),
  }
}
