import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { applyAllEdits } from '../../../src/builtin/edit/edited-text.ts'
import { growth } from '../../support/cost.ts'
import { codePoint } from '../../support/messages/code-point.ts'
import { quickIt as it, quickDescribe, sized, sizedIt, slowIt } from '../../support/thorough.ts'

type Edit = readonly [oldText: string, newText: string, replaceAll?: boolean]

const edit = (text: string, ...edits: readonly Edit[]) =>
  applyAllEdits(
    text,
    edits.map(([oldText, newText, replaceAll = false]) => ({ oldText, newText, replaceAll })),
    async () => {},
  )

/** The new text and the notes for the model, or the reason for a refusal. */
const edited = async (text: string, ...edits: readonly Edit[]) => {
  const result = await edit(text, ...edits)
  return result.type === 'edited' ? [result.text, ...result.notes] : result.why
}

const reindented = 'old_text was found with indentation ignored, new_text indented like the file'
const trimmed = 'old_text was found with white space at line ends ignored'
const normalised = 'old_text was found with quotes, dashes, dots, spaces and accents normalised'

quickDescribe('an old text', () => {
  it('that is equal is found anywhere in a line', async () => {
    expect(await edited('a(b, c)\n', ['b, c', 'd'])).toEqual(['a(d)\n'])
  })

  it('that differs in white space at line ends is found; unchanged lines keep theirs', async () => {
    expect(await edited('a  \nb\t\nc\n', ['a\nb\nc', 'a\nB\nc'])).toEqual(['a  \nB\nc\n', trimmed])
    expect(await edited('a\nb\nc\n', ['a \nb', 'a \nB'])).toEqual(['a\nB\nc\n', trimmed])
  })

  it('that differs in common indentation is found; the new text is indented like the file', async () => {
    const file = 'class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        pass\n'
    expect(
      await edited(file, [
        'def f(self):\n    return 1',
        'def f(self):\n    if x:\n        return 2\n\n    return 1',
      ]),
    ).toEqual([
      'class A:\n    def f(self):\n        if x:\n            return 2\n\n        return 1\n\n    def g(self):\n        pass\n',
      reindented,
    ])
    expect(await edited('  a\n  b\n', ['    a\n    b\n', '    a\n      c\n    b\n  d\n'])).toEqual([
      '  a\n    c\n  b\nd\n',
      reindented,
    ])
  })

  it('that differs in tabs or spaces is found; the new text gets those of the file', async () => {
    const tabs = 'f() {\n\tif (x) {\n\t\ty()\n\t}\n}\n'
    expect(
      await edited(tabs, [
        '    if (x) {\n        y()\n    }',
        '    if (x) {\n        for (;;) {\n            z()\n        }\n    }',
      ]),
    ).toEqual(['f() {\n\tif (x) {\n\t\tfor (;;) {\n\t\t\tz()\n\t\t}\n\t}\n}\n', reindented])
    expect(await edited('  a:\n    b\n', ['\ta:\n\t\tb', '\ta:\n\t\tb\n\t\tc'])).toEqual([
      '  a:\n    b\n    c\n',
      reindented,
    ])
    expect(await edited('a:\n    b\n', ['a:\n  b\n', 'a:\n  b:\n    c\n'])).toEqual([
      'a:\n    b:\n        c\n',
      reindented,
    ])
    expect(await edited('\ta\n', ['  a', '  a\n  b\n    c'])).toEqual(['\ta\n\tb\n\t\tc\n', reindented])
  })

  it('that is wrapped into a block keeps the intended depth', async () => {
    expect(await edited('  a()\n  b()\n', ['a()\nb()', 'if (x) {\n  a()\n  b()\n}'])).toEqual([
      '  if (x) {\n    a()\n    b()\n  }\n',
      reindented,
    ])
  })

  it('that differs in indentation without a rule is not found', async () => {
    expect(await edited('a\n  b\n    c\n', ['a\nb\nc', 'd\ne\nf'])).toBe(
      'old_text is not in it; line 1 begins the same except for white space. Read the file again and copy the text exactly',
    )
  })

  it('that differs in quotes, dashes, spaces and composition is found; unchanged text keeps them', async () => {
    expect(
      await edited('say “hi” – it’s\u00a0me\n', ['say "hi" - it\'s me', 'say "hi" - it\'s you']),
    ).toEqual(['say “hi” – it’s\u00a0you\n', normalised])
    expect(await edited('cafe\u0301 noir — un\n', ['café noir - un', 'café noir - deux'])).toEqual([
      'cafe\u0301 noir — deux\n',
      normalised,
    ])
    expect(await edited('“fine…” … he…\n', ['"fine..." ... he...', '"fine..." ... she…'])).toEqual([
      '“fine…” … she…\n',
      normalised,
    ])
    expect(await edited('a — b...\n', ['a - b…', 'c - b…'])).toEqual(['c — b...\n', normalised])
    expect(await edited('café\n', ['cafe\u0301', 'the'])).toEqual(['the\n', normalised])
  })

  it('that matches only whole lines is not found inside a line', async () => {
    expect(await edited('xfoo\nbar\n', ['foo \nbar', ''])).toBe(
      'old_text is not in it; its first line is most like line 1, "xfoo". Read the file again and copy the text exactly',
    )
    expect(await edited('ab\nb\nb\n', ['b \nb', 'c'])).toEqual(['ab\nc\n', trimmed])
  })

  it('that is only white space is found only literally', async () => {
    expect(await edited('a\n\n\nb', ['\n\n\n', '\n'])).toEqual(['a\nb'])
    expect(await edited('a\n\nb', ['\t', 'x'])).toBe(
      'old_text is not in it. Read the file again and copy the text exactly',
    )
  })

  it('is counted by the first way that finds it', async () => {
    expect(await edited('  a\n    a\n', ['\ta', 'b'])).toBe(
      'old_text matches 2 times (indentation ignored, new_text indented like the file), on lines 1, 2; add lines around it to match once, or set replace_all',
    )
    expect(await edited('  a\n    a\n', ['\ta\n', '\tb\n', true])).toEqual(['  b\n    b\n', reindented])
    expect(await edited('a\n  a\n', ['  a', 'b'])).toEqual(['a\nb\n'])
  })
})

quickDescribe('an old text that ends in a newline', () => {
  const endless = 'the last newline of both texts left out, as the file ends without one'

  it('is found at the end of a file without one, which does not get one', async () => {
    const note = `old_text was found with ${endless}`
    expect(await edited('a\nb', ['b\n', 'c\n'])).toEqual(['a\nc', note])
    expect(await edited('a\nb', ['a\nb\n', 'a\nc\nd\n'])).toEqual(['a\nc\nd', note])
    expect(await edited('a\r\nb', ['a\nb\n', 'a\nc\nb\n'])).toEqual(['a\r\nc\r\nb', note])
    expect(await edited('a\rb', ['b\n', 'c\n'])).toEqual(['a\rc', note])
    expect(await edited('a\nb', ['b\n', 'c'])).toEqual(['a\nc', note])
    expect(await edited('b\nb', ['b\n', 'c\n'], ['b\n', 'd\n'])).toEqual(['c\nd', `edit 2 of 2: ${note}`])
  })

  it('gives that file a newline at its end only if asked to', async () => {
    expect(await edited('a\nb', ['b\n', 'b\n\n'])).toEqual(['a\nb\n', `old_text was found with ${endless}`])
    expect(await edited('a\nb', ['b', 'b\n'])).toEqual(['a\nb\n'])
    expect(await edited('a\nb', ['b\n', 'b'])).toBe('it would be the same as before')
  })

  it('removes lines from that end along with the newline before them', async () => {
    const note = `old_text was found with ${endless}`
    expect(await edited('a\nb', ['b\n', ''])).toEqual(['a', note])
    expect(await edited('a\r\nb\r\nc', ['b\nc\n', ''])).toEqual(['a', note])
    expect(await edited('ab', ['b\n', ''])).toEqual(['a', note])
    expect(await edited('b', ['b\n', ''])).toEqual(['', note])
  })

  it('is found there in each way', async () => {
    expect(await edited('a \nb\t', ['a\nb\n', 'a\nc\n'])).toEqual(['a \nc', `${trimmed}; ${endless}`])
    expect(await edited('if\n\tb', ['  b\n', '  c\n  d\n'])).toEqual([
      'if\n\tc\n\td',
      `${reindented}; ${endless}`,
    ])
    expect(await edited('a\n“b”', ['"b"\n', '"c"\n'])).toEqual(['a\n“c”', `${normalised}; ${endless}`])
  })

  it('is not found if the file continues, and one without is found before a newline', async () => {
    expect(await edited('bx', ['b\n', 'c\n'])).toContain('old_text is not in it')
    expect(await edited('a \nb\n', ['a\nb', 'a\nc'])).toEqual(['a \nc\n', trimmed])
  })
})

describe('an old text that is not unique', () => {
  it('is refused with the lines of its first ten matches', async () => {
    expect(await edited('x\ny\nx\n', ['x', 'z'])).toContain('matches 2 times, on lines 1, 3;')
    expect(await edited('x'.repeat(20), ['x', 'z'])).toContain('matches more than 10 times, all on line 1;')
    expect(await edited('x\n'.repeat(50), ['x', 'z'])).toContain(
      'matches more than 10 times, on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;',
    )
  })

  it('may overlap itself', async () => {
    expect(await edited('aaa', ['aa', 'b'])).toContain('matches 2 times')
    expect(await edited('aaaaa', ['aa', 'b', true])).toEqual(['bba'])
  })

  slowIt('takes linear time', async () => {
    const search = async (length: number) => {
      await edited('a'.repeat(length), ['a'.repeat(1_000), 'b'])
      await edited('x\n'.repeat(length / 5), [`${'x \n'.repeat(1_000)}y`, 'b'])
    }
    expect(await growth(search, 4_000_000)).toBeLessThan(100)
  })
})

quickDescribe('an edit that is too large', () => {
  it('is refused before it is applied if the text would grow above the limit', async () => {
    const why = 'it would be above 20 MB; change it through bash'
    const put = 'x\n'.repeat(50_000)
    expect(await edited('a\n'.repeat(10_000), ['a', put, true])).toBe(why)
    expect(await edited('a\r\n'.repeat(10_000), ['a', put, true])).toBe(why)
    expect(await edited('a', ['a', 'x'.repeat(20 * 1024 * 1024 + 1)])).toBe(why)
    expect(await edited('ab', ['a', 'x'.repeat(15_000_000)], ['b', 'y'.repeat(15_000_000)])).toBe(
      `edit 2 of 2: ${why}`,
    )
  })

  it('is refused above a hundred thousand places', async () => {
    expect(await edited('a'.repeat(100_001), ['a', 'b', true])).toBe(
      'old_text is in it more than 100,000 times; change it through bash',
    )
  })
})

describe('the advice on an old text that is missing', () => {
  it('names where it begins the same, and the first line that differs', async () => {
    const file = 'if (a) {\n  b(1)\n  c()\n}\nif (a) {\n  b(2)\n}\n'
    expect(await edited(file, ['if (a) {\n  b(2)\n  c()', ''])).toBe(
      'old_text is not in it; it begins like line 5, but then line 7 is "}". Read the file again and copy the text exactly',
    )
    expect(await edited('one\ntwo', ['two\nthree', ''])).toContain(
      'it begins like line 2, but then the file ends',
    )
  })

  it('names the line most like the first one, if any', async () => {
    const file = 'import x\nexport function a() {\r\n  return 1\n}\n'
    expect(await edited(file, ['expor function a() {\n  return 1', ''])).toBe(
      'old_text is not in it; its first line is most like line 2, "export function a() {". Read the file again and copy the text exactly',
    )
    expect(await edited(file, ['const other = 2', ''])).toBe(
      'old_text is not in it. Read the file again and copy the text exactly',
    )
  })

  slowIt('compares each line of a large file', async () => {
    const file = Array.from({ length: 100_000 }, (_, i) => `line ${i} of a file with many lines like it\n`)
    expect(await edited(file.join(''), ['line 77777 of a vile with many', ''])).toContain(
      '; its first line is most like line 77778,',
    )
    const long = 'x y '.repeat(1_000_000)
    expect(await edited(long, [`${long}z`, ''])).toContain('; its first line is most like line 1,')
  })

  it('names marks around it, and escaped line breaks', async () => {
    expect(await edited('a\nb\n', ['<<<<<<< SEARCH\na\n=======\nc\n>>>>>>> REPLACE', ''])).toContain(
      ': leave out the marks of a SEARCH block.',
    )
    expect(await edited('a\r\nb\n', ['a\\nb', ''])).toContain(
      ': its \\n are a backslash and an n, where the file has line ends.',
    )
  })

  it('names its line numbers', async () => {
    expect(await edited('a\nb\n', ['1\ta\n2\tb', 'c'])).toContain(
      ': leave out the line numbers that read shows',
    )
  })
})

quickDescribe('several edits', () => {
  it('are applied in order, each to the result of the one before', async () => {
    expect(await edited('a\nb\nc\n', ['b', 'B\nB2'], ['a\nB', 'A\nB'], ['c', 'C'])).toEqual(['A\nB\nB2\nC\n'])
  })

  it('are applied all or none', async () => {
    expect(await edited('a\nb\n', ['a', 'A'], ['x', 'y'])).toBe(
      'edit 2 of 2: old_text is not in it. Read the file again and copy the text exactly',
    )
  })

  it.each<readonly [string, readonly Edit[]]>([
    [
      'one that another has inserted',
      [
        ['b', 'xy'],
        ['y', 'z'],
      ],
    ],
    [
      'one that reaches into another',
      [
        ['b\nc', 'x\ny'],
        ['y\nd', 'z\ne'],
      ],
    ],
    [
      'one around another',
      [
        ['b', 'x'],
        ['a\nx\nc', 'A\nX\nC'],
      ],
    ],
    [
      'one across what another has removed',
      [
        ['b\n', ''],
        ['a\nc', 'A\nC'],
      ],
    ],
    [
      'all of a text, some of it inserted',
      [
        ['b', 'a'],
        ['a', 'A', true],
      ],
    ],
  ])('are refused if they overlap: %s', async (_, edits) => {
    expect(await edited('a\nb\nc\nd\n', ...edits)).toBe(
      'edit 2 of 2: it overlaps with an edit before it; make one edit of the two',
    )
  })

  it('may touch, and may share lines that neither changes', async () => {
    expect(await edited('abcd', ['b', 'B'], ['c', 'C'], ['a', 'A'])).toEqual(['ABCd'])
    expect(await edited('1\n2\n3\n', ['1\n2', 'one\n2'], ['2\n3', '2\nthree'])).toEqual(['one\n2\nthree\n'])
  })

  it('name the one that was not found literally', async () => {
    expect(await edited('  a\nb\n', ['b', 'B'], ['\ta\n', '\tA\n'])).toEqual([
      '  A\nB\n',
      `edit 2 of 2: ${reindented}`,
    ])
  })

  it('name the first five such, and how many more there are', async () => {
    const edits = Array.from({ length: 9 }, (_, i): Edit => [`"${i}"`, `"${i}!"`])
    expect(await edited(Array.from({ length: 9 }, (_, i) => `“${i}”\n`).join(''), ...edits)).toEqual([
      Array.from({ length: 9 }, (_, i) => `“${i}!”\n`).join(''),
      ...[1, 2, 3, 4, 5].map((i) => `edit ${i} of 9: ${normalised}`),
      'and 4 more were not found literally either',
    ])
  })

  it('are refused if they change nothing in the end', async () => {
    expect(await edited('a b', ['a', 'x'], ['b', 'y'], ['x', 'a'])).toContain('overlaps')
    expect(await edited('“a”', ['"a"', '“a”'])).toBe('it would be the same as before')
  })
})

quickDescribe('with mixed line ends', () => {
  it.each([
    ['a\r\nb\nc\r\nd', 'b\nc', 'B\nX\nC', 'a\r\nB\nX\nC\r\nd'],
    ['a\r\nb\nc\r\nd', 'a\nb\nc', 'A\nX\nb\nY\nC', 'A\r\nX\r\nb\nY\r\nC\r\nd'],
    ['a\nb\r\nc\n', 'b', 'b\nX', 'a\nb\r\nX\r\nc\n'],
    ['a\nb\r\nc\n', 'b', 'X\nb', 'a\nX\nb\r\nc\n'],
    ['a\nfoobar\r\nc\n', 'foobar', 'foo;\nbar', 'a\nfoo;\r\nbar\r\nc\n'],
    ['a\nb\r\nc', 'c', 'c\nX', 'a\nb\r\nc\r\nX'],
    ['a\r\nb\n', 'a', 'X\na', 'X\r\na\r\nb\n'],
  ])('in %j, replacing %j with %j keeps those of kept lines', async (text, oldText, newText, after) => {
    expect(await edited(text, [oldText, newText])).toEqual([after])
  })
})

describe('in any text', () => {
  const line = fc.constantFrom('', 'a', '  b', '\tc ', '“é”', 'cafe\u0301 – $& $1 \\', '😀')
  const end = fc.constantFrom('\n', '\r\n')
  const text = fc
    .array(fc.tuple(line, end), { maxLength: 8 })
    .map((lines) => lines.map((parts) => parts.join('')).join(''))
  const put = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 5 }),
    fc.constantFrom('$&', "$'$`$$", '\\1', '\t\t'),
  )

  sizedIt('changes only the inside of a unique fragment', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, put, async (before, middle, after, put) => {
        const fragment = `<${middle}>`
        const asked = fragment.replaceAll('\r\n', '\n')
        const result = await edit(before + fragment + after, [asked, `${asked}!${put}`])
        const inserted = `!${put}`.replaceAll('\r\n', '\n')
        expect(result).toMatchObject({ type: 'edited', places: 1, notes: [] })
        if (result.type !== 'edited') return
        expect(result.text.startsWith(before + fragment)).toBe(true)
        expect(result.text.endsWith(after)).toBe(true)
        const between = result.text.slice((before + fragment).length, result.text.length - after.length)
        expect(between.replaceAll('\r\n', '\n')).toBe(inserted)
      }),
      { numRuns: sized(300, 60) },
    )
  })

  sizedIt('finds a fragment of whole lines whatever its white space, and keeps the other lines', async () => {
    const indent = fc.constantFrom('', '  ', '\t', '    ')
    const tail = fc.constantFrom('', ' ', '\t ')
    await fc.assert(
      fc.asyncProperty(text, text, indent, indent, tail, async (before, after, inFile, asked, tail) => {
        const fragment = (margin: string, tail: string) => `${margin}<${tail}\n${margin}>${tail}\n`
        const result = await edit(before + fragment(inFile, '') + after, [
          fragment(asked, tail),
          `${asked}!\n`,
        ])
        expect(result).toMatchObject({ type: 'edited', places: 1 })
        if (result.type !== 'edited') return
        const lines = result.text.slice(before.length, result.text.length - after.length)
        expect([result.text.startsWith(before), result.text.endsWith(after)]).toEqual([true, true])
        expect(lines.replaceAll('\r\n', '\n')).toBe(`${inFile}!\n`)
      }),
      { numRuns: sized(300, 60) },
    )
  })

  sizedIt('restores the text by replacing all and back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('x', 'y', '\r\n'), { maxLength: 30 }), async (parts) => {
        const original = parts.join('')
        const there = await edit(original, ['x', '[z]', true])
        if (there.type !== 'edited') return
        const back = await edit(there.text, ['[z]', 'x', true])
        expect(back).toEqual({ type: 'edited', text: original, places: there.places, notes: [] })
      }),
      { numRuns: sized(200, 40) },
    )
  })

  sizedIt('applies many edits at once as it does one by one', async () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      'c ',
      ' ',
      '\n',
      '\r\n',
      '“',
      '"',
      'e\u0301',
      'é',
      '  d\n',
      '\te\n',
    )
    const some = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
    const asked = [
      (text: string) => text,
      (text: string) => text.replaceAll('\r\n', '\n'),
      (text: string) => text.replace(/^[ \t]+|[ \t]+$/gm, ''),
      (text: string) => text.replaceAll('“', '"').normalize('NFC'),
      (text: string) => `${text}\n`,
    ]
    const request = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.integer({ min: 1, max: 6 }),
      ask: fc.constantFrom(...asked),
      put: some,
      keeps: fc.boolean(),
      replaceAll: fc.boolean(),
    })
    const original = fc.array(piece, { minLength: 8, maxLength: 40 }).map((pieces) => pieces.join(''))
    let made = 0
    await fc.assert(
      fc.asyncProperty(original, fc.array(request, { maxLength: 8 }), async (before, requests) => {
        let text = before
        const edits: Edit[] = []
        const notes: string[] = []
        for (const { at, length, ask, put, keeps, replaceAll } of requests) {
          const start = Math.floor(at * text.length)
          const oldText = ask(text.slice(start, start + length))
          const one: Edit = [oldText, keeps ? oldText + put : put, replaceAll]
          const result = await edit(text, one)
          if (result.type !== 'edited' || (await edit(before, ...edits, one)).type !== 'edited') continue
          edits.push(one)
          notes.push(...result.notes)
          text = result.text
        }
        if (edits.length === 0) return
        made += edits.length
        const result = await edit(before, ...edits)
        if (result.type !== 'edited') throw new Error(result.why)
        expect(result.text).toBe(text)
        const said = result.notes.map((note) => note.replace(/^edit \d+ of \d+: /, ''))
        expect(said.slice(0, 5)).toEqual(notes.slice(0, 5))
      }),
      { numRuns: sized(300, 60) },
    )
    expect(made).toBeGreaterThan(sized(300, 20))
  })
})
