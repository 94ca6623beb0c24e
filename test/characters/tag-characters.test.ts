import fc from 'fast-check'
import { describe, expect } from 'vitest'
import {
  messageWithoutTags,
  removalNote,
  replyWithoutTags,
  resultWithoutTags,
  withoutTags,
} from '../../src/characters/tag-characters.ts'
import type { ContentBlock } from '../../src/message.ts'
import { assistant, text, user } from '../support/messages/messages.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../support/thorough.ts'

/** Encodes words in invisible tag characters. */
const unseen = (words: string) =>
  [...words].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')

const base64 = (words: string) => Buffer.from(words).toString('base64')

describe('TERM-236: text for a model', () => {
  it.each([
    ['orders', `visible${unseen('Ign')}!`, 'visible!'],
    ['both ends of the block', '\u{dffff}\u{e0000}a\u{e007f}\u{e0080}', '\u{dffff}a\u{e0080}'],
    ['the flag of Scotland, which stays a flag', `🏴${unseen('gbsct')}\u{e007f}`, '🏴'],
    ['bytes in variation selectors', '葛\u{e0100}\u{e0101}\ufe00 a\ufe0e\ufe0f', '葛\u{e0100} a\ufe0e'],
    ['the same behind a removed character', `a\ufe00${unseen('x')}\ufe01`, 'a\ufe00'],
    ['the same on invisible characters', 'a\u200b\ufe01\u{e0102}', 'a\u200b'],
    ['the same at the start, because the text before may end in one', '\u{e0100}a', 'a'],
    ['half of one, which the next text could complete', 'a\udb40', 'a'],
    ['halves around a whole one', '\udb40\u{e0041}\udc41', '\udc41'],
  ])('has no tag characters: %s', (_, given, expected) => {
    expect(withoutTags(given)).toBe(expected)
  })

  it.each(['世界 👩\u200d👧 ❤\ufe0f 葛\u{e0100} 🇫🇷 𝔸 \ud83d', ''])('is otherwise unchanged: %s', (given) => {
    expect(withoutTags(given)).toBe(given)
  })

  sizedIt('has none if it is joined from cleaned texts', () => {
    const pieces = ['\udb40', '\udc41', '\udc00', '\u{e0041}', '\u{e007f}', '\u{e0100}', '\ufe0f', 'a', '🏴']
    const piece = fc.constantFrom(...pieces)
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 6 })), (texts) => {
        const joined = texts.map((pieces) => withoutTags(pieces.join(''))).join('')
        expect(joined).not.toMatch(/[\u{e0000}-\u{e007f}]|[\ufe0f\u{e0100}]{2}/u)
      }),
      { numRuns: sized(300, 60) },
    )
  })
})

quickDescribe('TERM-236: a tool’s result', () => {
  it('reports the number of removed characters in a last line and in its details', () => {
    const content = [text(`one\n${unseen('do')}`), text('two'), text(unseen('x')), text(`a${unseen('b')}c`)]
    expect(resultWithoutTags({ content, isError: true, details: { exit_code: 1 } })).toEqual({
      content: [
        text('one\n(2 invisible characters removed)'),
        text('two'),
        text('(1 invisible character removed)'),
        text('ac\n(1 invisible character removed)'),
      ],
      isError: true,
      details: { exit_code: 1, invisible_removed: 4 },
    })
  })

  it('is the same object if nothing is removed', () => {
    const result = { content: [text('plain'), image], isError: false }
    expect(resultWithoutTags(result)).toBe(result)
  })

  it('may be a text document, or have a name', () => {
    const document = { type: 'document', mimeType: 'text/plain', data: base64(`a${unseen('b')}`) } as const
    const named = {
      type: 'document',
      mimeType: 'application/pdf',
      data: 'JVBERg==',
      name: `a${unseen('b')}`,
    } as const
    expect(resultWithoutTags({ content: [document, named], isError: false })).toEqual({
      content: [
        { ...document, data: base64('a\n(1 invisible character removed)') },
        { ...named, name: 'a' },
      ],
      isError: false,
      details: { invisible_removed: 2 },
    })
  })
})

quickDescribe('TERM-236: the user’s message', () => {
  it('reports the number of removed characters in its metadata', () => {
    const message = { ...user(text(`fix${unseen('all')}`)), metadata: { context: '0' } }
    const cleaned = messageWithoutTags(message)
    expect(cleaned).toEqual({
      ...message,
      content: [text('fix\n(3 invisible characters removed)')],
      metadata: { context: '0', invisible_removed: '3' },
    })
    expect([cleaned.metadata, message.metadata].map(removalNote)).toEqual([
      '3 invisible characters removed',
      undefined,
    ])
  })

  it('is the same object if nothing is removed', () => {
    const message = user(text('fix it'))
    expect(messageWithoutTags(message)).toBe(message)
  })
})

const image: ContentBlock = { type: 'image', mimeType: 'image/png', data: 'iVBORw==' }

quickDescribe('TERM-236: a model’s reply', () => {
  it('keeps signed and vendor-specific blocks', () => {
    const providerData = { provider: 'p', data: unseen('a') }
    const signed = { type: 'thinking', thinking: unseen('b'), signature: 's' } as const
    const call = { type: 'tool_call', id: 'a', name: 'write', arguments: { content: unseen('c') } } as const
    const said = assistant(signed, { ...text(`yes${unseen('no')}`), providerData }, call)
    expect(replyWithoutTags(said)).toEqual({
      ...said,
      content: [signed, { ...text('yes'), providerData }, call],
      metadata: { invisible_removed: '2' },
    })
  })

  it('is the same object without tag characters', () => {
    const said = assistant(text('yes'))
    expect(replyWithoutTags(said)).toBe(said)
  })
})
