import type { Directories } from '../../../config/directories.ts'
import { type ConfiguredServer, expandServer } from '../../../config/mcp/find-servers.ts'
import { signInPath } from '../../../config/mcp/sign-in-path.ts'
import { lookThrough } from '../../../files/look.ts'
import { hasOwnAuthorization, type KnownServer, signInKey, spelledServer } from '../../../mcp/auth/sign-in.ts'
import { lockHolder, type Machine } from '../../machine.ts'

/** Names the state of a sign-in. `expired`: the tokens have ended and nothing renews them. */
export type SignInState = 'done' | 'expired' | 'needed'

/** Reads the sign-ins of servers by the name of each, and asks no server. One that was never reached says so only by its `oauth`. Throws `config`. */
export async function readSignIns(
  servers: readonly ConfiguredServer[],
  machine: Machine,
  directories: Directories,
): Promise<ReadonlyMap<string, SignInState>> {
  const states = new Map<string, SignInState>()
  const hasFile = lookThrough(signInPath(directories.config)) !== undefined
  const asked = servers.filter(
    ({ server: { access } }) => access.type === 'http' && (hasFile || access.oauth !== undefined),
  )
  if (asked.length === 0) return states
  const { openSignIns } = await import('./sign-in-file.ts')
  const store = openSignIns(directories, lockHolder(machine, new AbortController().signal))
  const now = machine.clock.now()
  for (const one of asked) {
    const { server } = one
    const expanded = expandServer(one, { env: machine.env, folder: machine.cwd })
    if (expanded.type === 'refused' || expanded.value.access.type !== 'http') continue
    const { access } = expanded.value
    if (hasOwnAuthorization(access)) continue
    const state = stateOf(await store.read(signInKey(access.url)), now)
    const usual = access.oauth === undefined ? undefined : 'needed'
    const said = state ?? usual
    if (said !== undefined) states.set(server.name, said)
  }
  return states
}

function stateOf({ needs, signIn }: KnownServer, now: number): SignInState | undefined {
  if (needs !== undefined) return 'needed'
  if (signIn === undefined) return undefined
  const { expiresAt, refresh } = signIn.tokens
  return expiresAt !== undefined && expiresAt <= now && refresh === undefined ? 'expired' : 'done'
}

/** Says how the user stands with a server, and what to do. */
export function signInText(state: SignInState, name: string): string {
  if (state === 'done') return 'signed in'
  const remedy = `pipe mcp login ${spelledServer(name)}`
  return state === 'expired' ? `sign-in expired: ${remedy}` : `sign in: ${remedy}`
}
