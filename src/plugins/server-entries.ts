import { isAbsolute, join } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import type { PluginServer } from '../machine/plugin.ts'
import { type PluginFolders, pluginVariables, valueWithPluginFolders } from '../machine/plugin-folders.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** A document of a plugin, with its file. */
export interface PartDocument {
  readonly path: string
  readonly value: JsonValue
}

/** Options stay variables: an entry is shown, and its secrets must not be. */
interface EntryOptions extends Pick<PluginFolders, 'root' | 'data'> {
  /** Where servers start that do not say. Default: in the folder of the run. */
  readonly folder: string | undefined
}

/** Reads the servers of documents with the wrapper `mcpServers` or `servers`, or without one. The first of a name counts. */
export function pluginServers(
  documents: readonly PartDocument[],
  { folder, ...folders }: EntryOptions,
): readonly PluginServer[] {
  const servers = new Map<string, PluginServer>()
  for (const { path, value } of documents)
    for (const [name, entry] of Object.entries(entriesOf(value))) {
      if (!servers.has(name))
        servers.set(name, { name, path, fields: fieldsOf(entry, folders), ...omitUndefined({ folder }) })
    }
  return [...servers.values()]
}

function entriesOf(document: JsonValue): JsonObject {
  if (!isJsonObject(document)) return {}
  const wrapped = document['mcpServers'] ?? document['servers']
  return isJsonObject(wrapped) ? wrapped : document
}

/** Puts the folders in place. A path with `./` in front is one of the plugin, as is a relative working folder. */
function fieldsOf(entry: JsonValue, folders: Pick<PluginFolders, 'root' | 'data'>): JsonValue {
  const filled = valueWithPluginFolders(entry, folders)
  if (!isJsonObject(filled)) return filled
  const { command, cwd, env } = filled
  const isLocal = typeof command === 'string'
  const isInside = isLocal && /^\.\.?\//.test(command) && cwd === undefined
  return {
    ...filled,
    ...(isInside && { command: join(folders.root, command) }),
    ...(typeof cwd === 'string' && cwd !== '' && !isAbsolute(cwd) && { cwd: join(folders.root, cwd) }),
    ...(isLocal &&
      (env === undefined || isJsonObject(env)) && { env: { ...env, ...pluginVariables(folders) } }),
  }
}
