import { expect, it } from 'vitest'
import { choiceWords, isGranting } from '../../../src/frontend/words/choice-words.ts'

it.each([
  ['allow', 'Yes, once', 'yes, once'],
  ['allow_session', 'Yes, this session: npm test', 'this session: npm test'],
  ['allow_always', 'Yes, always: Bash(npm test:*)', 'always: Bash(npm test:*)'],
  ['deny', 'No', 'no'],
  ['left', 'Left', 'Left'],
])('words the answer %s', (id, label, words) => {
  expect(choiceWords({ id, label })).toBe(words)
})

it('an answer grants a permission unless it is a no, or the one to begin with', () => {
  const ids = ['allow', 'allow_session', 'no', 'deny', 'later']
  const options = ids.map((id) => ({ id, label: id, ...(id === 'later' && { isDefault: true as const }) }))
  const granting = options.filter((option) => isGranting({ options }, option))
  expect(granting.map(({ id }) => id)).toEqual(['allow', 'allow_session'])
})
