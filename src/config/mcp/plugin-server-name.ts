import { contentHash } from '../trust/trust.ts'

/** Characters of the name of a server. */
const longest = 64

/** Names the server of a plugin, so that its tools begin with `mcp__plugin_PLUGIN_SERVER__`. A long name is cut, with a hash. */
export function pluginServerName(plugin: string, server: string): string {
  const name = `plugin:${plugin}:${server}`
  if (name.length <= longest) return name
  return `${name.slice(0, longest - 9)}-${contentHash(name).slice(0, 8)}`
}
