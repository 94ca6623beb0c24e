import type { Capability } from '../../../src/actor.ts'
import { knownTool } from '../../../src/cli/wiring/tools/known-tools.ts'
import { PipeError, throwIfAborted } from '../../../src/error.ts'
import { isJsonObject, type JsonObject } from '../../../src/json-value.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import {
  errorResult,
  type Tool,
  type ToolContext,
  type ToolExecutor,
  type ToolFacts,
  type ToolRun,
  textResult,
} from '../../../src/tool.ts'

/** The work of a scripted tool. It may ignore its arguments and its signal. */
export interface ScriptedTool {
  readonly readOnly?: boolean
  readonly capability?: Capability
  readonly looksOn?: NonNullable<Tool['looksOn']>
  readonly run: (args: JsonObject, context: ToolContext) => ToolRun
}

/** An executor of scripted tools. `journal` records the start and end of each run: `run read`, `end read`. */
export function scriptedTools(
  tools: Readonly<Record<string, ScriptedTool>>,
  journal: string[] = [],
): ToolExecutor {
  const known = new Map(Object.entries(tools))
  const listed = [...known].map(([name, tool]) => describe(name, tool))
  return {
    tools: () => listed,
    async *execute(name, args, context) {
      throwIfAborted(context.signal)
      const tool = known.get(name)
      if (tool === undefined) return errorResult(`there is no tool ${name}`)
      if (!isJsonObject(args)) return errorResult(`${name} takes an object`)
      journal.push(`run ${name}`)
      try {
        return yield* tool.run(args, context)
      } finally {
        journal.push(`end ${name}`)
      }
    },
  }
}

/** The facts by which the guard judges calls of this name. */
function judgedBy(
  name: string,
): Pick<Partial<ToolFacts>, 'kind' | 'paths' | 'command' | 'input' | 'url' | 'title'> {
  const { kind, paths, command, input, url, title } = knownTool(name) ?? {}
  return omitUndefined({ kind, paths, command, input, url, title })
}

function describe(name: string, tool: ScriptedTool): Tool {
  const { readOnly = false, capability = 'tool_run_command', looksOn = () => false } = tool
  return {
    ...judgedBy(name),
    name,
    description: `The tool ${name} of a test.`,
    parameters: { type: 'object' },
    capability,
    readOnly: () => readOnly,
    looksOn,
  }
}

/** A tool that returns this text at once. */
export function gives(text: string, options: Omit<ScriptedTool, 'run'> = {}): ScriptedTool {
  return {
    ...options,
    // biome-ignore lint/correctness/useYield: a tool without output
    run: async function* () {
      return textResult(text)
    },
  }
}

/** A tool that outputs `before`, waits until it is released or aborted, and returns `text`. */
export function waits(
  until: Promise<void>,
  {
    before,
    text,
    ...options
  }: Omit<ScriptedTool, 'run'> & { readonly before: string; readonly text: string },
): ScriptedTool {
  return {
    ...options,
    run: async function* (_, { signal }) {
      yield { type: 'output', stream: 'stdout', chunk: before }
      await abortable(until, signal)
      return textResult(text)
    },
  }
}

/** A tool that fails to run. */
export function breaks(error: PipeError, options: Omit<ScriptedTool, 'run'> = {}): ScriptedTool {
  return {
    ...options,
    // biome-ignore lint/correctness/useYield: a tool that fails before it says anything
    run: async function* () {
      throw error
    },
  }
}

/** Waits for the promise, or throws `aborted` as soon as the signal fires. */
function abortable(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new PipeError('aborted', 'interrupted'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
