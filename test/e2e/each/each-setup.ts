import { lastText } from '../../support/models/replies.ts'
import type { ChatBody } from '../../support/vendors/chat-rules.ts'

/** Returns the prompt of a request: the last block of its last message. */
export function promptOf({ body }: { readonly body: ChatBody }): string {
  return lastText(body).split('\n').at(-1) ?? ''
}

/** Reads lines of JSON. */
export function readObjects(text: string): readonly Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
