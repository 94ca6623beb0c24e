import { PipeError } from '../../error.ts'
import { cleanTitle, namedLength } from '../../history/title-text.ts'
import type { Wired } from '../wiring/wired.ts'

/** Gives a conversation a title of the user. Returns it as it is kept. Throws `input` if there is nothing to keep or to name. */
export async function nameConversation(
  text: string,
  { conversation, sessionId }: Pick<Wired, 'conversation' | 'sessionId'>,
): Promise<string> {
  if (sessionId === undefined)
    throw new PipeError('input', 'this conversation is not saved, so it cannot have a title')
  const title = cleanTitle(text, namedLength)
  if (title === '') throw new PipeError('input', 'a title needs a visible character')
  await conversation.rename(title)
  return title
}
