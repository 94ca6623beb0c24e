import { type ErrorCode, isPipeError, throwIfAborted } from '../error.ts'
import { type JsonValue, textField } from '../json-value.ts'
import { errorResult, type Tool, type ToolContext, type ToolExecutor, type ToolRun } from '../tool.ts'
import { ReadLedger } from './file/read-ledger.ts'
import { recordEarlier } from './file/seen-files.ts'
import { recallTool } from './memory/recall-tool.ts'
import { rememberTool } from './memory/remember-tool.ts'
import { shortFailure, shortName } from './short-text.ts'
import { tools } from './tools.ts'
import { askTool } from './work/ask-tool.ts'
import { taskTool } from './work/task-tool.ts'
import type { BuiltinOptions, Workspace } from './workspace.ts'

/** Errors about a file or path go to the model; all others end the run. */
const forTheModel: readonly ErrorCode[] = ['not_found', 'permission', 'invalid', 'internal']

/**
 * Runs the built-in tools, and remembers which files the model has read. Offers `recall` if a search is given, `task` if a
 * board is, `ask` if a user can answer, and `remember` if memories are given besides.
 */
export function createBuiltinExecutor(options: BuiltinOptions): ToolExecutor {
  const ledger = new ReadLedger()
  recordEarlier(ledger, options.earlier ?? [], options.cwd)
  const workspace = { ...options, ledger }
  const all = [
    ...tools,
    ...(options.recall === undefined ? [] : [recallTool]),
    ...(options.tasks === undefined ? [] : [taskTool]),
    ...(options.interactive ? [askTool] : []),
    ...(options.interactive && options.memories !== undefined ? [consenting(rememberTool, workspace)] : []),
  ]
  const offered = all
    .map(refusing)
    .map((tool) => (tool.display === 'diff' ? previewed(tool, workspace) : tool))
    .map((tool) => (tool.input === undefined ? tool : continuing(tool, workspace)))
  const names = offered.map(({ name }) => name)

  async function* execute(name: string, args: JsonValue, context: ToolContext): ToolRun {
    throwIfAborted(context.signal)
    // Most of the code that a run without calls does not need: loaded on the first call.
    const { findRunner } = await import('./runners.ts')
    const tool = offered.find((one) => one.name === name)
    const runner = findRunner(name)
    if (tool === undefined || runner === undefined) {
      return errorResult(`there is no tool ${shortName(name)}; the tools are: ${names.join(', ')}`)
    }
    try {
      const result = yield* runner.execute(args, workspace, context)
      // The output of a failed command is already cut.
      return tool.kind === 'execute' ? result : shortFailure(result)
    } catch (error) {
      throwIfAborted(context.signal)
      if (isPipeError(error) && forTheModel.includes(error.code)) {
        return shortFailure(errorResult(error.message))
      }
      throw error
    }
  }

  return { tools: () => offered, execute }
}

/** The tool with its check of arguments. The schemas are loaded when a user is to be asked. */
function refusing(tool: Tool): Tool {
  return {
    ...tool,
    refuse: async (args) => {
      const { findRunner } = await import('./runners.ts')
      return findRunner(tool.name)?.refuse(args)
    },
  }
}

/** The tool with the words of its question. Their code is loaded when a user is asked. */
function consenting(tool: Tool, workspace: Workspace): Tool {
  return {
    ...tool,
    consent: async (args) => {
      const { remember } = await import('./memory/remember.ts')
      return remember.consent(args, workspace)
    },
  }
}

/** The tool with the line that its input goes on with: a line that is sent in pieces is judged whole. */
function continuing(tool: Tool, { processes }: Workspace): Tool {
  return {
    ...tool,
    input: (args) => {
      const input = tool.input?.(args)
      if (input === undefined) return undefined
      return (processes.find(textField(args, 'id') ?? '')?.begun ?? '') + input
    },
  }
}

/** The tool with a preview, and with a text to change. Their code is loaded when a user is asked. */
function previewed(tool: Tool, workspace: Workspace): Tool {
  return {
    ...tool,
    preview: async (args, context) => {
      const { previewChange } = await import('./edit/preview.ts')
      return previewChange({ name: tool.name, arguments: args }, workspace, context)
    },
    revisable: async (args, context) => {
      const { revisableChange } = await import('./edit/revision.ts')
      return revisableChange({ name: tool.name, arguments: args }, workspace, context)
    },
  }
}
