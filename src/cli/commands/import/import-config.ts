import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { maskedValue } from '../../../config/masked-setting.ts'
import { findOffers, type OfferSources } from '../../../config/peer/find-offers.ts'
import { type PeerAgent, peerAgents } from '../../../config/peer/import-offer.ts'
import {
  additionsOf,
  type FilePlan,
  type PlannedAddition,
  planImport,
} from '../../../config/peer/import-plan.ts'
import { saveAdditions } from '../../../config/save.ts'
import { readSettings } from '../../../config/settings.ts'
import { readJsonWithComments } from '../../../config/settings-document.ts'
import { trustRoot } from '../../../config/trust/folder-trust.ts'
import { PipeError } from '../../../error.ts'
import { belowHome } from '../../../machine/path.ts'
import { createRedactor, type Redact } from '../../../redaction/redaction.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { usageError } from '../../flags.ts'
import { lockHolder, type Machine } from '../../machine.ts'
import type { RunContext } from '../../run-context.ts'
import { findToolName } from '../../wiring/tools/known-tools.ts'
import { confirm } from '../confirmation.ts'

/** Takes settings of other agents over into the user's, after a preview and a yes. `from` names one agent. */
export async function importConfig(
  from: string | undefined,
  context: RunContext,
  { onlyServers }: { readonly onlyServers: boolean },
): Promise<void> {
  const { host, flags, signal } = context
  const agents = from === undefined ? peerAgents : [agentOf(from)]
  flags.requireChoice('scope', ['user', 'project'], 'pipe import-config --help')
  const { offers, faults } = await findOffers(agents, sourcesOf(host, flags.text('scope') === 'project'))
  for (const fault of faults) printWarning(host, visibleLine(fault))
  const path = join(findDirectories(host.env, host.home).config, 'config.json')
  // A broken file is named before anything is asked.
  await readSettings(path)
  const plans = planImport(offers, { document: await readJsonWithComments(path), onlyServers })
  const count = plans.reduce((sum, { additions }) => sum + additions.length, 0)
  host.stdout.write(plans.map((plan) => preview(plan, host)).join(''))
  if (count === 0) {
    host.stdout.write(
      offers.length === 0 ? 'nothing to copy: no settings of other agents here\n' : 'nothing to copy\n',
    )
    return
  }
  if (flags.has('dry-run')) return
  const shown = visibleLine(belowHome(path, host.home))
  if (!flags.has('yes') && (await agreed(`Add these ${count} to ${shown}?`, context)) === false) {
    host.stdout.write('nothing was changed\n')
    return
  }
  await saveAdditions(path, additionsOf(plans), lockHolder(host, signal))
  host.stdout.write(`added ${count} to ${shown}\n`)
}

/** Counts what could be taken over. */
export async function countImports(machine: Pick<Machine, 'cwd' | 'home' | 'env'>): Promise<number> {
  const { offers } = await findOffers(peerAgents, sourcesOf(machine, false))
  const path = join(findDirectories(machine.env, machine.home).config, 'config.json')
  const plans = planImport(offers, { document: await readJsonWithComments(path), onlyServers: false })
  return plans.reduce((sum, { additions }) => sum + additions.length, 0)
}

/** Finds the folders in which other agents keep their settings. */
function sourcesOf(
  { cwd, home, env }: Pick<Machine, 'cwd' | 'home' | 'env'>,
  ofProject: boolean,
): OfferSources {
  return { home, env, root: trustRoot(cwd, home), ofProject, findTool: findToolName }
}

function agentOf(word: string): PeerAgent {
  const agent = peerAgents.find((one) => one === word.toLowerCase())
  if (agent !== undefined) return agent
  throw usageError(
    `pipe does not know the settings of ${JSON.stringify(word)}, only of ${peerAgents.join(', ')}`,
    'pipe import-config --help',
  )
}

async function agreed(question: string, context: RunContext): Promise<boolean> {
  const answer = await confirm(question, context)
  if (answer !== undefined) return answer
  throw new PipeError(
    'usage',
    'pipe asks before it adds settings, but nobody can be asked here: add --yes, or --dry-run to see them',
  )
}

/** Shows what is taken of a file, and what is not. Values of variables and headers are not shown. */
function preview({ path, additions, left }: FilePlan, { home }: Pick<Machine, 'home'>): string {
  if (additions.length === 0 && left.length === 0) return ''
  const redact = createRedactor([])
  const lines = [
    ...additions.map((one) => `  + ${describe(one, redact)}`),
    ...left.map((one) => `  - ${redact(one)}`),
  ]
  return `${visibleLine(belowHome(path, home))}\n${lines.map((line) => `${visibleLine(line)}\n`).join('')}`
}

function describe(addition: PlannedAddition, redact: Redact): string {
  switch (addition.type) {
    case 'model':
      return `model ${addition.model}`
    case 'rule':
      return `${addition.behavior} ${addition.rule}`
    case 'hooks':
      return `hooks ${addition.event}: ${redact(JSON.stringify(addition.group))}`
    case 'mode':
      return `${addition.of}.mode ${addition.mode}`
    case 'status_line':
      return `tui.status_line ${redact(addition.command)}`
    case 'server': {
      const { access } = addition.server
      const secrets = access.type === 'http' ? access.headers : access.env
      const start = access.type === 'http' ? access.url : [access.command, ...access.args].join(' ')
      const named = Object.entries(secrets).map(([name, value]) => `${name}=${maskedValue(value)}`)
      return `MCP server ${addition.name}: ${redact(start)}${named.length === 0 ? '' : ` (${named.join(', ')})`}`
    }
  }
}
