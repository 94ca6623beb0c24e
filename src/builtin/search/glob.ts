import { newestFirst } from '../../files/newest.ts'
import { walk } from '../../files/walk.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { splitGlob } from '../../text/search-glob.ts'
import { type ToolResult, textResult } from '../../tool.ts'
import { type Deadline, startCallDeadline } from '../deadline.ts'
import { type LocatedFile, locate, pathAsNamed } from '../file/located-file.ts'
import { limits, limitTexts } from '../limits.ts'
import { defineRunner } from '../runner.ts'
import { rowPath, type Workspace } from '../workspace.ts'
import { globAdvice } from './advice.ts'

export const glob = defineRunner({
  name: 'glob',
  schema: (schemas) => schemas.glob(),
  async run(args, workspace, context) {
    const { signal } = context
    const { root: start, pattern } = splitGlob(args.pattern, args.path)
    const file = await locate(workspace, start, context)
    const deadline = startCallDeadline(workspace.clock, limits.searchMs, signal)
    try {
      const found = await find(file.real, pattern, deadline)
      const readable = found.filter((path) =>
        [path, pathAsNamed(path, file)].every((one) => workspace.mayRead?.(one) !== false),
      )
      if (found.length === 0 && !deadline.passed) {
        const advice = await globAdvice(workspace, { root: file.real, glob: pattern }, signal)
        return textResult(['no files found', ...advice].join('; '))
      }
      return report(workspace, file, await newestFirst(readable, signal), deadline.passed)
    } finally {
      deadline.release()
    }
  },
})

/** Returns what was found by the deadline. */
async function find(root: string, pattern: string | undefined, deadline: Deadline): Promise<string[]> {
  const { signal } = deadline
  const found: string[] = []
  try {
    for await (const path of walk(root, { signal, ...omitUndefined({ pattern }) })) found.push(path)
  } catch (error) {
    if (!deadline.passed) throw error
  }
  return found
}

function report(
  workspace: Workspace,
  file: LocatedFile,
  paths: readonly string[],
  late: boolean,
): ToolResult {
  const named = paths.slice(0, limits.searchResults).map((path) => pathAsNamed(path, file))
  const shown = named.map((path) => rowPath(workspace, path))
  const notes = [
    ...(paths.length > shown.length
      ? [`the ${shown.length} newest of ${paths.length}; narrow the pattern, or give a path`]
      : []),
    ...(late
      ? [`ended after ${limitTexts.searchTime}, there may be more; narrow the pattern, or give a path`]
      : []),
  ]
  if (shown.length === 0 && !late) return textResult('no files found')
  return textResult([...shown, ...notes.map((note) => `[${note}]`)].join('\n'))
}
