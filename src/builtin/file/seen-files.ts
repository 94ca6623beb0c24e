import { resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '../../json-value.ts'
import type { Message } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { allTools } from '../tools.ts'
import { displayPath, type Workspace } from '../workspace.ts'
import type { LocatedFile } from './located-file.ts'
import type { ReadLedger } from './read-ledger.ts'

/** Names a file in the details of a result: `path`, and `real` if links lead elsewhere. */
export function fileDetails(workspace: Workspace, { path, real, shown }: LocatedFile): JsonObject {
  return { path: shown, ...omitUndefined({ real: real === path ? undefined : displayPath(workspace, real) }) }
}

/** Records the files that the model saw or wrote in earlier runs, as the details of their results name them. */
export function recordEarlier(ledger: ReadLedger, messages: readonly Message[], cwd: string): void {
  for (const message of messages) {
    if (message.type !== 'tool_result' || message.isError || !isJsonObject(message.details)) continue
    const { path, real = path, revision, after = revision } = message.details
    const kind = allTools.find(({ name }) => name === message.toolName)?.kind
    const isOurs = kind === 'read' || kind === 'edit'
    if (isOurs && typeof path === 'string' && typeof real === 'string' && typeof after === 'string')
      ledger.record({ path: resolve(cwd, path), real: resolve(cwd, real) }, after)
  }
}
