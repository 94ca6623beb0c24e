import { dirname, isAbsolute, join } from 'node:path'
import { newestFirst } from '../files/newest.ts'
import { walk } from '../files/walk.ts'
import { type ToolResult, textResult } from '../tool.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { defineTool } from './definition.ts'
import description from './glob.md'
import { limits } from './limits.ts'
import { displayPath, resolvePath, type Workspace } from './workspace.ts'

export const glob = defineTool({
  name: 'glob',
  description,
  capability: 'tool_read_file',
  readOnly: true,
  schema: (schemas) => schemas.glob,
  async run(args, workspace, { signal }) {
    const { folder, pattern } = split(args.pattern)
    const root = resolvePath(workspace, join(args.path ?? '', folder))
    const deadline = startDeadline(workspace.clock, limits.searchMs, signal)
    try {
      const found = await find(root, pattern, deadline)
      return report(workspace, await newestFirst(found, signal), deadline.passed)
    } finally {
      deadline.release()
    }
  },
})

/** The folders a pattern begins with by name (`../src/`, `/etc/`, `~/`): the walk starts there. */
function split(pattern: string): { readonly folder: string; readonly pattern: string } {
  if (!isAbsolute(pattern) && !/^(\.\.?|~)\//.test(pattern)) return { folder: '', pattern }
  const wild = pattern.search(/[*?[{!(]/)
  const folder = wild === -1 ? dirname(pattern) : dirname(`${pattern.slice(0, wild)}x`)
  return { folder, pattern: `./${pattern.slice(folder.length).replace(/^\/+/, '')}` }
}

/** What was found until the time was up. */
async function find(root: string, pattern: string, deadline: Deadline): Promise<string[]> {
  const found: string[] = []
  try {
    for await (const path of walk(root, { pattern, signal: deadline.signal })) found.push(path)
  } catch (error) {
    if (!deadline.passed) throw error
  }
  return found
}

function report(workspace: Workspace, paths: readonly string[], late: boolean): ToolResult {
  const shown = paths.slice(0, limits.searchResults).map((path) => displayPath(workspace, path))
  const notes = [
    ...(paths.length > shown.length
      ? [`the ${shown.length} newest of ${paths.length}; narrow the pattern`]
      : []),
    ...(late ? ['the search was ended after 30 s; narrow the path'] : []),
  ]
  if (shown.length === 0 && !late) return textResult('no files found')
  return textResult([...shown, ...notes.map((note) => `[${note}]`)].join('\n'))
}
