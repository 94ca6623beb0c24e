import * as z from 'zod'
import { oneLine } from '../../characters/one-line.ts'
import { invalidField } from '../../error.ts'
import type { SentFile } from '../backend.ts'

/** Files that a message may bring. */
const mostFiles = 20

/** Longest name of a file that is kept, in characters. */
const longestName = 200

/** The files of a message, their bytes in base64. What a file holds is decided by its bytes. */
export const filesSchema = z
  .array(
    z.strictObject({
      name: z.string().min(1),
      data: z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/, 'is not base64'),
    }),
  )
  .max(mostFiles)

export function sentFiles(files: z.infer<typeof filesSchema> = []): readonly SentFile[] {
  return files.map(({ name, data }) => ({
    name: oneLine(name, longestName),
    bytes: Buffer.from(data, 'base64'),
  }))
}

/**
 * Returns the text of a message. Without one, the names of its files stand for it, as the prompt of the terminal names what it attaches.
 * Throws `invalid` if there are neither.
 */
export function messageText(text: string, files: readonly SentFile[]): string {
  if (text.trim() !== '') return text
  const names = files.map(({ name }) => name.replace(/^[/@]+/, '')).join(', ')
  if (names !== '') return names
  throw invalidField('text', 'is empty, and there are no files')
}
