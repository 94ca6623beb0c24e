import { type AssistantMessage, type Message, toolCalls } from '../../src/message.ts'
import { complete, type Provider, type Request } from '../../src/provider.ts'
import { text, toolResult, user } from './messages.ts'
import { thrown } from './thrown.ts'

/** The least that can be asked. */
export const leastRequest: Request = {
  model: 'asked',
  systemPrompt: '',
  messages: [user(text('hello'))],
  tools: [],
}

const { signal } = new AbortController()

/** The whole reply to that, or to what differs from it. */
export function ask(provider: Provider, differs: Partial<Request> = {}): Promise<AssistantMessage> {
  return complete(provider, { ...leastRequest, ...differs }, { signal })
}

/** Asks with a history, to which the reply is added, and a result for each of its calls. */
export async function goOn(
  provider: Provider,
  history: Message[],
  differs: Partial<Request> = {},
): Promise<AssistantMessage> {
  const reply = await ask(provider, { ...differs, messages: history })
  history.push(reply, ...toolCalls(reply).map(({ id }) => toolResult(id, text('42'))))
  return reply
}

/** What is thrown in place of a reply. */
export function failure(provider: Provider): Promise<unknown> {
  return thrown(() => ask(provider))
}

/** How far a reply came that may fail: what was thrown, and all of the text that was shown. */
export async function pull(provider: Provider): Promise<{
  readonly reply: AssistantMessage
  readonly shown: string
  readonly error: unknown
}> {
  const stream = provider.stream(leastRequest, { signal })
  let error: unknown
  let shown = ''
  try {
    for await (const event of stream) if (event.type === 'text_delta') shown += event.delta
  } catch (thrown) {
    error = thrown
  }
  return { reply: stream.message(), shown, error }
}
