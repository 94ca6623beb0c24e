import type { ServerAccess } from '../../server.ts'

/**
 * How the key is shown to a server; nothing where there is none. It stands as it is in the header that the server wants, or else in
 * the dialect's own; where neither has one, it goes as `authorization: Bearer KEY`.
 */
export function keyHeaders(
  { apiKey, quirks }: Pick<ServerAccess, 'apiKey' | 'quirks'>,
  own?: string,
): Record<string, string> {
  if (!apiKey) return {}
  const header = quirks?.keyHeader ?? own
  return header === undefined ? { authorization: `Bearer ${apiKey}` } : { [header]: apiKey }
}
