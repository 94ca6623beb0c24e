import { type AssistantMessage, type Message, toolCalls } from '../../../src/message.ts'
import { complete, type Provider, type Request } from '../../../src/provider.ts'
import { text, toolResult, user } from '../messages/messages.ts'
import { thrown } from '../thrown.ts'

/** The smallest valid request. */
export const leastRequest: Request = {
  model: 'asked',
  systemPrompt: '',
  messages: [user(text('hello'))],
  tools: [],
}

const { signal } = new AbortController()

/** Asks this request with changes and returns the whole reply. */
export function ask(provider: Provider, differs: Partial<Request> = {}): Promise<AssistantMessage> {
  return complete(provider, { ...leastRequest, ...differs }, { signal })
}

/** Asks with a history. Adds the reply to it, and a result for each of its calls. */
export async function goOn(
  provider: Provider,
  history: Message[],
  differs: Partial<Request> = {},
): Promise<AssistantMessage> {
  const reply = await ask(provider, { ...differs, messages: history })
  history.push(reply, ...toolCalls(reply).map(({ id }) => toolResult(id, text('42'))))
  return reply
}

/** Returns the error instead of a reply. */
export function failure(provider: Provider): Promise<unknown> {
  return thrown(() => ask(provider))
}

/** Pulls a reply that may fail. Returns the reply so far, the text shown and the error. */
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
