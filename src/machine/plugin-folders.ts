import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { Plugin } from './plugin.ts'
import { withPluginOptions } from './plugin-options.ts'

/** The folders that variables of a plugin stand for, and what the user has set of it. */
export type PluginFolders = Pick<Plugin, 'root' | 'data' | 'options'>

const variable = /\$\{(?:CLAUDE_)?PLUGIN_(ROOT|DATA)\}/g

/** The variable for the folder of a plugin, as its files write it. */
export const pluginRootVariable = '$' + '{CLAUDE_PLUGIN_ROOT}'

const pluginDataVariable = '$' + '{CLAUDE_PLUGIN_DATA}'

/** Whether a text names a folder of its plugin by a variable. */
export function namesPluginFolder(text: string): boolean {
  return text.search(variable) >= 0
}

/** Puts the folders of a plugin, and its options that are no secrets, in their places. */
export function withPluginFolders(text: string, { root, data, options }: PluginFolders): string {
  const placed = text.replace(variable, (_, which) => (which === 'ROOT' ? root : data))
  return withPluginOptions(placed, options)
}

/** Writes variables for the folders of a plugin, so that people read a text as its files have it. */
export function withoutPluginFolders(text: string, { root, data }: PluginFolders): string {
  return text.replaceAll(root, pluginRootVariable).replaceAll(data, pluginDataVariable)
}

/** The same as `withPluginFolders` in all texts of a value. */
export function valueWithPluginFolders(value: JsonValue, folders: PluginFolders): JsonValue {
  if (typeof value === 'string') return withPluginFolders(value, folders)
  if (Array.isArray(value)) return value.map((one) => valueWithPluginFolders(one, folders))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, valueWithPluginFolders(one, folders)]),
  )
}

/** The variables that programs of a plugin get. Python writes no cache into its folder, which would change what was approved. */
export function pluginVariables({ root, data }: PluginFolders): Readonly<Record<string, string>> {
  return {
    CLAUDE_PLUGIN_ROOT: root,
    CLAUDE_PLUGIN_DATA: data,
    PLUGIN_ROOT: root,
    PLUGIN_DATA: data,
    PYTHONDONTWRITEBYTECODE: '1',
  }
}
