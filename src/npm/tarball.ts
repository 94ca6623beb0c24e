import { gunzipSync } from 'node:zlib'
import { PipeError } from '../error.ts'

/** A file of a package, by its path below the folder that all of its files lie in. */
export interface PackedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly isExecutable: boolean
}

/** Most files, and bytes of all of them. */
export interface TarballLimits {
  readonly entries: number
  readonly bytes: number
}

const block = 512
/** Longest header that names a long path. */
const mostHeader = 64 * 1024

/**
 * Reads the files of a package as npm packs it: gzip, files and folders alone. Throws `invalid` for all else: links, devices, paths that
 * lead out or hide characters, names that come twice, a broken header, and more than the limits.
 */
export function readTarball(packed: Uint8Array, most: TarballLimits): readonly PackedFile[] {
  const tar = unzip(packed, most)
  const files = new Map<string, PackedFile>()
  let named: string | undefined
  let at = 0
  for (let count = 0; ; count++) {
    const header = tar.subarray(at, at + block)
    if (header.length < block || header.every((byte) => byte === 0)) break
    if (count > 2 * most.entries) throw faulty(`it has more than ${most.entries} files`)
    const { kind, size, path, isExecutable } = readHeader(header)
    const bytes = tar.subarray(at + block, at + block + size)
    if (bytes.length < size) throw faulty('it ends in the middle of a file')
    at += block + Math.ceil(size / block) * block
    if (kind === 'x' || kind === 'L') {
      if (size > mostHeader) throw faulty('a header is too large')
      named = kind === 'x' ? (extendedPath(bytes) ?? named) : textOf(bytes)
      continue
    }
    // A header for all files, as `git archive` writes it, names a commit.
    if (kind === 'g') continue
    const place = placeOf(named ?? path)
    named = undefined
    if (kind === '5') continue
    if (kind !== '0' && kind !== '\0')
      throw faulty(`${spell(place)} is ${kinds[kind] ?? 'no plain file'}: a package has plain files alone`)
    if (files.has(place)) throw faulty(`${spell(place)} comes twice`)
    files.set(place, { path: place, bytes, isExecutable })
    if (files.size > most.entries) throw faulty(`it has more than ${most.entries} files`)
  }
  if (files.size === 0) throw faulty('it holds no file')
  return [...files.values()]
}

const kinds: Readonly<Record<string, string>> = {
  '1': 'a link',
  '2': 'a link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
}

function unzip(packed: Uint8Array, { entries, bytes }: TarballLimits): Uint8Array {
  try {
    // Each file has a header, is filled up to a whole block, and may have another header for its path.
    return gunzipSync(packed, { maxOutputLength: bytes + entries * 4 * block })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw faulty(isTooLarge ? 'its files are too large' : 'it is no gzip', error)
  }
}

interface Header {
  readonly kind: string
  readonly size: number
  readonly path: string
  readonly isExecutable: boolean
}

function readHeader(header: Uint8Array): Header {
  const field = (from: number, length: number) => textOf(header.subarray(from, from + length))
  const sum = header.reduce((all, byte, i) => all + (i >= 148 && i < 156 ? 32 : byte), 0)
  if (octal(field(148, 8)) !== sum) throw faulty('a header is damaged')
  const prefix = field(257, 5) === 'ustar' && header[262] === 0 ? field(345, 155) : ''
  const name = field(0, 100)
  return {
    kind: String.fromCharCode(header[156] ?? 0),
    size: octal(field(124, 12)),
    path: prefix === '' ? name : `${prefix}/${name}`,
    isExecutable: (octal(field(100, 8)) & 0o111) !== 0,
  }
}

function octal(text: string): number {
  const digits = text.trim()
  if (!/^[0-7]{1,12}$/.test(digits)) throw faulty('a header is damaged')
  return Number.parseInt(digits, 8)
}

/** Reads the field `path` of records `LENGTH KEY=VALUE`. Refuses a size: a file of more than 8 GiB has one. */
function extendedPath(bytes: Uint8Array): string | undefined {
  let path: string | undefined
  for (let rest = bytes; rest.length > 0; ) {
    const [record = '', digits = ''] = /^(\d{1,6}) /.exec(Buffer.from(rest.subarray(0, 8)).toString()) ?? []
    const length = Number(digits)
    if (length <= record.length || length > rest.length) throw faulty('a header is damaged')
    const text = Buffer.from(rest.subarray(record.length, length - 1)).toString()
    if (text.startsWith('path=')) path = text.slice('path='.length)
    if (text.startsWith('size=') || text.startsWith('linkpath=')) throw faulty('a header is not supported')
    rest = rest.subarray(length)
  }
  return path
}

/** Takes away the folder around all files, whatever it is called. */
function placeOf(path: string): string {
  const parts = path.replace(/\/+$/, '').split('/')
  const isPlain = parts.every(
    (part, i) => (part !== '' && part !== '..' && part !== '.') || (i === 0 && part === '.'),
  )
  if (!isPlain || /[\p{C}\p{Zl}\p{Zp}\\]/u.test(path)) throw faulty(`the path ${spell(path)} leads out`)
  return parts.slice(1).join('/')
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString()
}

function spell(text: string): string {
  return JSON.stringify(text.slice(0, 120))
}

function faulty(reason: string, cause?: unknown): PipeError {
  return new PipeError('invalid', `the package cannot be unpacked: ${reason}`, { cause })
}
