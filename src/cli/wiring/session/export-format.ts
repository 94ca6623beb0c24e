import { PipeError } from '../../../error.ts'

/** The format of an exported session. */
export type ExportFormat = 'md' | 'html' | 'txt' | 'json'

/** The formats by the endings of files. */
const byEnding: ReadonlyMap<string, ExportFormat> = new Map([
  ['md', 'md'],
  ['markdown', 'md'],
  ['html', 'html'],
  ['htm', 'html'],
  ['txt', 'txt'],
  ['json', 'json'],
])

/** Each format once, the default first. */
export const exportFormats: readonly ExportFormat[] = [...new Set(byEnding.values())]

/** Returns the format that a file's ending names; without one, Markdown. Throws `usage` for the ending of another format. */
export function formatOfFile(file: string): ExportFormat {
  const [, ending] = /\.([a-z]\w*)$/.exec(file.toLowerCase()) ?? []
  const format = ending === undefined ? 'md' : byEnding.get(ending)
  if (format !== undefined) return format
  throw new PipeError(
    'usage',
    `no export is a .${ending} file; the endings are ${[...byEnding.keys()].join(', ')}`,
  )
}
