/** Where other agents keep the manifest of a plugin: the first that exists counts. */
export const manifestPlaces = ['.claude-plugin/plugin.json', '.codex-plugin/plugin.json', 'plugin.json']

/** The place of a manifest whose agent starts servers in the folder of the plugin. */
export const inFolderManifest = '.codex-plugin/plugin.json'

/** Where they keep the list of a marketplace: the first that exists counts. */
export const marketplacePlaces = [
  '.claude-plugin/marketplace.json',
  '.agents/plugins/marketplace.json',
  '.codex-plugin/marketplace.json',
  '.github/plugin/marketplace.json',
]
