import { isSurvivable } from '../../error.ts'
import { requireSmallGlob } from '../../files/walk/glob-size.ts'
import { skippedLinks } from '../../files/walk/skipped-links.ts'
import { splitGlob } from '../../globs/search-glob.ts'
import { errorResult } from '../../tool.ts'
import { startCallDeadline } from '../call-deadline.ts'
import { locate, pathAsNamed } from '../file/located-file.ts'
import { defineRunner } from '../runner.ts'
import { limits } from '../tool-limits.ts'
import type { Workspace } from '../workspace.ts'
import { globAdvice, patternAdvice } from './advice.ts'
import type { SearchHit, SearchRequest } from './found-line.ts'
import { linksNote } from './links-note.ts'
import { isMissing, ripgrep, ripgreps } from './ripgrep.ts'
import { scriptSearch } from './script-search.ts'
import { SearchReport } from './search-report.ts'

/** A pattern with a line break is meant to match one, and ripgrep would refuse it without multiline mode. */
const namesLineEnd = /\n|\\n/

/** Longer patterns fail to compile in some engines, or to fit on a command line. */
const longestPattern = 10_000

export const grep = defineRunner({
  name: 'grep',
  takesPlain: true,
  schema: (schemas) => schemas.grep(),
  async run(args, workspace, context) {
    const { output = 'lines', ignore_case = false, multiline = false } = args
    const { root: start, pattern: glob } = splitGlob(args.glob ?? '**', args.path)
    // Refuses the same globs whichever program searches.
    if (glob !== undefined) requireSmallGlob(glob)
    if (args.pattern.length > longestPattern) {
      return errorResult(`the pattern is longer than ${longestPattern} characters: search for a part of it`)
    }
    const file = await locate(workspace, start, context)
    const { real: root } = file
    const deadline = startCallDeadline(workspace.clock, limits.searchMs, context.signal)
    const { signal } = deadline
    const report = new SearchReport(workspace, output)
    let links: Promise<readonly string[]> | undefined
    try {
      const isFolder = await isListable(workspace, root, signal)
      // Beside the search, which does not tell of them.
      if (isFolder && workspace.isElsewhere !== true) links = skippedLinks(root, { signal, pattern: glob })
      const request = {
        pattern: withAnyLineEnd(args.pattern),
        root,
        isFolder,
        glob,
        type: args.type,
        ignoreCase: ignore_case,
        multiline: multiline || namesLineEnd.test(args.pattern),
        context: Math.min(args.context ?? 0, limits.searchContext),
        output,
        signal,
      }
      for await (const finding of search(workspace, request)) {
        const path = pathAsNamed(finding.path, file)
        const isShown = [finding.path, path].every((one) => workspace.mayRead?.(one) !== false)
        if (isShown && !report.add({ ...finding, path })) break
      }
      await links
    } catch (error) {
      await links
      if (!deadline.passed) throw error
    } finally {
      deadline.release()
    }
    const advice = report.isEmpty
      ? [...patternAdvice(args.pattern), ...(await globAdvice(workspace, { root, glob }, context.signal))]
      : []
    const passed = ((await links) ?? []).map((path) => pathAsNamed(path, file))
    return report.result(deadline.passed, advice, linksNote(workspace, passed))
  },
})

/** Uses ripgrep if it is available and its output lines carry everything requested. */
async function* search(workspace: Workspace, request: SearchRequest): AsyncGenerator<SearchHit> {
  const needsScript = workspace.isElsewhere === true || (request.output === 'count' && request.multiline)
  for (const program of needsScript ? [] : (workspace.ripgreps ?? (await ripgreps()))) {
    try {
      return yield* ripgrep(program, workspace, request)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  yield* scriptSearch(workspace, request)
}

/** Whether it is a folder. Throws `not_found` if it is neither a folder nor a file. */
async function isListable({ artifacts }: Workspace, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await artifacts.listDir(path, { signal, followLinks: false })
    return true
  } catch (error) {
    // A file cannot be listed, and a missing path cannot be read either.
    if (!isSurvivable(error)) throw error
    await artifacts.readFile(path, { maxBytes: 1, signal, followLinks: false })
    return false
  }
}

/** Makes the line breaks of a pattern match CRLF too, except in character classes. */
function withAnyLineEnd(pattern: string): string {
  // ripgrep's look-behind needs a fixed length.
  if (/\(\?<[=!]/.test(pattern)) return pattern
  let depth = 0
  return pattern.replace(/\\.|\[\^?\]?|\]|\n/gs, (piece) => {
    if (piece.startsWith('[')) depth++
    if (piece === ']' && depth > 0) depth--
    return depth === 0 && (piece === '\\n' || piece === '\n') ? '(?:\\r?\\n)' : piece
  })
}
