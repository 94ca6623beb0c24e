import type { SandboxMode } from '../../machine/sandbox.ts'
import type { PermissionMode } from '../../permission.ts'
import type { ThinkingLevel } from '../../provider.ts'
import { totalTokens, type Usage } from '../../usage.ts'
import { formatCount, formatUsd } from '../words/amount.ts'
import { modeWords } from '../words/mode-words.ts'
import { tableText } from '../words/text-table.ts'

/** The program, the place and the state of a conversation. Absent facts are not known where it is shown. */
export interface StatusFacts {
  readonly version: string
  /** The server that runs it. Absent: this process does. */
  readonly server?: string | undefined
  /** Absent if nothing is saved. */
  readonly sessionId?: string | undefined
  readonly sessionFile?: string | undefined
  readonly title?: string | undefined
  readonly agent?: string | undefined
  /** `provider/model`. */
  readonly model: string
  /** The source of the model, in words. */
  readonly modelOrigin?: string | undefined
  readonly thinking?: ThinkingLevel | undefined
  readonly mode: PermissionMode
  readonly sandbox?: SandboxMode | 'off' | undefined
  readonly folder?: string | undefined
  readonly isTrusted?: boolean | undefined
  /** Names of the instruction files that the model gets. */
  readonly instructions?: readonly string[] | undefined
  /** Each MCP server with its state. */
  readonly servers?: readonly string[] | undefined
  /** Hooks that run, by their events, and how many wait for approval. */
  readonly hooks?: { readonly events: readonly string[]; readonly unapproved: number } | undefined
  readonly contextTokens?: number | undefined
  readonly contextWindow?: number | undefined
  readonly usage: Usage
  readonly costUsd?: number | undefined
}

/** Describes how a conversation stands, a row a fact. */
export function statusReport(facts: StatusFacts): string {
  const { version, server, sessionId, sessionFile, title, agent, model, modelOrigin, mode } = facts
  const rows: readonly (readonly [name: string, value: string | undefined])[] = [
    ['pipe', version],
    ['session', sessionId ?? 'not saved'],
    ['file', sessionFile],
    ['title', title],
    ['runs at', server],
    ['agent', agent],
    ['model', modelOrigin === undefined ? model : `${model}, set by ${modelOrigin}`],
    ['thinking', facts.thinking],
    ['mode', modeWords[mode].short],
    ['sandbox', facts.sandbox],
    ['folder', folderText(facts)],
    ['instructions', facts.instructions && listText(facts.instructions)],
    ['MCP servers', facts.servers && listText(facts.servers)],
    ['hooks', facts.hooks && hooksText(facts.hooks)],
    ['context', contextText(facts)],
    ['spent', spentText(facts)],
  ]
  return tableText(rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function listText(words: readonly string[]): string {
  return words.length === 0 ? 'none' : words.join(', ')
}

function folderText({ folder, isTrusted }: StatusFacts): string | undefined {
  if (folder === undefined || isTrusted === undefined) return folder
  return `${folder}, ${isTrusted ? 'trusted' : 'not trusted'}`
}

function hooksText({ events, unapproved }: NonNullable<StatusFacts['hooks']>): string {
  const waiting = unapproved === 0 ? [] : [`${unapproved} not approved: run pipe trust`]
  return listText([...new Set(events), ...waiting])
}

function contextText({ contextTokens, contextWindow }: StatusFacts): string | undefined {
  if (contextTokens === undefined) return undefined
  const used = `${formatCount(contextTokens)} tokens`
  if (contextWindow === undefined) return used
  return `${used} of ${formatCount(contextWindow)}, ${Math.round((100 * contextTokens) / contextWindow)} %`
}

function spentText({ usage, costUsd }: StatusFacts): string {
  const count = totalTokens(usage)
  if (count === 0 && !costUsd) return 'nothing yet'
  const tokens = `${formatCount(count)} tokens`
  return costUsd === undefined ? tokens : `${tokens}, ${formatUsd(costUsd)}`
}
