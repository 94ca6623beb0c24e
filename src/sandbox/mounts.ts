import { readFileSync, readlinkSync } from 'node:fs'
import { entryNames } from '../files/look.ts'

/**
 * Mount points in the namespaces of other processes, as far as they are visible. Removing one would uncover it there. Empty
 * except on Linux.
 */
export function mountedElsewhere(): ReadonlySet<string> {
  const namespaces = new Set([namespaceOf('self')])
  const paths = new Set<string>()
  for (const pid of processes()) {
    const namespace = namespaceOf(pid)
    if (namespaces.has(namespace)) continue
    const mounts = readIfVisible(`/proc/${pid}/mountinfo`)
    if (mounts === undefined) continue
    namespaces.add(namespace)
    for (const line of mounts.split('\n')) paths.add(unescapeField(line.split(' ', 5)[4] ?? ''))
  }
  return paths
}

function processes(): readonly string[] {
  return entryNames('/proc').filter((name) => /^\d+$/.test(name))
}

/** `undefined` if the process has ended or belongs to another user. Also for this process if the system has no namespaces. */
function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`)
  } catch {
    return undefined
  }
}

function readIfVisible(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Decodes octal escapes, which stand for characters that would end a field. Other bytes stay as they are. */
function unescapeField(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
}
