import { readdirSync, readFileSync } from 'node:fs'
import type { Clock } from '../clock.ts'

const usualGraceMs = 3_000
const longestPollMs = 100

/**
 * Ends a process group and those of descendants with their own sessions: TERM, then KILL after `graceMs`. Returns once they are gone or
 * killed. Finds descendants on Linux only, and only while their parents run.
 */
export async function endGroup(pgid: number, clock: Clock, graceMs: number = usualGraceMs): Promise<void> {
  let groups = withDescendants(pgid)
  for (const group of groups) send('SIGTERM', -group)
  const deadline = clock.monotonic() + graceMs
  const never = new AbortController().signal
  for (let pollMs = 5; ; pollMs = Math.min(pollMs * 2, longestPollMs)) {
    groups = groups.filter((group) => isGroupAlive(group) && !isGroupOfZombies(group))
    if (groups.length === 0) return
    if (clock.monotonic() >= deadline) {
      for (const group of groups) send('SIGKILL', -group)
      return
    }
    await clock.sleep(pollMs, never)
  }
}

export function isGroupAlive(pgid: number): boolean {
  return send(0, -pgid)
}

/**
 * Whether a group outlives its leader, which has ended and was waited for. If a process has that pid, the group is a new one: the
 * system reuses no pid while a group has it.
 */
export function isGroupLeft(pgid: number): boolean {
  return isGroupAlive(pgid) && !send(0, pgid)
}

/** The groups of all descendants, starting with this group. */
function withDescendants(pgid: number): readonly number[] {
  const all = processes()
  const groups = new Set([pgid])
  // The loop also visits groups added on the way.
  for (const group of groups) {
    const members = new Set(all.filter((one) => one.group === group).map(({ pid }) => pid))
    for (const { parent, group: below } of all) if (members.has(parent)) groups.add(below)
  }
  return [...groups]
}

/** Whether only zombies are left of a group, which the first process of a container may never reap. */
function isGroupOfZombies(pgid: number): boolean {
  const members = processes().filter(({ group }) => group === pgid)
  return members.length > 0 && !members.some(({ isLiving }) => isLiving)
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly isLiving: boolean
}

/** All visible processes. Empty if the system does not list them (only Linux does) or no descriptor is free. */
function processes(): readonly Process[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(name) ?? []) : []))
  } catch {
    return []
  }
}

function readProcess(pid: string): Process | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name in field 2 may contain spaces and brackets, so fields count from its last bracket.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    isLiving: state !== 'Z' && state !== 'X',
  }
}

/** Whether a process exists, or a group if the number is negative. Signal 0 only checks. */
function send(signal: NodeJS.Signals | 0, pid: number): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    // EPERM: it exists but belongs to another user by now (sudo).
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
