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
 * What was sent before it was compressed, which some proxies do although nothing asked for it. Each piece comes as soon as it can
 * be read; a body that is not compressed is given as it is. Fails with what the body fails with, and with zlib's own errors.
 */
export function decompressed(incoming: IncomingMessage): Readable {
  const create = creators.get(incoming.headers['content-encoding']?.trim().toLowerCase() ?? '')
  if (create === undefined) return incoming
  const decompressor = process.getBuiltinModule('node:zlib')[create]()
  // Whatever fails, whoever reads the decompressor is told.
  return process.getBuiltinModule('node:stream').pipeline(incoming, decompressor, () => undefined)
}
