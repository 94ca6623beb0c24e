import { createGeminiProvider } from '../../src/google/provider.ts'
import type { AssistantMessage } from '../../src/message.ts'
import { ask } from '../support/models/asking.ts'
import { player } from '../support/models/playback.ts'

export const gemini = player(createGeminiProvider, { name: 'gemini', baseUrl: 'https://api.example.com' })

/** Reads the message in these bytes. */
export function read(bytes: string): Promise<AssistantMessage> {
  return ask(gemini({ bytes }))
}
