import { decodeText } from '../file/encoding.ts'

interface BinaryKind {
  readonly name: string
  /** Commands that can show it. */
  readonly look: string
}

const unknown: BinaryKind = { name: 'it holds NUL bytes', look: 'file, strings or xxd' }
const utf16: BinaryKind = { name: 'UTF-16 text', look: 'iconv -f UTF-16 -t UTF-8' }

const signatures: readonly (readonly [start: string, name: string, look: string, offset?: number])[] = [
  ['\x7fELF', 'an ELF program', 'file, nm or strings'],
  ['\xcf\xfa\xed\xfe', 'a Mach-O program', 'file, nm or strings'],
  ['MZ', 'a Windows program', 'file or strings'],
  ['PK\x03\x04', 'a zip archive', 'unzip -l, unzip -p'],
  ['\x1f\x8b', 'gzip data', 'zcat, tar -tz'],
  ['BZh', 'bzip2 data', 'bzcat, tar -tj'],
  ['\xfd7zXZ\0', 'xz data', 'xzcat, tar -tJ'],
  ['\x28\xb5\x2f\xfd', 'zstd data', 'zstdcat'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive', '7z l'],
  ['ustar', 'a tar archive', 'tar -t', 257],
  ['SQLite format 3\0', 'an SQLite database', 'sqlite3'],
  ['\0asm', 'WebAssembly', 'wasm-objdump'],
  ['\xca\xfe\xba\xbe', 'a Java class', 'javap'],
  ['II*\0', 'a TIFF image', 'convert, to make a PNG of it'],
  ['MM\0*', 'a TIFF image', 'convert, to make a PNG of it'],
  ['BM', 'a BMP image', 'convert, to make a PNG of it'],
  ['\0\0\x01\0', 'an icon', 'convert, to make a PNG of it'],
  ['ftyp', 'an MP4, HEIC or AVIF file', 'ffmpeg, to make a PNG of it', 4],
  ['OggS', 'Ogg audio or video', 'ffprobe'],
  ['ID3', 'MP3 audio', 'ffprobe'],
  ['\xff\xfe\0\0', 'UTF-32 text', 'iconv -f UTF-32 -t UTF-8'],
  ['\0\0\xfe\xff', 'UTF-32 text', 'iconv -f UTF-32 -t UTF-8'],
]

/** Identifies a binary file by its first bytes. */
export function binaryKind(bytes: Uint8Array): BinaryKind {
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1')
  if (decodeText(bytes.subarray(0, 512))?.encoding.startsWith('UTF-16') === true) return utf16
  const found = signatures.find(([signature, , , offset = 0]) => start.startsWith(signature, offset))
  return found === undefined ? unknown : { name: found[1], look: found[2] }
}
