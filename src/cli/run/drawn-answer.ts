import { join } from 'node:path'
import { findDirectories } from '../../config/directories.ts'
import type { DrawnText, OpenDrawing } from '../../line/answer/drawn-text.ts'
import type { RunContext } from '../run-context.ts'
import { isLineTerminal } from '../screen-reader.ts'
import { terminalColumns } from '../standard-output.ts'

/** Draws the Markdown of an answer on a terminal, unless `--raw`, `"markdown": false`, TERM=dumb or a screen reader want it as it is. */
export function drawnAnswer(context: RunContext): OpenDrawing | undefined {
  const { host, flags } = context
  const isPlain = flags.has('raw') || isLineTerminal(context)
  return !host.stdout.isTerminal || isPlain ? undefined : () => open(context)
}

async function open({ host }: RunContext): Promise<DrawnText | undefined> {
  const { readSettings } = await import('../../config/settings.ts')
  const { config } = findDirectories(host.env, host.home)
  const { markdown = true, tui } = await readSettings(join(config, 'config.json'))
  if (!markdown) return undefined
  const { StreamedMarkdown } = await import('../../ink/markdown/streamed-markdown.ts')
  const { themeOn } = await import('../../ink/rows/theme.ts')
  const { usualTheme } = await import('./screen/usual-theme.ts')
  const hasTrueColor = /truecolor|24bit/i.test(host.env['COLORTERM'] ?? '')
  const theme = usualTheme(tui?.theme ?? 'auto', host.env)
  return new StreamedMarkdown({
    theme: themeOn({ theme, hasTrueColor, hasItalics: true }),
    columns: terminalColumns,
    loadSyntax: async () => (await import('../../ink/code/highlight.ts')).createSyntax(),
  })
}
