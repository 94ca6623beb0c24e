import { describe, expect, it } from 'vitest'
import { Flags } from '../../../src/cli/flags.ts'
import { readLimits } from '../../../src/cli/wiring/limits.ts'
import { thrown } from '../../support/thrown.ts'

const read = (values: Parameters<typeof flagsOf>[0]) => readLimits(flagsOf(values))
const flagsOf = (values: ConstructorParameters<typeof Flags>[0]) => new Flags(values)

describe('the limits of a run', () => {
  it('are absent by default', () => {
    expect(read(new Map())).toEqual({ limits: {} })
    expect(
      read(
        new Map([
          ['max-turns', ['3']],
          ['max-tokens', ['50000']],
          ['max-cost', ['0.25']],
          ['max-time', ['90s']],
          ['max-output-tokens', ['100']],
          ['temperature', ['0.5']],
        ]),
      ),
    ).toEqual({
      limits: { maxRounds: 3, maxTokens: 50_000, maxCostUsd: 0.25, maxTimeMs: 90_000 },
      maxReplyTokens: 100,
      temperature: 0.5,
    })
  })

  it.each([
    ['5', 5_000],
    ['0.5', 500],
    ['250ms', 250],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
  ])('read %s as %i milliseconds', (text, maxTimeMs) => {
    expect(read(new Map([['max-time', [text]]]))).toEqual({ limits: { maxTimeMs } })
  })

  it.each(['', '0', 'soon', '5x', '5m later', '-5'])('reject the time %j', async (text) => {
    expect(await thrown(() => read(new Map([['max-time', [text]]])))).toMatchObject({ code: 'usage' })
  })
})
