import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../../src/json-value.ts'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import { replyEvents } from '../vendors/chat-sse.ts'
import type { FakeReply, FakeRequest, FakeServer } from './fake-server.ts'
import { outlineRequest } from './replies.ts'

type Whole = Extract<FakeReply, { readonly blocks: readonly ScriptBlock[] }>

/** Chooses the reply to a request by its messages, each as a role and its texts. Without a reply, the request stays open. */
export type Choose = (
  messages: readonly string[],
  request: FakeRequest,
) => Whole | undefined | Promise<Whole | undefined>

/** Answers requests by their content: those of elves side by side come in any order. */
export function replyBy(server: Pick<FakeServer, 'reply'>, count: number, choose: Choose): void {
  const reply: FakeReply = async (request, response) => {
    const chosen = await choose(outlineRequest(request.body), request)
    if (chosen !== undefined) answerWith(response, chosen)
  }
  server.reply(...Array.from({ length: count }, () => reply))
}

/** Sends a whole reply. */
function answerWith(response: ServerResponse, { blocks: parts, ...end }: Whole): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(replyEvents(parts, end).join(''))
}

/** Whether a conversation begins with this prompt. */
export function isAbout(messages: readonly string[], prompt: string): boolean {
  return messages.find((message) => message.startsWith('user: '))?.endsWith(prompt) === true
}

/** A reply of one text. */
export function blocks(text: string): Whole {
  return { blocks: [{ type: 'text', text }] }
}

/** A reply with calls, each a name and its arguments. */
export function calls(...all: readonly (readonly [name: string, args: JsonObject])[]): Whole {
  return { blocks: all.map(([name, args]) => ({ type: 'tool_call', name, arguments: args })) }
}
