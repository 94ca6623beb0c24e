import { type ErrorCode, isPipeError, throwIfAborted } from '../error.ts'
import type { JsonValue } from '../json-value.ts'
import { errorResult, type ToolContext, type ToolExecutor, type ToolRun } from '../tool.ts'
import { ask } from './ask.ts'
import { bash } from './bash.ts'
import type { BuiltinTool } from './definition.ts'
import { edit } from './edit.ts'
import { fetch } from './fetch.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { processTool } from './process.ts'
import { read } from './read.ts'
import { ReadLedger } from './read-ledger.ts'
import { todo } from './todo.ts'
import type { BuiltinOptions } from './workspace.ts'
import { write } from './write.ts'

/** In the order the model sees them. */
const builtinTools: readonly BuiltinTool[] = [read, write, edit, bash, processTool, grep, glob, fetch, todo]

/** What goes wrong with a file or a path is for the model to read; all else ends the run. */
const forTheModel: readonly ErrorCode[] = ['not_found', 'permission', 'invalid', 'internal']

/**
 * The hands: read, write, edit, bash, process, grep, glob, fetch, todo, and ask where a person can be asked. Remembers which files the
 * model has read.
 */
export function createBuiltinExecutor(options: BuiltinOptions): ToolExecutor {
  const workspace = { ...options, ledger: new ReadLedger() }
  const offered = options.interactive ? [...builtinTools, ask] : builtinTools
  const byName = new Map<string, BuiltinTool>(offered.map((builtin) => [builtin.tool.name, builtin]))
  const tools = offered.map(({ tool }) => tool)

  async function* execute(name: string, args: JsonValue, context: ToolContext): ToolRun {
    throwIfAborted(context.signal)
    const builtin = byName.get(name)
    if (builtin === undefined) {
      return errorResult(`there is no tool ${name}; the tools are: ${[...byName.keys()].join(', ')}`)
    }
    try {
      return yield* builtin.execute(args, workspace, context)
    } catch (error) {
      throwIfAborted(context.signal)
      if (isPipeError(error) && forTheModel.includes(error.code)) return errorResult(error.message)
      throw error
    }
  }

  return { tools: () => tools, execute }
}
