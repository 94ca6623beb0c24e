import { expect, it } from 'vitest'
import { choiceWords } from '../../../src/frontend/words/choice-words.ts'

it.each([
  ['allow', 'Yes, once', 'yes, once'],
  ['allow_session', 'Yes, this session: npm test', 'this session: npm test'],
  ['allow_always', 'Yes, always: Bash(npm test:*)', 'always: Bash(npm test:*)'],
  ['deny', 'No', 'no'],
  ['left', 'Left', 'Left'],
])('words the answer %s', (id, label, words) => {
  expect(choiceWords({ id, label })).toBe(words)
})
