import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { vi } from 'vitest'
import { processStart } from '../../src/files/process-start.ts'

/** Whether a process lives, or a group, named by its negative id. One that has ended and waits for its parent to notice does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return pid < 0 || !existsSync('/proc/self/stat') || processStart(pid) !== undefined
}

/** Tests that run side by side cannot use `expect.poll`. */
const patience = { timeout: 60_000, interval: 20 }

/** Waits until all of these processes have ended. */
export async function untilGone(...pids: readonly number[]): Promise<void> {
  await vi.waitUntil(() => !pids.some(isAlive), patience)
}

/** Waits until a process has this word in its command line. */
export async function untilRuns(word: string): Promise<void> {
  await vi.waitUntil(() => isRunning(word), patience)
}

/** Waits until no process has this word in its command line any more. */
export async function untilNoneRuns(word: string): Promise<void> {
  await vi.waitUntil(() => !isRunning(word), patience)
}

/** Waits until a process has a watchdog, which ends its commands should it be killed. */
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

/** None of a process that has ended meanwhile. */
function commandLine(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
