import { newestFirst } from '../../files/walk/newest.ts'
import { LinkList } from '../../files/walk/skipped-links.ts'
import { walkStore } from '../../files/walk/store-walk.ts'
import { walk } from '../../files/walk/walk.ts'
import { splitGlob } from '../../globs/search-glob.ts'
import { type ToolResult, textResult } from '../../tool.ts'
import { type CallDeadline, startCallDeadline } from '../call-deadline.ts'
import { type LocatedFile, locate, pathAsNamed } from '../file/located-file.ts'
import { defineRunner } from '../runner.ts'
import { limits, limitTexts } from '../tool-limits.ts'
import { rowPath, type Workspace } from '../workspace.ts'
import { globAdvice } from './advice.ts'
import { linksNote } from './links-note.ts'

export const glob = defineRunner({
  name: 'glob',
  takesPlain: true,
  schema: (schemas) => schemas.glob(),
  async run(args, workspace, context) {
    const { signal } = context
    const { root: start, pattern } = splitGlob(args.pattern, args.path)
    const file = await locate(workspace, start, context)
    const deadline = startCallDeadline(workspace.clock, limits.searchMs, signal)
    try {
      const links = new LinkList()
      const found = await find(file.real, { pattern, links, deadline, workspace })
      const passed = linksNote(
        workspace,
        links.found().map((path) => pathAsNamed(path, file)),
      )
      const readable = found.filter((path) =>
        [path, pathAsNamed(path, file)].every((one) => workspace.mayRead?.(one) !== false),
      )
      if (found.length === 0 && !deadline.passed) {
        const advice = await globAdvice(workspace, { root: file.real, glob: pattern }, signal)
        return textResult(['no files found', ...advice, ...passed].join('; '))
      }
      // Only a disk knows when a file was changed.
      const paths = workspace.isElsewhere === true ? readable : await newestFirst(readable, signal)
      return report(workspace, { file, paths, passed, late: deadline.passed })
    } finally {
      deadline.release()
    }
  },
})

interface Finding {
  readonly pattern: string | undefined
  /** Gets the links that are passed by. */
  readonly links: LinkList
  readonly deadline: CallDeadline
  readonly workspace: Workspace
}

/** Returns what was found by the deadline. */
async function find(root: string, { pattern, links, deadline, workspace }: Finding): Promise<string[]> {
  const { signal } = deadline
  const found: string[] = []
  try {
    const options = { signal, onLink: links.add, pattern }
    const { artifacts, isElsewhere } = workspace
    const files = isElsewhere === true ? walkStore(artifacts, root, options) : walk(root, options)
    for await (const path of files) found.push(path)
  } catch (error) {
    if (!deadline.passed) throw error
  }
  return found
}

interface Found {
  readonly file: LocatedFile
  /** Newest first. */
  readonly paths: readonly string[]
  /** Names the links that were passed by. */
  readonly passed: readonly string[]
  /** Whether the deadline ended the search. */
  readonly late: boolean
}

function report(workspace: Workspace, { file, paths, passed, late }: Found): ToolResult {
  const named = paths.slice(0, limits.searchResults).map((path) => pathAsNamed(path, file))
  const shown = named.map((path) => rowPath(workspace, path))
  const notes = [
    ...(paths.length > shown.length
      ? [`the ${shown.length} newest of ${paths.length}; narrow the pattern, or give a path`]
      : []),
    ...(late
      ? [`ended after ${limitTexts.searchTime}, there may be more; narrow the pattern, or give a path`]
      : []),
    ...passed,
  ]
  if (shown.length === 0 && !late) return textResult(['no files found', ...passed].join('; '))
  return textResult([...shown, ...notes.map((note) => `[${note}]`)].join('\n'))
}
