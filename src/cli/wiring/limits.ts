import type { Limits } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import { present } from '../../present.ts'
import type { Flags } from '../flags.ts'

/** What the flags let a run spend, and how its replies are asked for. Throws `usage`. */
export function readLimits(flags: Flags): {
  readonly limits: Limits
  readonly maxReplyTokens?: number
  readonly temperature?: number
} {
  const whole = (value: number) => Number.isInteger(value) && value > 0
  const count = 'a whole number above 0'
  return {
    limits: present({
      maxRounds: flags.number('max-turns', whole, count),
      maxTokens: flags.number('max-tokens', whole, count),
      maxCostUsd: flags.number('max-cost', (value) => value > 0, 'US dollars, above 0'),
      maxTimeMs: readDuration(flags.text('max-time')),
    }),
    ...present({
      maxReplyTokens: flags.number('max-output-tokens', whole, count),
      temperature: flags.number('temperature', (value) => value >= 0 && value <= 2, 'a number from 0 to 2'),
    }),
  }
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** Milliseconds of `90s`, `5m`, `1h30m`; a number alone is seconds. */
function readDuration(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smh])/g)]
  const plain = /^\d+(\.\d+)?$/.test(text)
  const ms = plain
    ? Number(text) * 1_000
    : parts.reduce((sum, [, number, unit]) => sum + Number(number) * (units[unit ?? ''] ?? 0), 0)
  if (ms > 0 && (plain || parts.map(([part]) => part).join('') === text)) return ms
  throw new PipeError(
    'usage',
    `--max-time takes a duration such as 90s, 5m or 1h30m, not ${JSON.stringify(text)}`,
  )
}
