import { createOllamaProvider } from '../../src/ollama/provider.ts'
import { player } from '../support/models/playback.ts'

export const ollama = player(createOllamaProvider, { name: 'ollama', baseUrl: 'http://host:11434' })

/** Formats a reply with one object per line. */
export function lines(...objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('')
}

/** The last line. */
export const done = {
  model: 'm-1',
  message: { role: 'assistant', content: '' },
  done: true,
  done_reason: 'stop',
}
