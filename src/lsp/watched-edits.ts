import { resolve } from 'node:path'
import { isPipeError } from '../error.ts'
import { isJsonObject } from '../json-value.ts'
import { editsPaths, type ToolExecutor, type ToolOutput, type ToolResult, withText } from '../tool.ts'
import { type EditNews, type FileNews, isTelling, newsJson, newsText } from './edit-news.ts'
import { newErrors } from './file-error.ts'
import type { LanguagePool } from './language-pool.ts'

export interface WatchedEdits {
  /** Opens the servers at the first edit; `undefined` if none may run. */
  readonly open: () => Promise<LanguagePool | undefined>
  readonly news: EditNews
  /** The working folder, which the servers take for the project. */
  readonly cwd: string
  /** Reads a file as text; `undefined` if there is none, or it is too long or no text. */
  readonly readText: (path: string) => Promise<string | undefined>
  /** Writes a path as the model knows it. */
  readonly show: (path: string) => string
}

/** Adds the new errors of a file to the result of each edit. `executor` stands behind the guard. */
export function withFileErrors(executor: ToolExecutor, options: WatchedEdits): ToolExecutor {
  const { news, open, cwd, readText } = options
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const tool = executor.tools().find((one) => one.name === name)
      // Only such a tool says beforehand which file it changes, and how.
      const edited =
        tool !== undefined && tool.keepsFiles === true && editsPaths(tool) ? (tool.paths?.(args) ?? []) : []
      const [path] = edited.map((one, i) => context.judgedPaths?.[i] ?? resolve(cwd, one.path))
      const pool = path === undefined ? undefined : await open()
      const server = path === undefined ? undefined : pool?.serverOf(path, cwd)
      if (path === undefined || server === undefined) {
        const result = yield* executor.execute(name, args, context)
        yield* tellFaults(pool)
        return withNews(result, news.take())
      }
      const before = await readText(path)
      const result = yield* executor.execute(name, args, context)
      const after = result.isError ? undefined : await readText(path)
      if (after === undefined || after === before) return withNews(result, news.take())
      const compare = async (): Promise<FileNews | undefined> => {
        try {
          const texts = await server.compare(path, { before, after })
          return {
            path: options.show(path),
            language: server.language.name,
            fresh: newErrors(texts.before, texts.after),
            errors: texts.after.errors,
            before: texts.before.errors.length,
          }
        } catch (error) {
          // Its reason is told below. No edit fails for it.
          if (isPipeError(error) || error instanceof Error) return undefined
          throw error
        }
      }
      const told = await news.about(path, compare(), context.signal)
      yield* tellFaults(pool)
      return withNews(result, told)
    },
  }
}

/** Tells the user once about servers that do not work. */
function* tellFaults(pool: LanguagePool | undefined): Generator<ToolOutput, void, undefined> {
  for (const text of pool?.takeFaults() ?? []) yield { type: 'notice', text }
}

function withNews(result: ToolResult, all: readonly FileNews[]): ToolResult {
  const news = all.filter(isTelling)
  if (news.length === 0) return result
  const { details = {} } = result
  return {
    ...withText(result, `\n\n${newsText(news)}`),
    ...(isJsonObject(details) && { details: { ...details, diagnostics: newsJson(news) } }),
  }
}
