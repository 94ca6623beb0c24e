import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { vi } from 'vitest'
import { processStart } from '../../../src/files/lock/process-start.ts'

/** Whether a process is alive, or a group, given as its negative id. Zombies are not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return pid < 0 || !existsSync('/proc/self/stat') || processStart(pid) !== undefined
}

/** Polls: `expect.poll` does not work in concurrent tests. */
const patience = { timeout: 60_000, interval: 20 }

/** Waits until all of these processes have ended. */
export async function untilGone(...pids: readonly number[]): Promise<void> {
  await vi.waitUntil(() => !pids.some(isAlive), patience)
}

/** Waits until a process has this word in its command line. */
export async function untilRuns(word: string): Promise<void> {
  await vi.waitUntil(() => isRunning(word), patience)
}

/** Waits until no process has this word in its command line. */
export async function untilNoneRuns(word: string): Promise<void> {
  await vi.waitUntil(() => !isRunning(word), patience)
}

/** Waits until a process has a watchdog, which ends its commands if it is killed. */
export async function untilWatched(pid: number): Promise<void> {
  const isWatchdog = (child: string) =>
    commandLine(child).some((word) => word.includes("trap '' HUP INT TERM"))
  await vi.waitUntil(() => childrenOf(pid).some(isWatchdog), patience)
}

function childrenOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
}

function isRunning(word: string): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && commandLine(name).includes(word))
}

/** Returns an empty command line for a process that has ended. */
function commandLine(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
