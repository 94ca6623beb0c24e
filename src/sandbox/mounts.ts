import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * The paths that something is mounted over where other processes live, as far as they may be seen: removing one lays it open there.
 * Only Linux says so.
 */
export function mountedElsewhere(): ReadonlySet<string> {
  const namespaces = new Set([namespaceOf('self')])
  const paths = new Set<string>()
  for (const pid of processes()) {
    const namespace = namespaceOf(pid)
    if (namespaces.has(namespace)) continue
    const mounts = readIfThere(`/proc/${pid}/mountinfo`)
    if (mounts === undefined) continue
    namespaces.add(namespace)
    for (const line of mounts.split('\n')) paths.add(unescapeField(line.split(' ', 5)[4] ?? ''))
  }
  return paths
}

function processes(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** `undefined`, as for this process where there are none, if it has ended or belongs to somebody else. */
function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`)
  } catch {
    return undefined
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Spaces, and what else would end a field, stand there by their octal codes; bytes of other characters as they are. */
function unescapeField(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
}
