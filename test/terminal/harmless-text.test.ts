import { expect, it } from 'vitest'
import { harmlessText } from '../../src/terminal/harmless-text.ts'

it('is free of what a user cannot see and of what a terminal would do', () => {
  const hidden = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  expect(harmlessText(`plain ${hidden}text\u001b[2J\n\u202eend`)).toBe('plain text\n\\u202eend')
})
