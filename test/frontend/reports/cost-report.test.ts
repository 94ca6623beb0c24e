import { describe, expect, it } from 'vitest'
import { costReport, spentByModel } from '../../../src/frontend/reports/cost-report.ts'
import { assistant, text, user } from '../../support/messages/messages.ts'

const reply = (model: string, [inputTokens, outputTokens]: readonly [number, number], cost?: string) => ({
  ...assistant(text('Yes.')),
  provider: 'acme',
  model,
  usage: { inputTokens, outputTokens, cacheReadTokens: 10 },
  ...(cost === undefined ? {} : { metadata: { cost_usd: cost } }),
})

describe('the cost of a conversation', () => {
  it('is summed by model, in order of their first reply', () => {
    const messages = [
      user(text('go')),
      reply('large', [100, 10], '0.5'),
      reply('small', [50, 5]),
      reply('large', [200, 20], '0.25'),
    ]
    expect(spentByModel(messages)).toEqual([
      {
        name: 'acme/large',
        usage: { inputTokens: 300, outputTokens: 30, cacheReadTokens: 20 },
        requests: 2,
        costUsd: 0.75,
      },
      {
        name: 'acme/small',
        usage: { inputTokens: 50, outputTokens: 5, cacheReadTokens: 10 },
        requests: 1,
        costUsd: undefined,
      },
    ])
  })

  it('tells what the replies do not explain, what elves spent, and a price that is not known', () => {
    const models = spentByModel([reply('large', [100, 10], '0.5'), reply('small', [50, 5])])
    const elves = [{ name: 'explore e1 · acme/mini', tokens: 3_400, costUsd: 0.004 }]
    const own = { usage: { inputTokens: 170, outputTokens: 18 }, costUsd: 0.6 }
    expect(costReport({ models, elves, own }).split('\n')).toEqual([
      '                                   requests  input  cached  output     cost',
      'acme/large                                1    100      10      10  $0.5000',
      'acme/small                                1     50      10       5        –',
      'summaries, failed attempts                      20               3  $0.1000',
      'explore e1 · acme/mini                                        3.4k  $0.0040',
      'total, and 1 elf with 3.4k tokens         2    170      20      18  $0.6040',
    ])
  })
})
