import { closeSync, openSync, readFileSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { decodeDamaged, decodeText } from '../../../builtin/file/encoding.ts'
import { limits, limitTexts } from '../../../builtin/tool-limits.ts'
import { errorText, PipeError } from '../../../error.ts'
import { lookThrough } from '../../../files/look.ts'
import { fileError } from '../../../files/system-error.ts'
import { mentionedResource, readMentions } from '../../../frontend/mentions.ts'
import { formatBytes } from '../../../frontend/words/amount.ts'
import { maxMediaBytes, maxTextBytes } from '../../../media/media-limits.ts'
import { mediaType } from '../../../media/media-type.ts'
import type { ContentBlock } from '../../../message.ts'
import { parseFilePart } from '../../../wire/reference.ts'
import { findPath, mentionedPath, mentionedPaths } from './mentioned-path.ts'
import { refusedFault } from './refused-attachments.ts'
import type { Input } from './spool.ts'

/** A pipe given as a file, with the input read from it. */
export interface PipedFile {
  readonly path: string
  readonly input: Input
}

/** Turns bytes into blocks for the model: an image, a document, or text in any detectable encoding. Throws `input` for binary data. */
export function toContent(bytes: Uint8Array, name: string): ContentBlock {
  const mimeType = mediaType(bytes)
  if (mimeType === undefined) return { type: 'text', text: decode(bytes, name) }
  if (bytes.length > maxMediaBytes) {
    throw new PipeError(
      'invalid',
      `${name} has ${bytes.length} bytes; an image or document may have at most ${maxMediaBytes}`,
    )
  }
  const fault = refusedFault(mimeType, bytes)
  if (fault !== undefined) throw new PipeError('input', `cannot attach ${name}: ${fault}`)
  const data = Buffer.from(bytes).toString('base64')
  return mimeType === 'application/pdf'
    ? { type: 'document', mimeType, data, name: basename(name) }
    : { type: 'image', mimeType, data }
}

function decode(bytes: Uint8Array, name: string): string {
  const text = decodeText(bytes)?.text.replace(/^\ufeff/, '') ?? decodeDamaged(bytes)
  if (text !== undefined) return text
  throw new PipeError('input', `${name} is binary, but not an image (PNG, JPEG, GIF, WebP) or a PDF`)
}

/** Formats a file's text for the model. */
export function framed(path: string, text: string): string {
  return `<file path=${JSON.stringify(path)}>\n${text}\n</file>`
}

/** Reads a file given with `-f`. Throws `input` if it is unusable. */
export function attachFile(path: string, cwd: string): readonly ContentBlock[] {
  const full = resolve(cwd, path)
  const stat = statOf(full, path)
  if (!stat.isFile()) throw new PipeError('input', `cannot attach ${path}: it is not a regular file`)
  if (stat.size > maxMediaBytes) return [note(path, stat.size)]
  const bytes = readBytes(full, path)
  const content = toContent(bytes, path)
  if (content.type !== 'text') return [content]
  if (stat.size > maxTextBytes) return [note(path, stat.size)]
  return [{ type: 'text', text: framed(path, content.text) }]
}

/** Throws `input` for what cannot be reached. */
function statOf(full: string, path: string): Stats {
  try {
    return statSync(full)
  } catch (error) {
    throw new PipeError('input', fileError(error, path, 'attach').message, { cause: error })
  }
}

/** Reads the text of a file of at most 20 MB. Throws `input` if it is unusable. */
export function readAttachedText(path: string, cwd: string): string {
  const full = resolve(cwd, path)
  if ((lookThrough(full)?.size ?? 0) > limits.fileBytes)
    throw new PipeError('input', `cannot attach a part of ${path}: it is larger than ${limitTexts.fileBytes}`)
  const bytes = readBytes(full, path)
  if (mediaType(bytes) === undefined) return decode(bytes, path)
  throw new PipeError('input', `cannot attach a part of ${path}: it is not text`)
}

/** Returns a path and its real path. */
export function pathNames(path: string): readonly string[] {
  return lookThrough(path) === undefined ? [path] : [...new Set([path, realpathSync(path)])]
}

/** Throws `permission` for a file that the model must not see. */
export function requireShown(full: string, path: string, mayRead: (path: string) => boolean): void {
  if (!pathNames(full).every(mayRead)) throw hiddenFile(path)
}

/** Returns the error for a file that the model must not see. */
export function hiddenFile(path: string): PipeError {
  return new PipeError(
    'permission',
    `${path} is not attached: a deny rule hides it from the model, or it contains keys`,
  )
}

/** Reads a whole file. Throws `input` if it cannot be read. */
export function readBytes(full: string, path: string): Uint8Array {
  return reading(path, () => readFileSync(full))
}

/** Bytes that tell the type of a file. */
const headBytes = 16

/** Reads the beginning of a regular file, by which `mediaType` knows it. Throws `input` if it cannot be read. */
export function readHead(full: string, path: string): Uint8Array {
  return reading(path, () => {
    const file = openSync(full, 'r')
    try {
      const bytes = Buffer.alloc(headBytes)
      return bytes.subarray(0, readSync(file, bytes))
    } finally {
      closeSync(file)
    }
  })
}

function reading(path: string, read: () => Uint8Array): Uint8Array {
  try {
    return read()
  } catch (error) {
    const reason = errorText(error)
    throw new PipeError('input', `cannot attach ${path}: ${reason}`, { cause: error })
  }
}

function note(path: string, size: number): ContentBlock {
  return {
    type: 'text',
    text: `<file path=${JSON.stringify(path)} bytes="${size}">too large to attach: read it in parts</file>`,
  }
}

/** Describes an attached file for the user: `a.ts · 1.2 kB`. */
export function describeFile(path: string, cwd: string): string {
  return `${path} · ${formatBytes(lookThrough(resolve(cwd, path))?.size ?? 0)}`
}

/** Returns the files that `@path` words of a prompt name. Ignores words without a file. */
export function mentionedFiles(prompt: string, cwd: string, home?: string): readonly string[] {
  return mentionedPaths(prompt, { cwd, home }).flatMap(({ path, stat }) => (stat.isFile() ? [path] : []))
}

/**
 * Returns `@path` words that look like files, by extension or leading folder, but do not exist, or are patterns. `@types/node` does not
 * count. For a part such as `@a.ts:10-40` returns the file.
 */
export function missingFiles(prompt: string, cwd: string, home?: string): readonly string[] {
  const missing = readMentions(prompt).flatMap((mention) => {
    if (mentionedResource(mention.word) !== undefined) return []
    if (mentionedPath(mention, { cwd, home }) !== undefined) return []
    const paths = [mention.word, ...mention.readings].map((word) => parseFilePart(word)?.path ?? word)
    if (paths.some((path) => findPath(path, { cwd, home }) !== undefined)) return []
    return paths.find(looksLikeFile) ?? []
  })
  return [...new Set(missing)]
}

function looksLikeFile(path: string): boolean {
  return /^(\.{1,2}|~)?\/|[\w*?\])}\u0080-\uffff]\.[a-z]\w{0,4}$|\/[^/]*\*/i.test(path)
}
