import type { ToolChoice } from '../../provider.ts'
import type { Tool } from '../../tool.ts'
import { clientTool } from '../chat/chat-tools.ts'
import { readFormat } from '../chat/reply-options.ts'
import type { ReadingHistory } from '../chat/sent-messages.ts'
import type { SentQuestion } from '../chat/sent-question.ts'
import type { ServedResponsesBody } from './body.ts'
import { readHistory } from './history.ts'

/** Reads what a client of the Responses API asks. Throws `invalid` with `details.field`. */
export function readQuestion(body: ServedResponsesBody, reading: ReadingHistory): SentQuestion {
  const { model, temperature, max_output_tokens: maxTokens, tool_choice: choice } = body
  const effort = body.reasoning?.effort ?? undefined
  return {
    ...readHistory(body, reading),
    isForModel: true,
    tools: readTools(body),
    model: model ?? undefined,
    temperature: temperature ?? undefined,
    maxTokens: maxTokens ?? undefined,
    thinking: effort === 'none' ? ('off' as const) : effort,
    toolChoice: readChoice(choice ?? undefined),
    format: readFormat(body.text?.format),
    parallelCalls: body.parallel_tool_calls ?? undefined,
  }
}

/** The names of the tools whose input is a text. */
export function customTools({ tools }: ServedResponsesBody): ReadonlySet<string> {
  return new Set((tools ?? []).flatMap((tool) => (tool.type === 'custom' ? [tool.name] : [])))
}

function readTools({ tools }: ServedResponsesBody): readonly Tool[] {
  return (tools ?? []).flatMap((tool): readonly Tool[] => {
    if (tool.type === 'hosted') return []
    if (tool.type === 'function') return [clientTool(tool.name, tool.description, tool.parameters)]
    const grammar = tool.format?.definition
    const input = {
      type: 'string',
      ...(grammar === undefined ? {} : { description: `A text of this grammar:\n${grammar}` }),
    }
    const parameters = { type: 'object', properties: { input }, required: ['input'] }
    return [clientTool(tool.name, tool.description, parameters)]
  })
}

function readChoice(
  choice: NonNullable<ServedResponsesBody['tool_choice']> | undefined,
): ToolChoice | undefined {
  return typeof choice === 'object' ? { tool: choice.name } : choice
}
