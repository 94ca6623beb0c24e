import { describe, expect, it } from 'vitest'
import { nearest } from '../../src/ranking/nearest.ts'

describe('the nearest word', () => {
  it.each([
    ['mode', ['model', 'mode', 'code'], 'mode'],
    ['modle', ['demo', 'model'], 'model'],
    ['ollma', ['openai', 'ollama'], 'ollama'],
    ['-x', ['-m', '--model'], '-m'],
    ['continue-session', ['continue', 'session'], undefined],
    ['append-sistem-promt', ['append-system-prompt'], 'append-system-prompt'],
    ['abc', ['xyzw'], undefined],
    ['abc', [], undefined],
    ['', ['ab'], undefined],
    ['bar', ['xai'], undefined],
  ])('to %j among %j is %j', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected)
  })
})
