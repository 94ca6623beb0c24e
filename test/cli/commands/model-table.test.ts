import { expect, it } from 'vitest'
import { modelTable } from '../../../src/cli/commands/model-table.ts'

it('prints the known facts about each model in columns', () => {
  const facts = {
    contextWindow: 1_047_576,
    maxOutput: 32_768,
    images: true,
    documents: true,
    tools: true,
    thinking: { type: 'fixed' },
    price: { input: 0.15, output: 10, cacheRead: 0.01 },
  } as const
  const models = [
    { name: 'a/everything', facts },
    { name: 'b/nothing', facts: {}, missing: 'not running' },
    {
      name: 'c/little',
      facts: { contextWindow: 999_600, images: false, thinking: { type: 'none' } } as const,
    },
    { name: 'd/round', facts: { contextWindow: 200_000, maxOutput: 999_400, tools: true } },
    { name: 'e/\u001b[31mred\nof\u202eall', facts: {}, missing: 'export \u001b]0;X=…' },
  ]
  expect(modelTable(models)).toBe(
    [
      'MODEL              WINDOW  OUTPUT  $ IN/OUT PER 1M  CAN                      NOW',
      'a/everything       1.05M   33k     0.15/10          images pdf thinks tools  ready',
      'b/nothing          -       -       -                -                        not running',
      'c/little           1M      -       -                -                        ready',
      'd/round            200k    999k    -                tools                    ready',
      'e/red of\\u202eall  -       -       -                -                        export X=…',
      '',
    ].join('\n'),
  )
})
