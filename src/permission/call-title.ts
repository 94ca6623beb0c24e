import { isJsonObject } from '../json-value.ts'
import { resolvePath } from '../machine/path.ts'
import type { JudgedCall } from '../permission.ts'
import { namedPath } from './judge-path.ts'
import { hostOf, isProcessCall } from './judged-arguments.ts'
import { shownPath } from './paths/shown-path.ts'
import { toolKind } from './rules/rule.ts'

/** Asks for a call as a person would: `Run this command?`, `Edit src/a.ts?`. */
export function callTitle(call: JudgedCall, at: { readonly cwd: string; readonly home: string }): string {
  const { tool, arguments: args } = call
  const name = tool.name.toLowerCase()
  const path = () => {
    const shown = shownPath(resolvePath(namedPath(call), at), at)
    return shown === '.' ? 'this folder' : shown
  }
  switch (toolKind(tool.name)) {
    case 'command': {
      const isBackground = isJsonObject(args) && args['background'] === true
      return isBackground ? 'Run this command in the background?' : 'Run this command?'
    }
    case 'edit':
      return `${name === 'write' ? 'Write' : 'Edit'} ${path()}?`
    case 'read':
      return /^(grep|glob|recall)$/.test(name) ? `Search ${path()}?` : `Read ${path()}?`
    case 'fetch':
      return `Fetch ${hostOf(args) ?? 'this page'}?`
    case 'other': {
      if (isProcessCall(call, 'write')) return 'Send this to a running command?'
      const [, server, of] = /^mcp__(.+?)__(.+)$/.exec(tool.name) ?? []
      if (server !== undefined) return `Use ${of} of ${server}?`
      return `Use the tool ${tool.name}?`
    }
  }
}
