import { isPipeError } from '../error.ts'
import { cutText } from '../files/lines.ts'
import { type ToolResult, textResult } from '../tool.ts'
import { startDeadline } from './deadline.ts'
import { defineTool } from './definition.ts'
import type { FoundLine, SearchRequest } from './found-line.ts'
import description from './grep.md'
import { limits } from './limits.ts'
import { isRipgrepMissing, ripgrep, suitsRipgrep } from './ripgrep.ts'
import { scriptSearch } from './script-search.ts'
import { displayPath, resolvePath, type Workspace } from './workspace.ts'

export const grep = defineTool({
  name: 'grep',
  description,
  capability: 'tool_read_file',
  readOnly: true,
  schema: (schemas) => schemas.grep,
  async run(args, workspace, { signal }) {
    const deadline = startDeadline(workspace.clock, limits.searchMs, signal)
    const report = new Report(workspace)
    try {
      const request = {
        pattern: args.pattern,
        root: resolvePath(workspace, args.path ?? '.'),
        glob: args.glob,
        ignoreCase: args.ignore_case ?? false,
        context: Math.min(args.context ?? 0, limits.searchContext),
        signal: deadline.signal,
      }
      for await (const line of search(workspace, request)) if (!report.add(line)) break
    } catch (error) {
      if (!deadline.passed) throw error
    } finally {
      deadline.release()
    }
    return report.result(deadline.passed)
  },
})

/** With ripgrep where there is one. */
async function* search(workspace: Workspace, request: SearchRequest): AsyncGenerator<FoundLine> {
  const isFolder = await isListable(workspace, request)
  if (suitsRipgrep(request)) {
    try {
      return yield* ripgrep(workspace, request, isFolder)
    } catch (error) {
      if (!isRipgrepMissing(error)) throw error
    }
  }
  yield* scriptSearch(workspace.artifacts, request)
}

async function isListable({ artifacts }: Workspace, { root, signal }: SearchRequest): Promise<boolean> {
  try {
    await artifacts.listDir(root, { signal })
    return true
  } catch (error) {
    // What is a file cannot be listed; what does not exist cannot be read either.
    if (!isPipeError(error) || error.code === 'aborted') throw error
    await artifacts.readFile(root, { maxBytes: 1, signal })
    return false
  }
}

/** `path:line:text` for matches, `path-line-text` for context, `--` where lines are left out between. */
class Report {
  readonly #workspace: Workspace
  readonly #rows: string[] = []
  #matches = 0
  #bytes = 0
  #last: FoundLine | undefined
  #full = false
  #hasContext = false

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** False where there is no room for it, nor for what follows. */
  add(line: FoundLine): boolean {
    const last = this.#last
    const row = this.#row(line)
    this.#bytes += Buffer.byteLength(row) + 1
    if (line.isMatch) this.#matches++
    this.#full = this.#matches > limits.searchResults || this.#bytes > limits.bytes
    if (this.#full) return false
    this.#hasContext ||= !line.isMatch
    const gap = last !== undefined && (last.path !== line.path || last.number + 1 !== line.number)
    if (gap && this.#hasContext) this.#rows.push('--')
    this.#rows.push(row)
    this.#last = line
    return true
  }

  result(late: boolean): ToolResult {
    const notes = [
      ...(this.#full ? ['there is more; narrow the search with path, glob or a longer pattern'] : []),
      ...(late ? ['the search was ended after 30 s; narrow the path'] : []),
    ]
    if (this.#rows.length === 0 && notes.length === 0) return textResult('no matches')
    return textResult([...this.#rows, ...notes.map((note) => `[${note}]`)].join('\n'))
  }

  #row({ path, number, text, isMatch }: FoundLine): string {
    const shown = text.length > limits.searchLine ? `${cutText(text, limits.searchLine)}…` : text
    const mark = isMatch ? ':' : '-'
    return `${displayPath(this.#workspace, path)}${mark}${number}${mark}${shown}`
  }
}
