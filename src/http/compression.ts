import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

type Create = 'createGunzip' | 'createInflate' | 'createBrotliDecompress'

const creators: ReadonlyMap<string, Create> = new Map([
  ['gzip', 'createGunzip'],
  ['x-gzip', 'createGunzip'],
  ['deflate', 'createInflate'],
  ['br', 'createBrotliDecompress'],
])

/**
 * Decompresses a body piece by piece; some proxies compress unasked. Returns an uncompressed body as it is. Fails with the body's
 * errors and with zlib's own.
 */
export function decompressed(incoming: IncomingMessage): Readable {
  const create = creators.get(incoming.headers['content-encoding']?.trim().toLowerCase() ?? '')
  if (create === undefined) return incoming
  const decompressor = process.getBuiltinModule('node:zlib')[create]()
  // The decompressor passes every failure on to its reader.
  return process.getBuiltinModule('node:stream').pipeline(incoming, decompressor, () => undefined)
}
