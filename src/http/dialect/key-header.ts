import type { ServerAccess } from '../../machine/model-server.ts'

/**
 * Returns the header with the API key; none without a key. Uses the server's header, else the dialect's, each with the bare key,
 * else `authorization: Bearer KEY`.
 */
export function keyHeaders(
  { apiKey, quirks }: Pick<ServerAccess, 'apiKey' | 'quirks'>,
  own?: string,
): Record<string, string> {
  if (!apiKey) return {}
  const header = quirks?.keyHeader ?? own
  return header === undefined ? { authorization: `Bearer ${apiKey}` } : { [header]: apiKey }
}
