import { describe, expect, it } from 'vitest'
import { cleanText } from '../../src/memories/clean-text.ts'
import { createRedactor } from '../../src/redaction/redaction.ts'
import { thrown } from '../support/thrown.ts'

const clean = (text: string) => cleanText(text, createRedactor(['hunter2hunter2']))

describe('a text to keep', () => {
  it.each([
    ['  a \t b  \r\n\r\n\r\n\tc\u0007\u001b[31m  ', 'a      b\n\n    c[31m'],
    ['a\u{e0068}\u{e0069}\u200b\u202eb\ufeff', 'ab'],
    ['a\u2028b\u0085c', 'a\nb\nc'],
    ['👩\u200d🔧 ❤\ufe0f می\u200cخواهم', '👩\u200d🔧 ❤\ufe0f می\u200cخواهم'],
    ['a\ud800b', 'ab'],
  ])('has no invisible and no control characters: %j', (given, kept) => expect(clean(given)).toBe(kept))

  it('has no secrets, also not behind invisible characters', () => {
    expect(clean('the key is hunter2hunter2')).toBe('the key is [redacted]')
    expect(clean('the key is hunter2\u200bhunter2')).toBe('the key is [redacted]')
    expect(clean('password=swordfish1')).toBe('password=[redacted]')
  })

  it.each(['', ' \n ', '---', '\u200b', '- - -'])('needs words: %j', async (given) =>
    expect(await thrown(() => clean(given))).toMatchObject({
      code: 'invalid',
      message: 'a memory needs words',
    }),
  )

  it('has at most 2,000 characters', async () => {
    expect(clean('👍a'.repeat(1_000))).toHaveLength(3_000)
    expect(await thrown(() => clean('a'.repeat(2_001)))).toMatchObject({
      code: 'invalid',
      message: 'a memory has at most 2,000 characters; this one has 2,001',
    })
  })
})
