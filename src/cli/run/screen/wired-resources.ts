import type { ServerResources } from '../../../frontend/server-resources.ts'
import type { Wired } from '../../wiring/wired.ts'

/** Gives a front end the resources of the servers that the open conversation has. */
export function serverResources(servers: () => Wired['servers']): ServerResources {
  const find = (name: string) => servers()?.find(name)
  return {
    running: () => {
      const all = servers()?.servers ?? []
      return [...all].flatMap(([word, { hasResources }]) => (hasResources ? [word] : []))
    },
    has: (name) => find(name) !== undefined,
    find: async (name, typed, signal) => {
      const server = find(name)
      if (server === undefined) return []
      const { findResources } = await import('../../../mcp/material/found-resources.ts')
      return findResources(server, typed, signal)
    },
  }
}
