import type { Capability } from '../actor.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { Tool } from '../tool.ts'
import askText from './ask.md'
import bashText from './command/bash.md'
import { isLatexBuild } from './command/latex-build.ts'
import processText from './command/process.md'
import editText from './edit/edit.md'
import writeText from './edit/write.md'
import parameters from './parameters.json' with { type: 'json' }
import readText from './read/read.md'
import recallText from './recall.md'
import rememberText from './remember.md'
import globText from './search/glob.md'
import grepText from './search/grep.md'
import taskText from './task.md'
import todoText from './todo.md'
import type { ToolName } from './tool-signature.ts'
import fetchText from './web/fetch.md'

/** All tools but `recall`, `task`, `ask` and `remember`, in the order the model sees them. */
export const tools: readonly Tool[] = [
  // The tool itself tells texts from assets.
  { ...tool('read', readText, 'tool_read_file', () => true), otherCapability: () => 'read_assets' },
  keeping(tool('write', writeText, 'tool_edit_file', () => false)),
  keeping(tool('edit', editText, 'tool_edit_file', () => false)),
  {
    ...tool('bash', bashText, 'tool_run_command', () => false),
    otherCapability: latexCapability,
    looksOn: sleeps,
  },
  { ...tool('process', processText, 'tool_run_command', onlyLooks), looksOn: onlyLooks },
  tool('grep', grepText, 'tool_read_file', () => true),
  tool('glob', globText, 'tool_read_file', () => true),
  keeping(tool('fetch', fetchText, 'tool_fetch_url', () => false)),
  tool('todo', todoText, 'tool_read_file', () => true),
]

/** For users who turn it on. */
export const recallTool: Tool = tool('recall', recallText, 'tool_read_file', () => true)

/** For users who turn it on. */
export const taskTool: Tool = keeping(tool('task', taskText, 'create_task', onlyReadsTasks))

/** For sessions in which a user can be asked. */
export const askTool: Tool = needingUser(tool('ask', askText, 'tool_read_file', () => true))

/** For sessions in which a user can be asked, as each call is. */
export const rememberTool: Tool = needingUser(
  keeping(tool('remember', rememberText, 'tool_read_file', () => false)),
)

function tool(name: ToolName, text: string, capability: Capability, readOnly: Tool['readOnly']): Tool {
  return { name, description: text.trim(), parameters: parameters[name], capability, readOnly }
}

/** A tool that runs no commands. */
function keeping(tool: Tool): Tool {
  return { ...tool, keepsFiles: true }
}

function needingUser(tool: Tool): Tool {
  return { ...tool, needsUser: true }
}

/** Whether a call of `task` adds none. */
function onlyReadsTasks(args: JsonValue): boolean {
  const action = isJsonObject(args) ? args['action'] : undefined
  return action === 'list' || action === 'show'
}

/** A command that only builds LaTeX documents needs no more than that capability. */
function latexCapability(args: JsonValue): Capability | undefined {
  const command = isJsonObject(args) ? args['command'] : undefined
  return typeof command === 'string' && isLatexBuild(command) ? 'run_latex_build' : undefined
}

/** Whether a command sleeps, as one that polls does. */
function sleeps(args: JsonValue): boolean {
  const command = isJsonObject(args) ? args['command'] : undefined
  return typeof command === 'string' && /(?:^|[\s;&|(])sleep\s+[\d.]/.test(command)
}

/** Whether a call of `process` neither writes to a process nor ends it. */
function onlyLooks(args: JsonValue): boolean {
  const action = isJsonObject(args) ? args['action'] : undefined
  return action === 'list' || action === 'read' || action === 'wait'
}
