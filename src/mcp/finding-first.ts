import { isJsonObject, type JsonValue } from '../json-value.ts'
import {
  errorResult,
  type Tool,
  type ToolExecutor,
  type ToolOutput,
  type ToolResult,
  type ToolRun,
} from '../tool.ts'
import { findToolsFacts } from './find-tools-facts.ts'

/**
 * Searches for a tool of a server that is called before it was found, as happens in a resumed conversation, and then runs the call like
 * any other. The executor judges both. Where the search is not offered, would ask the user or finds nothing, the tool does not exist.
 */
export function findingFirst(executor: ToolExecutor): ToolExecutor {
  const find = (name: string) => executor.tools().find((tool) => tool.name === name)
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const [, server] = /^mcp__(.+?)__./.exec(name) ?? []
      const mayFind = server !== undefined && find(findToolsFacts.name) !== undefined
      if (!mayFind || find(name) !== undefined) return yield* executor.execute(name, args, context)
      // The audit log holds what is decided about the call, not about the search.
      const { callId, signal, actor } = context
      const asked = { query: name, server }
      const search = yield* unasked(executor.execute(findToolsFacts.name, asked, { callId, signal, actor }))
      const tool = find(name)
      const missing = tool === undefined ? [] : missingIn(args, tool)
      const result =
        missing.length === 0
          ? yield* executor.execute(name, args, context)
          : errorResult(
              `${name} was not called: it needs ${missing.join(', ')}. Look at what it takes, and call it again`,
            )
      return search === undefined ? result : behind(search, result)
    },
  }
}

/** Runs a search up to a question: an answer that is kept for the call must not count for it. Returns `undefined` then. */
async function* unasked(
  search: ToolRun,
): AsyncGenerator<Exclude<ToolOutput, { type: 'interaction' }>, ToolResult | undefined, undefined> {
  try {
    for (;;) {
      const { done, value } = await search.next()
      if (done === true) return value
      if (value.type === 'interaction') return undefined
      yield value
    }
  } finally {
    await search.return(errorResult('the search was left'))
  }
}

/** Names the required arguments that a call lacks. The server checks all else. */
function missingIn(args: JsonValue, { parameters }: Tool): readonly string[] {
  const required = isJsonObject(parameters) ? parameters['required'] : undefined
  const names = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []
  return names.filter((name) => !isJsonObject(args) || !Object.hasOwn(args, name))
}

/** Puts what a search said, which the model has not seen yet, before a result, with a blank line between. */
function behind({ content }: ToolResult, result: ToolResult): ToolResult {
  const said = content.map((block, i) =>
    block.type === 'text' && i === content.length - 1 ? { ...block, text: `${block.text}\n\n` } : block,
  )
  return { ...result, content: [...said, ...result.content] }
}
