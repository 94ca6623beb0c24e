import { expect, it } from 'vitest'
import { nameResults } from '../../../../src/cli/commands/race/race-models.ts'

it('a result is named after its race and its model, in characters that fit into a ref, and each name once', () => {
  const long = `openrouter/${'x'.repeat(60)}-small:free`
  expect(nameResults('1a2b', ['anthropic/claude-sonnet-5:high', 'fake/a', 'fake/a', 'ü', long])).toEqual([
    '1a2b-anthropic-claude-sonnet-5-high',
    '1a2b-fake-a',
    '1a2b-fake-a-2',
    '1a2b-model',
    `1a2b-${'x'.repeat(29)}-small-free`,
  ])
})
