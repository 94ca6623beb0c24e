import type { ServerAccess } from '../server.ts'

/** How the key is shown to a server that speaks an OpenAI dialect; nothing where there is none. */
export function keyHeaders({ apiKey, quirks }: Pick<ServerAccess, 'apiKey' | 'quirks'>): Record<string, string> {
  if (!apiKey) return {}
  const header = quirks?.keyHeader
  return header === undefined ? { authorization: `Bearer ${apiKey}` } : { [header]: apiKey }
}
