import { invalidField } from '../../error.ts'
import { thinkingBudget, thinkingLevels } from '../../model.ts'
import type { ReplyFormat, ThinkingLevel, ToolChoice } from '../../provider.ts'
import { clientTool } from '../chat/chat-tools.ts'
import { readStop } from '../chat/reply-options.ts'
import type { ReadingHistory } from '../chat/sent-messages.ts'
import type { SentQuestion } from '../chat/sent-question.ts'
import type { CountBody, ServedMessagesBody } from './body.ts'
import { readHistory } from './history.ts'

/** Reads what a client of the Messages API asks. Throws `invalid` with `details.field`. */
export function readQuestion(body: ServedMessagesBody, reading: ReadingHistory): SentQuestion {
  const { model, max_tokens, temperature, tool_choice: choice, output_config: output } = body
  return {
    ...readHistory(body, reading),
    model,
    maxTokens: max_tokens,
    isForModel: true,
    tools: readTools(body),
    temperature: temperature ?? undefined,
    thinking: readThinking(body),
    toolChoice: readChoice(choice),
    stop: readStop(body.stop_sequences),
    format: readFormat(output?.format),
    parallelCalls: choice?.disable_parallel_tool_use === true ? false : undefined,
  }
}

export function readTools({ tools }: Pick<CountBody, 'tools'>): SentQuestion['tools'] & object {
  return (tools ?? []).map(({ name, description, input_schema }) =>
    clientTool(name, description, input_schema),
  )
}

function readChoice(choice: ServedMessagesBody['tool_choice']): ToolChoice | undefined {
  switch (choice?.type) {
    case 'tool':
      if (choice.name === undefined) throw invalidField('tool_choice.name', 'is missing')
      return { tool: choice.name }
    case 'any':
      return 'required'
    default:
      return choice?.type
  }
}

function readFormat(
  format: NonNullable<ServedMessagesBody['output_config']>['format'],
): ReplyFormat | undefined {
  return format ? { type: 'schema', name: 'answer', schema: format.schema, isStrict: true } : undefined
}

/** The level that a client names, or the highest within its budget. */
function readThinking({ thinking, output_config: output }: ServedMessagesBody): ThinkingLevel | undefined {
  if (thinking?.type === 'disabled') return 'off'
  const effort = output?.effort ?? undefined
  if (effort !== undefined) return effort === 'max' ? 'xhigh' : effort
  if (thinking?.type !== 'enabled') return undefined
  const { budget_tokens: budget } = thinking
  return thinkingLevels.findLast((level) => level !== 'off' && thinkingBudget(level) <= budget) ?? 'minimal'
}
