import type { Limits } from '../../engine.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Flags } from '../flags.ts'

/** Reads the limits and reply options of a run from its flags. Throws `usage`. */
export function readLimits(flags: Flags): {
  readonly limits: Limits
  readonly maxReplyTokens?: number
  readonly temperature?: number
} {
  const whole = (value: number) => Number.isInteger(value) && value > 0
  const count = 'a whole number above 0'
  return {
    limits: omitUndefined({
      maxRounds: flags.number('max-turns', whole, count),
      maxTokens: flags.number('max-tokens', whole, count),
      maxCostUsd: flags.number('max-cost', (value) => value > 0, 'US dollars, above 0'),
      maxTimeMs: flags.duration('max-time'),
    }),
    ...omitUndefined({
      maxReplyTokens: flags.number('max-output-tokens', whole, count),
      temperature: flags.number('temperature', (value) => value >= 0 && value <= 2, 'a number from 0 to 2'),
    }),
  }
}
