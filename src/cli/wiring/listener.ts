import { readFileSync } from 'node:fs'
import { systemCode } from '../../files/system-error.ts'
import type { Machine } from '../machine.ts'

/** The owner of a listening port on this machine: `unknown` if the system does not say. */
export type Listener =
  | { readonly owner: 'own' }
  | { readonly owner: 'other'; readonly uid: number }
  | { readonly owner: 'unknown' }

/** Finds the owner of a loopback port in Linux's socket table. Returns `own` only if every listener on the port belongs to this user. */
export function findListener(url: string, machine: Pick<Machine, 'uid' | 'platform'>): Listener {
  const { port, protocol } = new URL(url)
  const number = Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port)
  const uids = ['tcp', 'tcp6'].flatMap((name) => listenersOn(number, readTable(`/proc/net/${name}`)))
  const stranger = uids.find((uid) => uid !== machine.uid)
  if (stranger !== undefined) return { owner: 'other', uid: stranger }
  return { owner: uids.length > 0 && machine.uid !== undefined ? 'own' : 'unknown' }
}

/** Lists the users of the sockets listening on a port, from a table like `/proc/net/tcp` (proc_net_tcp of the Linux kernel). */
export function listenersOn(port: number, table: string): readonly number[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , uid = ''] = line.trim().split(/\s+/)
    return state === listening && local.endsWith(`:${wanted}`) ? [Number(uid)] : []
  })
}

/** TCP_LISTEN. */
const listening = '0A'

/** Reads a table. Empty if it does not exist, as on macOS and in some containers. */
function readTable(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return ''
  }
}
