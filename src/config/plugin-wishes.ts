import { join } from 'node:path'
import { isPipeError } from '../error.ts'
import { isJsonObject } from '../json-value.ts'
import { peerSettings } from './agents/peer-agents.ts'
import { readJsonWithComments } from './settings-document.ts'

/** The plugins and marketplaces that a file of a project asks for. */
export interface PluginWishes {
  readonly path: string
  readonly names: readonly string[]
}

/** Most names of a file that are shown. */
const mostNames = 20

/** Reads which plugins a project would have, in the settings for another agent. It cannot turn one on. */
export async function projectPluginWishes(root: string): Promise<readonly PluginWishes[]> {
  const read = peerSettings.map(async (file): Promise<readonly PluginWishes[]> => {
    const path = join(root, file)
    try {
      const document = await readJsonWithComments(path)
      const { enabledPlugins, extraKnownMarketplaces } = isJsonObject(document) ? document : {}
      const plugins = isJsonObject(enabledPlugins) ? Object.entries(enabledPlugins) : []
      const marketplaces = isJsonObject(extraKnownMarketplaces) ? Object.keys(extraKnownMarketplaces) : []
      const names = [
        ...plugins.filter(([, isOn]) => isOn !== false).map(([name]) => name),
        ...marketplaces.map((name) => `the marketplace ${name}`),
      ]
      return names.length === 0 ? [] : [{ path, names: names.slice(0, mostNames) }]
    } catch (error) {
      // Who reads the file for its rules and hooks says what is wrong with it.
      if (!isPipeError(error)) throw error
      return []
    }
  })
  return (await Promise.all(read)).flat()
}
