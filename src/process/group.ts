import { readdirSync, readFileSync } from 'node:fs'
import type { Clock } from '../clock.ts'

const graceMs = 3_000
const longestPollMs = 100

/**
 * Ends a process group, and those of its descendants that have a session of their own: TERM, KILL where one is still there 3 s later.
 * Returns when they are gone or were killed. A descendant is known as such while its parents run, and on Linux only.
 */
export async function endGroup(pgid: number, clock: Clock): Promise<void> {
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
 * Whether something lives on in a group whose leader has ended and was waited for. A process of that number would be a new one, and
 * the group too: no number is given again while a group has it.
 */
export function isGroupLeft(pgid: number): boolean {
  return isGroupAlive(pgid) && !send(0, pgid)
}

/** The group first. */
function withDescendants(pgid: number): readonly number[] {
  const all = processes()
  const groups = new Set([pgid])
  // What is added on the way is come to as well.
  for (const group of groups) {
    const members = new Set(all.filter((one) => one.group === group).map(({ pid }) => pid))
    for (const { parent, group: below } of all) if (members.has(parent)) groups.add(below)
  }
  return [...groups]
}

/** Whether all that is left of a group has ended and waits to be reaped, which a container's first process may never do. */
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

/** All that can be seen. None where the system does not show them: only Linux does, to whoever has a descriptor left. */
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
  // The name in field 2 may hold spaces and brackets: the fields are counted after its last bracket.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    isLiving: state !== 'Z' && state !== 'X',
  }
}

/** Whether there is such a process, or a group where the number is negative. Signal 0 only asks. */
function send(signal: NodeJS.Signals | 0, pid: number): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    // EPERM: it is there, but belongs to someone else by now (sudo).
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
