import { relative } from 'node:path'
import type { JsonObject } from '../../json-value.ts'
import type { ThinkingLevel } from '../../provider.ts'
import type { FolderTrust } from '../trust/folder-trust.ts'
import { contentHash } from '../trust/trust.ts'

/** Names the wishes of a skill or command besides its text, for the turn in which the user calls it. */
export interface InstructionAsks {
  /** Commands in its text, which run before the model gets it. */
  readonly runs: readonly string[]
  /** Rules that allow calls without a question. */
  readonly allowed: readonly string[]
  /** As the file names it. */
  readonly model?: string
  readonly effort?: ThinkingLevel
  /** The agent that does the work instead of the conversation. */
  readonly agent?: string
  /** Programs at events of the turn, as settings spell them. */
  readonly hooks?: JsonObject
  /** Binds an approval to those of a project's file. */
  readonly hooksHash?: string
  /** Binds an approval to the file of a project, its path in it and its text. Absent for files that need none. */
  readonly hash?: string
}

/** Binds what the file of a project asks for to an approval of its text. */
export function askedByProject(
  asks: InstructionAsks,
  { root, path, content }: { readonly root: string; readonly path: string; readonly content: string },
): InstructionAsks {
  const hash = contentHash(['skill', relative(root, path), content])
  // Unlike that of a file of hooks, so that it approves none that run without the skill.
  return { ...asks, hash, ...(asks.hooks && { hooksHash: contentHash(['skill', asks.hooks]) }) }
}

/** Says in a few words each what a file asks for. */
export function describeAsks({
  runs,
  allowed,
  model,
  effort,
  agent,
  hooks,
}: InstructionAsks): readonly string[] {
  return [
    ...runs.map((line) => `runs ${line}`),
    ...(allowed.length === 0 ? [] : [`allows ${allowed.join(', ')}`]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(effort === undefined ? [] : [`effort ${effort}`]),
    ...(agent === undefined ? [] : [`work of the agent ${agent}`]),
    ...(hooks === undefined ? [] : [`hooks at ${Object.keys(hooks).join(', ')}`]),
  ]
}

/** Whether the user has yet to approve what a file asks for. */
export function isOpenAsk(
  { hash, hooksHash }: Pick<InstructionAsks, 'hash' | 'hooksHash'>,
  { approved }: Pick<FolderTrust, 'approved'>,
): boolean {
  if (hash !== undefined && approved('skill', hash) !== true) return true
  return hooksHash !== undefined && approved('hooks', hooksHash) !== true
}
