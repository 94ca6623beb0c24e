import { findDirectories } from '../../../config/directories.ts'
import { worktreesOf } from '../../../config/trust/main-root.ts'
import { forgetTrust, readTrustFile, recordTrust } from '../../../config/trust/trust.ts'
import { PipeError } from '../../../error.ts'
import type { RuleText } from '../../../permission/rules/rule.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { readOwnSettings } from '../../choices.ts'
import { lockHolder, type Machine } from '../../machine.ts'
import type { RunContext } from '../../run-context.ts'
import { auditTrust } from '../../wiring/audit/open-audit-log.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { openPolicy } from '../../wiring/tools/judge.ts'
import {
  describeAgent,
  findOffered,
  type Offered,
  offeredVerdicts,
  serverLines,
  shownPrograms,
  wishLines,
} from '../../wiring/tools/offered-content.ts'
import { readRules, ruleTexts } from '../../wiring/tools/rules.ts'
import { verdicts } from '../../wiring/tools/trust-gate.ts'
import { confirm } from '../confirmation.ts'
import { JsonList } from '../json-list.ts'

/** Trusts this folder as it is now. On a terminal, shows the user its rules first. */
export async function addTrust({ host, flags, signal }: RunContext): Promise<void> {
  const loaded = await readAllSettings(host, readOwnSettings(flags))
  const { root, decided } = loaded.trust
  const rules = ruleTexts(loaded.proposed)
  const policy = await openPolicy(host, loaded, { rules: readRules(loaded.layers, host), sandboxed: false })
  // Reports invalid rules now, not at the next run.
  policy.trustFolder(rules)
  const offered = await findOffered(loaded, { ...host, config: configFolder(host) }, signal)
  const { agents, hooks, imports, texts, wishes } = offered
  const [folders, modes] = [wishLines(wishes, 'folders'), wishLines(wishes, 'permissions.mode')]
  const servers = serverLines(offered)
  const programs = shownPrograms(offered.programs)
  await askConsent(root, { rules, ...offered }, { host, signal })
  const facts = {
    folder: decided,
    allowed: rules.map(({ text }) => text),
    ...(agents.length > 0 && { agents: agents.map(({ definition }) => definition.path) }),
    ...(servers.length > 0 && { mcp_servers: servers }),
    ...(hooks.length > 0 && { hooks: hooks.map(({ path }) => path) }),
    ...(imports.length > 0 && { imports }),
    ...(folders.length > 0 && { folders }),
    ...(modes.length > 0 && { modes }),
    ...(texts.length > 0 && { skills: texts.flatMap(({ lines }) => lines) }),
    ...(programs.length > 0 && { programs }),
  }
  await auditTrust(host, { decision: 'trust_granted', audit: facts }, signal)
  const at = new Date(host.clock.now()).toISOString()
  const record = {
    trusted: true,
    at,
    contents: [...verdicts(loaded.proposed, true), ...offeredVerdicts(offered, true)],
  }
  await recordTrust(configFolder(host), decided, record, lockHolder(host, signal))
  host.stdout.write(`trusted: ${visibleLine(decided === root ? root : worktreesOf(decided))}\n`)
  for (const { text } of rules) host.stdout.write(`allowed: ${visibleLine(text)}\n`)
  for (const agent of agents) host.stdout.write(`agent: ${describeAgent(agent)}\n`)
  for (const server of servers) host.stdout.write(`MCP server: ${server}\n`)
  for (const line of [...agents, ...hooks].flatMap(({ lines }) => lines)) host.stdout.write(`hook: ${line}\n`)
  for (const line of texts.flatMap(({ lines }) => lines)) host.stdout.write(`skill: ${line}\n`)
  for (const program of programs) host.stdout.write(`program: ${program}\n`)
  for (const path of imports) host.stdout.write(`import: ${visibleLine(path)}\n`)
  for (const folder of folders) host.stdout.write(`folder: ${folder}\n`)
  for (const mode of modes) host.stdout.write(`mode: ${mode}\n`)
}

/** Lists what `pipe trust` approves besides the folder. */
interface Approvable extends Offered {
  readonly rules: readonly RuleText[]
}

/** Asks the user on a terminal about the folder's allow rules, agents, servers and hooks. Without a terminal, the command itself is the consent. */
async function askConsent(
  root: string,
  { rules, agents, servers, hooks, imports, texts, wishes, programs }: Approvable,
  { host, signal }: Pick<RunContext, 'host' | 'signal'>,
): Promise<void> {
  const [folders, modes] = [wishLines(wishes, 'folders'), wishLines(wishes, 'permissions.mode')]
  const all = [rules, agents, servers, hooks, imports, texts, wishes, programs]
  if (all.every(({ length }) => length === 0)) return
  const allowed = rules.map(({ text }) => `  ${visibleLine(text)}\n`)
  const offered = agents.map((agent) => `  ${describeAgent(agent)}\n`)
  const commands = [...agents, ...hooks].flatMap(({ lines }) => lines).map((line) => `  ${line}\n`)
  const started = serverLines({ servers, agents }).map((server) => `  ${server}\n`)
  const edited = shownPrograms(programs).map((program) => `  ${program}\n`)
  const question = [
    ...(allowed.length === 0 ? [] : [`${visibleLine(root)} would allow without asking:\n`, ...allowed]),
    ...(offered.length === 0
      ? []
      : [`${visibleLine(root)} has agents, whose files instruct the model:\n`, ...offered]),
    ...(started.length === 0
      ? []
      : [`${visibleLine(root)} would start or reach these MCP servers:\n`, ...started]),
    ...(commands.length === 0
      ? []
      : [`${visibleLine(root)} has hooks, commands that run outside the sandbox:\n`, ...commands]),
    ...(edited.length === 0
      ? []
      : [`${visibleLine(root)} names programs that run outside the sandbox after edits:\n`, ...edited]),
    ...(texts.length === 0
      ? []
      : [
          `${visibleLine(root)} has skills and commands, which do this when you call them:\n`,
          ...texts.flatMap(({ lines }) => lines).map((line) => `  ${line}\n`),
        ]),
    ...(imports.length === 0
      ? []
      : [
          `The instructions in ${visibleLine(root)} would send these files to the model:\n`,
          ...imports.map((path) => `  ${visibleLine(path)}\n`),
        ]),
    ...(folders.length === 0
      ? []
      : [
          `${visibleLine(root)} would also work in these folders:\n`,
          ...folders.map((folder) => `  ${folder}\n`),
        ]),
    ...(modes.length === 0
      ? []
      : [`${visibleLine(root)} would set the permission mode:\n`, ...modes.map((mode) => `  ${mode}\n`)]),
    'Trust it?',
  ].join('')
  if ((await confirm(question, { host, signal })) !== false) return
  throw new PipeError('untrusted', `${root} is not trusted; nothing was changed`)
}

/** Deletes the decision on this folder. Throws `input` if there is none. */
export async function removeTrust({ host, flags, signal }: RunContext): Promise<void> {
  const config = configFolder(host)
  const { trust } = await readAllSettings(host, readOwnSettings(flags))
  const { folders } = await readTrustFile(config)
  if (!folders.has(trust.decided)) {
    throw new PipeError('input', `you have not decided about ${trust.decided}, so it is not trusted`)
  }
  await auditTrust(host, { decision: 'trust_removed', audit: { folder: trust.decided } }, signal)
  await forgetTrust(config, trust.decided, lockHolder(host, signal))
  host.stdout.write(`forgotten: ${visibleLine(trust.decided)}\n`)
}

/** Lists all folders with a decision. */
export async function listTrust({ host, flags }: RunContext): Promise<void> {
  const { folders } = await readTrustFile(configFolder(host))
  if (flags.format === 'json') {
    const listed = new JsonList(host.stdout, 'folders')
    for (const [folder, { trusted, at }] of folders) listed.add({ folder, trusted, at })
    listed.end()
    return
  }
  if (folders.size === 0) printWarning(host, 'no decisions yet, so no folder is trusted')
  for (const [root, { trusted, at }] of folders) {
    host.stdout.write(
      `${trusted ? 'trusted    ' : 'not trusted'}  ${visibleLine(at.slice(0, 10))}  ${visibleLine(root)}\n`,
    )
  }
}

function configFolder({ env, home }: Pick<Machine, 'env' | 'home'>): string {
  return findDirectories(env, home).config
}
