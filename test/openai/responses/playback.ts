import type { AssistantMessage } from '../../../src/message.ts'
import { createResponsesProvider } from '../../../src/openai/responses/provider.ts'
import { ask } from '../../support/models/asking.ts'
import { player } from '../../support/models/playback.ts'
import { event } from '../../support/vendors/responses-sse.ts'

export const responses = player(createResponsesProvider, {
  name: 'openai',
  baseUrl: 'https://api.example.com/v1',
})

/** The beginning of a reply. */
export const start = event('response.created', { response: { id: 'resp_1', model: 'gpt-1' } })

/** An event of the first item. */
export function said(name: string, fields: object): string {
  return event(`response.${name}`, { output_index: 0, ...fields })
}

/** The beginning of an item. */
export function added(output_index: number, item: object): string {
  return event('response.output_item.added', { output_index, item })
}

/** The end of an item. */
export function done(output_index: number, item: object): string {
  return event('response.output_item.done', { output_index, item })
}

/** A message item with its text in one part. */
export function message(text: string, id = 'msg_1'): object {
  return { id, type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
}

/** A call without arguments. */
export function functionCall(fields: object = {}): object {
  return { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'read', arguments: '', ...fields }
}

/** The resulting block of a call. */
export function called(id: unknown, args: unknown, fields: object = {}): object {
  return { type: 'tool_call', id, name: 'read', arguments: args, ...fields }
}

/** The end of a reply. */
export function end(status = 'completed', fields: object = {}): string {
  return event(`response.${status}`, { response: { id: 'resp_1', model: 'gpt-1', status, ...fields } })
}

/** Reads the message in a reply's events. */
export function read(...events: readonly string[]): Promise<AssistantMessage> {
  return ask(responses({ bytes: start + events.join('') }))
}
