import { describe, expect, it } from 'vitest'
import { cleanTitle, firstWords } from '../../src/history/title-text.ts'
import { text, user } from '../support/messages/messages.ts'

describe('a title', () => {
  it.each([
    ['  fix\n\tthe   login  bug ', 'fix the login bug'],
    ['\x1b[31mred\x07 alert\u202e', '[31mred alert'],
    ['hidden\u{e0041}\u{e0042} words', 'hidden words'],
    ['half \ud83e of a pair', 'half of a pair'],
    [' \u200b\n', ''],
    [`${'word '.repeat(11)}words`, `${'word '.repeat(11)}words`],
    [`${'word '.repeat(11)}wordswords`, `${'word '.repeat(11).trim()}…`],
    [`see ${'x'.repeat(100)}`, `see ${'x'.repeat(55)}…`],
    ['漢'.repeat(61), `${'漢'.repeat(59)}…`],
    ['🦁'.repeat(61), `${'🦁'.repeat(59)}…`],
  ])('is one clean line of 60 characters at most: %j', (given, title) => {
    expect(cleanTitle(given)).toBe(title)
  })

  it('is made of the beginning of a huge text', () => {
    expect(cleanTitle(`${'\n'.repeat(1e6)}begin ${'word '.repeat(1e6)}`)).toBe(`begin${' word'.repeat(10)}…`)
  })

  it('of a message is what the user wrote, without what pipe added', () => {
    const message = { ...user(text('<environment>'), text('fix it')), metadata: { context: '1' } }
    expect(firstWords(message, (words) => words)).toBe('fix it')
  })

  it('of a message without words names its attachments', () => {
    const message = user(
      { type: 'image', mimeType: 'image/png', data: 'UE5H' },
      { type: 'document', mimeType: 'application/pdf', data: 'UERG', name: 'plan.pdf' },
    )
    expect(firstWords(message, (words) => words)).toBe('image, plan.pdf')
  })

  it('holds no part of a secret that a cut would hide from the redactor', () => {
    const secret = 'S3cr3t'.repeat(20)
    const redact = (words: string) => words.replaceAll(secret, '[redacted]')
    expect(firstWords(user(text(`use ${secret} for it`)), redact)).toBe('use [redacted] for it')
  })
})
