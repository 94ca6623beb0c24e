/** The formats of an exported session, the default first. */
export const exportFormats = ['md', 'html', 'txt', 'json'] as const

export type ExportFormat = (typeof exportFormats)[number]

const endings: Readonly<Record<string, ExportFormat>> = {
  md: 'md',
  markdown: 'md',
  html: 'html',
  htm: 'html',
  txt: 'txt',
  json: 'json',
}

/** Returns the format that a file's ending names, else the default. */
export function formatOfFile(file: string): ExportFormat {
  const [, ending = ''] = /\.(\w+)$/.exec(file.toLowerCase()) ?? []
  return new Map(Object.entries(endings)).get(ending) ?? exportFormats[0]
}
