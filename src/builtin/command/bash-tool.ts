import type { Capability } from '../../actor.ts'
import { isJsonObject, type JsonValue, textField } from '../../json-value.ts'
import { defineTool } from '../define-tool.ts'
import text from './bash.md'
import { isLatexBuild } from './latex-build.ts'

export const bashTool = defineTool(text, {
  name: 'bash',
  hookName: 'Bash',
  hookArguments: { background: 'run_in_background' },
  kind: 'execute',
  capability: 'tool_run_command',
  otherCapability: latexCapability,
  readOnly: () => false,
  command: (args) => {
    const line = textField(args, 'command')
    return line === undefined ? undefined : { line, leavesSandbox: hasFlag(args, 'sandbox', false) }
  },
  title: (args) =>
    hasFlag(args, 'background', true) ? 'Run this command in the background' : 'Run this command',
  looksOn: sleeps,
  display: 'command',
  target: (args) => textField(args, 'command') ?? '',
})

function hasFlag(args: JsonValue, name: string, value: boolean): boolean {
  return isJsonObject(args) && args[name] === value
}

/** A command that only builds LaTeX documents needs no more than that capability. */
function latexCapability(args: JsonValue): Capability | undefined {
  const command = textField(args, 'command')
  return command !== undefined && isLatexBuild(command) ? 'run_latex_build' : undefined
}

/** Whether a command sleeps, as one that polls does. */
function sleeps(args: JsonValue): boolean {
  return /(?:^|[\s;&|(])sleep\s+[\d.]/.test(textField(args, 'command') ?? '')
}
