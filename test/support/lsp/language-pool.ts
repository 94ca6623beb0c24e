import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { withoutTags } from '../../../src/characters/tag-characters.ts'
import { systemClock } from '../../../src/cli/system-clock.ts'
import type { Clock } from '../../../src/clock.ts'
import { EditNews } from '../../../src/lsp/edit-news.ts'
import { LanguagePool } from '../../../src/lsp/language-pool.ts'
import { withFileErrors } from '../../../src/lsp/watched-edits.ts'
import type { FoundLanguage, LanguageSetup } from '../../../src/machine/language-setup.ts'
import { createCommandRunner } from '../../../src/process/command-runner.ts'
import { printable } from '../../../src/terminal/printable.ts'
import {
  type Tool,
  type ToolExecutor,
  type ToolOutput,
  type ToolResult,
  textResult,
} from '../../../src/tool.ts'
import { drainRun, toolContext } from '../conversations/tool-run.ts'
import { folderWith } from '../folders/folder.ts'

/** A server that runs `scripted-server.js` with these arguments. */
export function scriptedLanguage(...args: readonly string[]): FoundLanguage {
  const script = fileURLToPath(new URL('./scripted-server.js', import.meta.url))
  return {
    name: 'odd',
    command: ['odd-server', script, ...args],
    program: process.execPath,
    languageIds: { '.odd': 'odd' },
  }
}

export interface WatchedFolder {
  readonly folder: string
  readonly pool: LanguagePool
  readonly news: EditNews
  readonly executor: ToolExecutor
  /** Writes a file through the tool. */
  write(path: string, text: string, signal?: AbortSignal): Promise<WatchedResult>
  /** Calls a tool that edits nothing. */
  look(): Promise<WatchedResult>
}

export interface WatchedResult {
  readonly text: string
  readonly notices: readonly string[]
  readonly details: ToolResult['details']
}

/** Opens a folder whose edits servers watch, closed after the test. */
export async function watchedFolder(
  languages: readonly LanguageSetup[],
  {
    files = {},
    clock = systemClock,
    newsClock = clock,
    locate = (language) => ({ program: '', ...language }),
  }: {
    readonly files?: Readonly<Record<string, string>>
    readonly clock?: Clock
    /** Measures how long an edit and a turn wait for servers. Default: as `clock`. */
    readonly newsClock?: Clock
    readonly locate?: (language: LanguageSetup) => FoundLanguage | string | undefined
  } = {},
): Promise<WatchedFolder> {
  const folder = await folderWith(files)
  const commands = createCommandRunner({ clock: systemClock })
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder }
  const clean = (text: string) => printable(withoutTags(text))
  const pool = new LanguagePool({
    languages,
    locate,
    platform: { commands, clock, env, clean, version: '0' },
  })
  onTestFinished(async () => {
    await pool.close()
    await commands.close()
  })
  const news = new EditNews(newsClock)
  const executor = withFileErrors(writingTools(folder), {
    open: async () => pool,
    news,
    cwd: folder,
    show: (path) => path.slice(folder.length + 1),
    readText: (path) => readFile(path, 'utf8').catch(() => undefined),
  })
  const run = async (name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal) => {
    const { result, outputs } = await drainRun(executor.execute(name, args, toolContext(signal)))
    return { text: textOf(result), notices: outputs.flatMap(noticeOf), details: result.details }
  }
  return {
    folder,
    pool,
    news,
    executor,
    write: (path, text, signal) => run('write', { path, text }, signal),
    look: () => run('look', {}),
  }
}

function textOf({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('')
}

function noticeOf(output: ToolOutput): readonly string[] {
  return output.type === 'notice' ? [output.text] : []
}

function writingTools(folder: string): ToolExecutor {
  const common = { description: '', parameters: {}, readOnly: () => false }
  const tools: readonly Tool[] = [
    {
      ...common,
      name: 'write',
      kind: 'edit',
      capability: 'tool_edit_file',
      keepsFiles: true,
      paths: (args) => [{ path: fieldOf(args, 'path'), access: 'write' }],
    },
    { ...common, name: 'look', kind: 'read', capability: 'tool_read_file' },
  ]
  return {
    tools: () => tools,
    // biome-ignore lint/correctness/useYield: they have nothing to tell before their results
    async *execute(name, args) {
      if (name === 'look') return textResult('seen')
      await writeFile(join(folder, fieldOf(args, 'path')), fieldOf(args, 'text'))
      return textResult('written', { path: fieldOf(args, 'path') })
    },
  }
}

function fieldOf(args: unknown, name: string): string {
  const value: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, name) : undefined
  return typeof value === 'string' ? value : ''
}
