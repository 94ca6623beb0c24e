/** Bytes of an object id: SHA-1 and SHA-256. */
const nameSizes = [20, 32] as const

const submodule = 0o16
/** Entry types: file, link and submodule. Excludes sparse directories, which stand for all files in them. */
const kinds: readonly number[] = [0o10, 0o12, submodule]

/** The paths of an index, relative to the root of its work tree, in its order. */
export interface IndexPaths {
  /** All entries, including links, submodules and files added with intent-to-add. */
  readonly paths: readonly string[]
  readonly submodules: readonly string[]
}

/** Reads the paths of a git index. Returns `undefined` if it is not version 2, 3 or 4, or does not list every path itself. */
export function indexPaths(bytes: Buffer): IndexPaths | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined
  for (const nameSize of nameSizes) {
    const paths = readPaths(bytes, nameSize)
    if (paths !== undefined) return paths
  }
  return undefined
}

function readPaths(bytes: Buffer, nameSize: number): IndexPaths | undefined {
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return undefined
  const end = bytes.length - nameSize
  const paths: string[] = []
  const submodules: string[] = []
  let at = 12
  let previous = ''
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = at + 40 + nameSize
    if (flags + 4 > end) return undefined
    const kind = bytes.readUInt8(at + 26) >> 4
    if (!kinds.includes(kind)) return undefined
    const isExtended = version > 2 && (bytes.readUInt8(flags) & 0x40) !== 0
    const start = flags + (isExtended ? 4 : 2)
    const cut = version === 4 ? readCut(bytes, start) : { count: previous.length, end: start }
    const close = bytes.indexOf(0, cut.end)
    if (cut.count > previous.length || close === -1 || close >= end) return undefined
    const shared = previous.slice(0, previous.length - cut.count)
    const path = shared + bytes.toString('latin1', cut.end, close)
    // Git sorts by bytes: anything unsorted was misread. Entries of a conflict share a path.
    if (path === '' || path < previous) return undefined
    paths.push(decoded(path))
    if (kind === submodule) submodules.push(decoded(path))
    previous = path
    // Pads with 1 to 8 zeros, up to a multiple of eight.
    at = version === 4 ? close + 1 : at + ((close - at + 8) & ~7)
  }
  return isComplete(bytes, at, end) ? { paths, submodules } : undefined
}

/** How many bytes version 4 drops from the end of the previous path. */
function readCut(bytes: Buffer, start: number): { readonly count: number; readonly end: number } {
  let at = start
  let byte = bytes[at++] ?? 0
  let count = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    byte = bytes[at++] ?? 0
    count = (count + 1) * 128 + (byte & 0x7f)
  }
  return { count, end: at }
}

/** Whether only optional extensions follow the entries, up to the checksum. A required one may name files stored elsewhere. */
function isComplete(bytes: Buffer, start: number, end: number): boolean {
  let at = start
  while (at + 8 <= end) {
    if (!/[A-Z]/.test(String.fromCharCode(bytes.readUInt8(at)))) return false
    at += 8 + bytes.readUInt32BE(at + 4)
  }
  return at === end
}

const ascii = /^[\0-\x7f]*$/

/** Decodes a path whose characters are bytes. */
function decoded(path: string): string {
  return ascii.test(path) ? path : Buffer.from(path, 'latin1').toString()
}
