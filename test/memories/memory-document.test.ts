import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { cleanText } from '../../src/memories/clean-text.ts'
import { MemoryDocument } from '../../src/memories/memory-document.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../support/thorough.ts'

const read = (text: string) => new MemoryDocument(Buffer.from(text), 'project')
const texts = (text: string) => read(text).memories.map((memory) => memory.text)

quickDescribe('a file of memories', () => {
  it('is a Markdown list, whose items may go on in indented lines', () => {
    const file = [
      '# Notes',
      'Some text.',
      '- one',
      '  goes on',
      '',
      '      deeper',
      '  - and below',
      '* two',
      'not two',
      '  12. three',
      '  - four',
      ' -five is no item',
      '+ six <!-- a remark -->',
    ].join('\n')
    expect(texts(file)).toEqual([
      'one\ngoes on\n\n    deeper\n- and below',
      'two',
      'three',
      'four',
      'six <!-- a remark -->',
    ])
  })

  it('may hold code and comments between its lists, which are no memories', () => {
    const file =
      '```sh\n- a\n~~~\n```\n- one\n<!--\n- b\n-->\n~~~~\n- c\n~~~\n~~~~\n- two\n<!-- - d -->\n- three\n***\n* * *\n-\n'
    expect(texts(file)).toEqual(['one', 'two', 'three'])
    expect(texts('```a``` b\n- one')).toEqual(['one'])
    expect(texts('```\n- one')).toEqual([])
  })

  it('keeps facts of pipe in a comment, on any line of an item', () => {
    const file =
      '- one <!-- 0123abcd, 2026-11-26, work -->\n- two\n  <!--0123abce-->\n- three <!-- 0123abcf, 2026-11-26 -->\n  went on\n'
    expect(read(file).memories).toEqual([
      { id: '0123abcd', scope: 'project', text: 'one', date: '2026-11-26', session: 'work' },
      { id: '0123abce', scope: 'project', text: 'two' },
      { id: '0123abcf', scope: 'project', text: 'three\nwent on', date: '2026-11-26' },
    ])
  })

  it('gives an item without an id the hash of its text, and a copied item another id', () => {
    const [one, two, copy] = read('- one\n- two <!-- 0123abcd -->\n- other <!-- 0123abcd -->\n').memories
    expect([one?.id, two?.id, copy?.id]).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}$/),
      '0123abcd',
      expect.stringMatching(/^[0-9a-f]{8}$/),
    ])
    expect(copy?.id).not.toBe('0123abcd')
    expect(read('text\n\n* one').memories[0]?.id).toBe(one?.id)
    expect(new MemoryDocument(Buffer.from('- one'), 'user').memories[0]?.id).not.toBe(one?.id)
  })

  it.each([
    ['', '# Mine\n\n- new <!-- 00000001 -->\n'],
    ['\n', '\n# Mine\n\n- new <!-- 00000001 -->\n'],
    ['text', 'text\n\n- new <!-- 00000001 -->\n'],
    ['- a', '- a\n- new <!-- 00000001 -->\n'],
    ['- a\n\n## B\n\ntext\n', '- a\n- new <!-- 00000001 -->\n\n## B\n\ntext\n'],
    ['- a\r\n  b\r\nc', '- a\r\n  b\r\n- new <!-- 00000001 -->\r\nc'],
  ])('gets a new memory behind the last one: %j', (before, after) => {
    const document = read(before).with({ id: '00000001', text: 'new' }, 'Mine')
    expect(document.bytes.toString()).toBe(after)
    expect(document.memories.at(-1)).toEqual({ id: '00000001', scope: 'project', text: 'new' })
  })

  it('keeps every other byte when a memory is removed, also those that are no text', () => {
    const bytes = (middle: string) =>
      Buffer.concat([
        Buffer.from('\ufeff# A\r\n\r\n- one\n'),
        Buffer.from([0x2d, 0x20, 0xff, 0xfe, 0x61, 0x0a]),
        Buffer.from(`${middle}text  \n\n- three`),
      ])
    const document = new MemoryDocument(bytes('- two\n  more\n\n  and more\n\n'), 'project')
    const [, , two] = document.memories
    expect(two?.text).toBe('two\nmore\n\nand more')
    expect(document.without(new Set([two?.id ?? ''])).bytes).toEqual(bytes('\n'))
    expect(document.without(new Set(['none'])).bytes).toEqual(document.bytes)
  })
})

const piece = fc.oneof(
  fc.constantFrom(
    ...[
      '\n',
      '\n\n',
      '- other',
      '  ',
      '\t',
      '-->',
      '<!--',
      '<\\!--',
      '--\\>',
      '```',
      '~~~',
      '# h',
      '* * *',
      '\r',
      '\u2028',
    ],
    ...[
      '<!-- 00000002, 2026-01-01 -->',
      '<!-- 00000001 -->',
      '1. x',
      '> q',
      '\u00a0',
      '\u200b',
      '\u{e0041}',
      'a',
      'ü',
      '👩‍🔧',
    ],
  ),
  fc.string({ unit: 'grapheme' }),
)
const memoryText = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => `${parts.join('')}w`)
const fileText = fc
  .array(
    fc.constantFrom('- a', '* b <!-- 0000000a -->', '  more', '', 'text', '# h', '1) c', '   - d', '\t- e'),
    {
      maxLength: 8,
    },
  )
  .map((lines) => lines.join('\n'))

describe('the text of any memory', () => {
  sizedIt('stays in its item, comes back as it was kept, and changes nothing else', () => {
    fc.assert(
      fc.property(memoryText, fileText, (given, file) => {
        const text = cleanText(given, (same) => same)
        const before = read(file)
        const after = before.with({ id: '00000001', text, date: '2026-11-26', session: 'a--b' }, 'Mine')
        const added = { id: '00000001', scope: 'project', text, date: '2026-11-26', session: 'a--b' } as const
        expect(after.memories).toEqual([...before.memories, added])
        const gone = after.without(new Set(['00000001']))
        expect(gone.memories).toEqual(before.memories)
        if (before.memories.length > 0)
          expect(gone.bytes.toString().replace(/\n$/, '')).toBe(file.replace(/\n$/, ''))
      }),
      { numRuns: sized(500, 100) },
    )
  })
})
