import { resolvePath } from '../machine/path.ts'
import type { JudgedCall } from '../permission.ts'
import { shownPath } from './paths/shown-path.ts'

/** Asks for a call as a person would: `Run this command?`, `Edit src/a.ts?`. */
export function callTitle(
  { tool, arguments: args }: JudgedCall,
  at: { readonly cwd: string; readonly home: string },
): string {
  const show = (path: string) => {
    const shown = shownPath(resolvePath(path, at), at)
    return shown === '.' ? 'this folder' : shown
  }
  return `${tool.title?.(args, show) ?? titleOf(tool.name)}?`
}

function titleOf(name: string): string {
  const [, server, of] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  return server === undefined ? `Use the tool ${name}` : `Use ${of} of ${server}`
}
