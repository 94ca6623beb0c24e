import { join } from 'node:path'
import type { Actor } from '../../../src/actor.ts'
import { knownTool } from '../../../src/cli/wiring/tools/known-tools.ts'
import { realPath } from '../../../src/files/real-path.ts'
import { listFolder } from '../../../src/files/walk/list-folder.ts'
import type { JsonValue } from '../../../src/json-value.ts'
import { createCommandReader } from '../../../src/permission/line/reader.ts'
import { createPolicy, type ModePolicy, type PolicyOptions } from '../../../src/permission/policy.ts'
import { type Behavior, type Rule, readRule } from '../../../src/permission/rules/rule.ts'
import type { JudgedCall } from '../../../src/permission.ts'

/** Folder of the bash grammar before the build. */
export const grammarFolder = join(import.meta.dirname, '../../../node_modules/@vscode/tree-sitter-wasm/wasm')

/** Loads the grammar once for all tests of a file. */
export const testReader = createCommandReader({ grammarFolder })

export type RuleLists = Readonly<Partial<Record<Behavior, readonly string[]>>>

/** Rules of the user. */
function rulesFrom(lists: RuleLists, anchors: Pick<PolicyOptions, 'cwd' | 'home'>): readonly Rule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
    (lists[behavior] ?? []).map((text) => readRule({ text, behavior, source: 'user' }, anchors)),
  )
}

/** A trusted folder that need not exist, with the policy options for it. */
export const testWorld = {
  cwd: '/home/user/proj',
  home: '/home/user',
  trusted: true,
  sandboxed: false,
  reader: testReader,
  realPath,
  listFolder,
} as const

/** Creates a policy for this or another folder. */
export function testPolicy(
  options: Partial<Omit<PolicyOptions, 'rules'>> & { readonly rules?: RuleLists } = {},
): ModePolicy {
  const world = { ...testWorld, ...options }
  return createPolicy({ mode: 'default', ...world, rules: rulesFrom(options.rules ?? {}, world) })
}

/** An actor with all capabilities. */
export const able: Actor = {
  id: 'agent_pipe',
  kind: 'agent',
  displayName: 'pipe',
  capabilities: ['tool_read_file', 'tool_edit_file', 'tool_run_command', 'tool_fetch_url'],
}

/** Builds a call of a tool of pipe, or of an unknown one that states nothing about itself. */
export function callOf(name: string, args: JsonValue, readOnly = false): JudgedCall {
  const known = knownTool(name) ?? { capability: 'tool_run_command', readOnly: () => readOnly }
  return { tool: { ...known, name }, arguments: args, actor: able }
}
