/** Magic bytes of file types, in hexadecimal, each with its byte offset. The first match wins. */
const signatures: readonly (readonly [type: string, hex: string, offset?: number])[] = [
  ['application/gzip', '1f8b'],
  ['application/zip', '504b0304'],
  ['application/zip', '504b0506'],
  ['application/x-bzip2', '425a68'],
  ['application/x-xz', 'fd377a585a00'],
  ['application/zstd', '28b52ffd'],
  ['application/x-7z-compressed', '377abcaf271c'],
  ['application/x-tar', '7573746172', 257],
  ['application/x-executable', '7f454c46'],
  ['application/x-mach-binary', 'cffaedfe'],
  ['application/x-mach-binary', 'cafebabe'],
  ['application/vnd.microsoft.portable-executable', '4d5a'],
  ['application/wasm', '0061736d'],
  ['application/vnd.sqlite3', '53514c69746520666f726d6174203300'],
  ['application/vnd.apache.parquet', '50415231'],
  ['application/vnd.tcpdump.pcap', 'd4c3b2a1'],
  ['image/tiff', '49492a00'],
  ['image/tiff', '4d4d002a'],
  ['image/x-icon', '00000100'],
  ['audio/wav', '57415645', 8],
  ['video/x-msvideo', '41564920', 8],
  ['audio/mpeg', '494433'],
  ['audio/mpeg', 'fffb'],
  ['audio/flac', '664c6143'],
  ['audio/ogg', '4f676753'],
  ['video/mp4', '66747970', 4],
  ['video/webm', '1a45dfa3'],
  ['font/woff2', '774f4632'],
]

/** Detects the MIME type of binary data by its first bytes, so that the reader can choose a tool for it. */
export function binaryType(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 300)).toString('hex')
  const found = signatures.find(([, hex, offset = 0]) => start.startsWith(hex, 2 * offset))
  return found?.[0] ?? 'application/octet-stream'
}
