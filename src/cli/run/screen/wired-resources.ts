import type { ServerPrompts } from '../../../frontend/server-prompts.ts'
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

/** Gives a front end the values that servers offer for the arguments of their prompts. */
export function serverPrompts(servers: () => Wired['servers']): ServerPrompts {
  return {
    has: (command) =>
      servers()
        ?.knownPrompts()
        .some(({ name, alias, prompt }) => [name, alias].includes(command) && prompt.args.length > 0) ===
      true,
    values: async (argument, signal) => {
      const pool = servers()
      if (pool === undefined) return []
      const { promptValues } = await import('../../../mcp/material/prompt-values.ts')
      return promptValues(pool, argument, signal)
    },
  }
}
