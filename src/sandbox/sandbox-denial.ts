import type { CommandOutcome } from '../machine/sandbox.ts'
import type { SandboxProfile } from './profile.ts'

const refused =
  /read-only file system|operation not permitted|permission denied|device or resource busy|\bE(ROFS|PERM|ACCES)\b/i

const unreachable = new RegExp(
  [
    'network is unreachable|could not resolve|name resolution|name or service not known|no such host|temporary failure',
    "failed to connect|couldn't connect|connection refused|unable to (access|connect)|getaddrinfo|network is down",
    String.raw`\b(EAI_AGAIN|ENETUNREACH|ENOTFOUND|ECONNREFUSED)\b`,
  ].join('|'),
  'i',
)

/** Messages that little but a missing network causes. */
const surelyOffline =
  /^(curl: \(6\)|fatal: unable to access '.*':) Could not resolve host: |\bgetaddrinfo EAI_AGAIN\b|Temporary failure (in name resolution|resolving)/m

/** Messages that little but the sandbox causes. Other wordings often appear in files and logs that a command only prints. */
const surely = /: read-only file system$|\bEROFS: /im

/** Implements `Sandbox.explain`. */
export function explainDenial(
  output: string,
  outcome: CommandOutcome,
  profile: Pick<SandboxProfile, 'mode' | 'network' | 'writable'>,
): string | undefined {
  if (outcome === 'late') return profile.network ? undefined : late
  const isSure = surely.test(output) || (!profile.network && surelyOffline.test(output))
  if (outcome === 'done' && !isSure) return undefined
  if (/^bwrap: /m.test(output)) return 'the sandbox could not be set up; this says nothing about the command'
  const isOffline = !profile.network && unreachable.test(output)
  if (!isOffline && !refused.test(output)) return undefined
  const folders = profile.mode === 'read-only' ? [] : profile.writable
  const write = `commands write only to ${[...folders, '$TMPDIR'].join(', ')} and not to protected names such as .git`
  const network = profile.network ? '' : ', and reach no network'
  return `probably blocked by the sandbox: ${write}${network}. If necessary, ${way}`
}

const way = 'call bash with sandbox: false; the user is asked'
const late = `commands in the sandbox have no network: if this one needs it, ${way}`
