import type { JsonObject } from '../../json-value.ts'
import type { ToolChoice } from '../../provider.ts'
import type { Tool } from '../../tool.ts'
import type { ServedChatBody } from './chat-body.ts'

/** Converts the tools of a client, which carries out their calls itself. */
export function readTools(tools: ServedChatBody['tools']): readonly Tool[] {
  return (tools ?? []).map(({ function: { name, description, parameters } }) =>
    clientTool(name, description, parameters),
  )
}

/** A tool of a client. */
export function clientTool(
  name: string,
  description: string | null | undefined,
  parameters: JsonObject | null | undefined,
): Tool {
  return {
    name,
    description: description ?? '',
    parameters: parameters ?? { type: 'object', properties: {} },
    // Nothing here runs them.
    capability: 'tool_run_command',
    readOnly: () => false,
  }
}

export function readToolChoice(choice: ServedChatBody['tool_choice']): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined
  return typeof choice === 'string' ? choice : { tool: choice.function.name }
}
