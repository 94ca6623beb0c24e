import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addUsage, noUsage, stopReasons, type Usage } from '../src/usage.ts'

const tokens = fc.nat(1_000_000)
const usage: fc.Arbitrary<Usage> = fc.record(
  {
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    reasoningTokens: tokens,
  },
  { requiredKeys: ['inputTokens', 'outputTokens'], noNullPrototype: true },
)

describe('the sum of two usages', () => {
  it('adds each part', () => {
    const a = {
      inputTokens: 100,
      outputTokens: 50,
      cacheReadTokens: 80,
      cacheWriteTokens: 10,
      reasoningTokens: 7,
    }
    const b = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 5 }
    const sum = {
      inputTokens: 101,
      outputTokens: 52,
      cacheReadTokens: 83,
      cacheWriteTokens: 14,
      reasoningTokens: 12,
    }
    expect(addUsage(a, b)).toEqual(sum)
  })

  it('has a part if either has it, and omits others', () => {
    const sum = addUsage(
      { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0 },
      { ...noUsage, reasoningTokens: 4 },
    )
    expect(sum).toStrictEqual({ inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, reasoningTokens: 4 })
  })

  it('omits the servers’ raw objects, which cannot be added', () => {
    expect(addUsage({ ...noUsage, raw: { a: 1 } }, { ...noUsage, raw: { a: 2 } })).toStrictEqual(noUsage)
  })

  it('is commutative and associative, and adding zero changes nothing', () => {
    fc.assert(
      fc.property(usage, usage, usage, (a, b, c) => {
        expect(addUsage(a, b)).toStrictEqual(addUsage(b, a))
        expect(addUsage(addUsage(a, b), c)).toStrictEqual(addUsage(a, addUsage(b, c)))
        expect(addUsage(a, noUsage)).toStrictEqual(a)
      }),
    )
  })
})

describe('the stop reasons', () => {
  it('are seven without duplicates', () => {
    expect(stopReasons).toEqual(['end_turn', 'length', 'tool_use', 'refusal', 'error', 'aborted', 'unknown'])
  })
})
