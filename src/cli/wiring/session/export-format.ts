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

/** Returns the format that a file's ending names, by default Markdown. */
export function formatOfFile(file: string): ExportFormat {
  const [, ending = ''] = /\.(\w+)$/.exec(file.toLowerCase()) ?? []
  return byEnding.get(ending) ?? 'md'
}
