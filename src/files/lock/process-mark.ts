import { isRunning, pidSpace, processStart } from './process-start.ts'

/** Returns this process's prefix for file names, which identifies the owner: pid, start, boot and PID namespace. */
export function processMark(): string {
  const { boot, namespace } = shortSpace()
  return [process.pid, processStart(process.pid) ?? '', boot, namespace, ''].join('-')
}

/**
 * Whether the process in a name's prefix is alive. Returns `foreign` for another container, machine or boot, and `undefined` without a
 * prefix.
 */
export function ownerOf(name: string): 'alive' | 'dead' | 'foreign' | undefined {
  const [, pid, start, boot, namespace] = /^(\d+)-(\d*)-(?:([0-9a-f]*)-(\d*)-)?/.exec(name) ?? []
  if (pid === undefined) return undefined
  const own = shortSpace()
  const isOther = (theirs: string | undefined, ours: string) =>
    (theirs ?? '') !== '' && ours !== '' && theirs !== ours
  if (isOther(boot, own.boot) || isOther(namespace, own.namespace)) return 'foreign'
  return isRunning(Number(pid), start === '' ? undefined : start) ? 'alive' : 'dead'
}

function shortSpace() {
  const { boot_id = '', pid_namespace = '' } = pidSpace()
  return { boot: boot_id.slice(0, 8), namespace: pid_namespace }
}
