import { findDirectories } from '../../config/directories.ts'
import { forgetTrust, readTrustFile, recordTrust } from '../../config/trust.ts'
import { PipeError } from '../../error.ts'
import { visible } from '../../terminal/visible.ts'
import type { Flags } from '../args.ts'
import type { Host } from '../host.ts'
import { auditTrust } from '../wiring/audit-log.ts'
import { openPolicy } from '../wiring/judge.ts'
import { rulesOf } from '../wiring/rules.ts'
import { readAllSettings } from '../wiring/settings.ts'
import { verdicts } from '../wiring/trust-gate.ts'

export interface TrustContext {
  readonly host: Host
  readonly flags: Flags
  readonly signal: AbortSignal
}

/** Trusts this folder as it stands now, forgets what was said of it, or lists all folders of which something was said. */
export async function runTrust(action: 'add' | 'remove' | 'list', context: TrustContext): Promise<void> {
  if (action === 'list') return list(context.host)
  return action === 'add' ? add(context) : remove(context)
}

async function add({ host, flags, signal }: TrustContext): Promise<void> {
  const directories = findDirectories(host.env, host.home)
  const loaded = await readAllSettings(host, flags, directories)
  const rules = rulesOf(loaded.proposed)
  const policy = await openPolicy(host, loaded, { sandboxed: false })
  // Rules that cannot be read are said now, not at the next run.
  policy.trustFolder(rules)
  const facts = { folder: loaded.trust.root, allowed: rules.map(({ text }) => text) }
  await auditTrust(host, { decision: 'trust_granted', audit: facts }, signal)
  const at = new Date(host.clock.now()).toISOString()
  const record = { trusted: true, at, contents: verdicts(loaded.proposed, true) }
  await recordTrust(directories.config, loaded.trust.root, record, holderOf(host, signal))
  host.stdout.write(`trusted: ${inOneLine(loaded.trust.root)}\n`)
  for (const { text } of rules) host.stdout.write(`allowed: ${inOneLine(text)}\n`)
}

async function remove({ host, flags, signal }: TrustContext): Promise<void> {
  const directories = findDirectories(host.env, host.home)
  const { trust } = await readAllSettings(host, flags, directories)
  const { folders } = await readTrustFile(directories.config)
  if (!folders.has(trust.root)) {
    throw new PipeError('input', `nothing was said of ${trust.root}: it is not trusted anyway`)
  }
  await auditTrust(host, { decision: 'trust_removed', audit: { folder: trust.root } }, signal)
  await forgetTrust(directories.config, trust.root, holderOf(host, signal))
  host.stdout.write(`forgotten: ${inOneLine(trust.root)}\n`)
}

async function list({ env, home, stdout }: Host): Promise<void> {
  const { folders } = await readTrustFile(findDirectories(env, home).config)
  for (const [root, { trusted, at }] of folders) {
    stdout.write(
      `${trusted ? 'trusted    ' : 'not trusted'}  ${inOneLine(at.slice(0, 10))}  ${inOneLine(root)}\n`,
    )
  }
}

/** A name with a line end in it would say in a line of its own what nobody said. */
function inOneLine(name: string): string {
  return visible(name).replaceAll('\n', '\\x0a')
}

function holderOf({ pid, hostname, clock }: Host, signal: AbortSignal) {
  return { pid, host: hostname, clock, signal }
}
