import type { ScriptBlock } from '../../src/replay/script.ts'
import type { ChatBody } from './chat-rules.ts'
import { replyEvents } from './chat-sse.ts'
import type { FakeReply, FakeServer } from './fake-server.ts'
import { outlineRequest } from './replies.ts'

type Whole = Extract<FakeReply, { readonly blocks: readonly ScriptBlock[] }>

/** Chooses the reply to a request by its messages, each as a role and its texts. */
export type Choose = (messages: readonly string[], body: ChatBody) => Whole | Promise<Whole>

/** Answers requests by their content: those of elves side by side come in any order. */
export function replyBy(server: Pick<FakeServer, 'reply'>, count: number, choose: Choose): void {
  const reply: FakeReply = async ({ body }, response) => {
    const { blocks, ...end } = await choose(outlineRequest(body), body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(replyEvents(blocks, end).join(''))
  }
  server.reply(...Array.from({ length: count }, () => reply))
}

/** Whether a conversation begins with this prompt. */
export function isAbout(messages: readonly string[], prompt: string): boolean {
  return messages.find((message) => message.startsWith('user: '))?.endsWith(prompt) === true
}
