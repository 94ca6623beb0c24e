import type { Thinking } from '../model.ts'

/** A model's name without the folder that some write before it. */
export function modelId(model: string): string {
  return model.replace(/^models\//, '')
}

/** Gemini 3 and later refuse a step whose first call is not signed. */
export function wantsSignatures(model: string): boolean {
  return version(model) >= 3
}

/**
 * What a model's name says of how its thinking is set: from Gemini 3 on in levels, of which all models have these two, in 2.5 as a
 * number of tokens. `undefined` where it does not say.
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
