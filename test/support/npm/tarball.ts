import { gzipSync } from 'node:zlib'

/** An entry of a tarball as it stands in it, however hostile. */
export interface TarEntry {
  readonly path: string
  readonly content?: string | Uint8Array
  /** Default: `0`, a plain file. */
  readonly kind?: string
  readonly mode?: number
  /** The target of a link. */
  readonly target?: string
  /** A size that is not that of the content. */
  readonly size?: number
}

/** Writes a tarball, without compression. */
export function tarOf(entries: readonly TarEntry[]): Uint8Array {
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(1024)])
}

/** Writes a tarball as a registry serves it. */
export function tarballOf(entries: readonly TarEntry[]): Uint8Array {
  return gzipSync(tarOf(entries))
}

/** A header with the path of the entry behind it. */
export function longPath(path: string): TarEntry {
  const rest = ` path=${path}\n`
  const length = Buffer.byteLength(rest)
  const digits = String(length + String(length).length).length
  return { path: 'PaxHeader', kind: 'x', content: `${length + digits}${rest}` }
}

function blocksOf({
  path,
  content = '',
  kind = '0',
  mode = 0o644,
  target = '',
  size,
}: TarEntry): readonly Uint8Array[] {
  const bytes = Buffer.from(content)
  const header = Buffer.alloc(512)
  const octal = (number: number, length: number) => `${number.toString(8).padStart(length - 1, '0')}\0`
  header.write(path, 0, 100)
  header.write(octal(mode, 8), 100)
  header.write(octal(size ?? bytes.length, 12), 124)
  header.write(' '.repeat(8), 148)
  header.write(kind, 156)
  header.write(target, 157, 100)
  header.write('ustar\u000000', 257)
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      8,
    ),
    148,
  )
  return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
}
