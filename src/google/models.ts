import type { Thinking } from '../model.ts'

/** Removes the optional `models/` before a model's name. */
export function modelId(model: string): string {
  return model.replace(/^models\//, '')
}

/** Gemini 3 and later refuse a step whose first call is not signed. */
export function wantsSignatures(model: string): boolean {
  return version(model) >= 3
}

/**
 * Derives the thinking control from a model's name. Gemini 3 and later use levels, and all of them have these two; 2.5 uses a token
 * budget. `undefined` for other names.
 */
export function modelThinking(model: string): Thinking | undefined {
  if (/image|tts|audio|live|embedding/.test(model)) return undefined
  if (version(model) >= 3) return { type: 'effort', levels: ['low', 'high'] }
  if (version(model) !== 2.5) return undefined
  return model.includes('pro')
    ? { type: 'budget', min: 128, max: 32_768, optional: false }
    : { type: 'budget', min: 512, max: 24_576, optional: true }
}

function version(model: string): number {
  const [, number = '0'] = /gemini-(\d+(?:\.\d+)?)/.exec(model) ?? []
  return Number(number)
}
