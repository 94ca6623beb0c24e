import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editText } from '../../../src/builtin/edit/edited-text.ts'

type Edit = readonly [oldText: string, newText: string, replaceAll?: boolean]

const edit = (text: string, ...edits: readonly Edit[]) =>
  editText(
    text,
    edits.map(([oldText, newText, replaceAll = false]) => ({ oldText, newText, replaceAll })),
  )

/** The text afterwards, and what the model is told; or why not. */
const edited = (text: string, ...edits: readonly Edit[]) => {
  const result = edit(text, ...edits)
  return result.type === 'edited' ? [result.text, ...result.notes] : result.why
}

const reindented = 'old_text was found with indentation ignored, new_text indented like the file'
const trimmed = 'old_text was found with white space at line ends ignored'
const normalised = 'old_text was found with quotes, dashes, spaces and accents normalised'

describe('an old text that differs', () => {
  it('not at all is found anywhere in a line', () => {
    expect(edited('a(b, c)\n', ['b, c', 'd'])).toEqual(['a(d)\n'])
  })

  it('in white space at line ends is found; what is not changed keeps it', () => {
    expect(edited('a  \nb\t\nc\n', ['a\nb\nc', 'a\nB\nc'])).toEqual(['a  \nB\nc\n', trimmed])
    expect(edited('a\nb\nc\n', ['a \nb', 'a \nB'])).toEqual(['a\nB\nc\n', trimmed])
  })

  it('in common indentation is found; the new text is indented like the file', () => {
    const file = 'class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        pass\n'
    expect(
      edited(file, [
        'def f(self):\n    return 1',
        'def f(self):\n    if x:\n        return 2\n\n    return 1',
      ]),
    ).toEqual([
      'class A:\n    def f(self):\n        if x:\n            return 2\n\n        return 1\n\n    def g(self):\n        pass\n',
      reindented,
    ])
    expect(edited('  a\n  b\n', ['    a\n    b\n', '    a\n      c\n    b\n  d\n'])).toEqual([
      '  a\n    c\n  b\nd\n',
      reindented,
    ])
  })

  it('in tabs for spaces is found; the new text gets what the file has', () => {
    const tabs = 'f() {\n\tif (x) {\n\t\ty()\n\t}\n}\n'
    expect(
      edited(tabs, [
        '    if (x) {\n        y()\n    }',
        '    if (x) {\n        for (;;) {\n            z()\n        }\n    }',
      ]),
    ).toEqual(['f() {\n\tif (x) {\n\t\tfor (;;) {\n\t\t\tz()\n\t\t}\n\t}\n}\n', reindented])
    expect(edited('  a:\n    b\n', ['\ta:\n\t\tb', '\ta:\n\t\tb\n\t\tc'])).toEqual([
      '  a:\n    b\n    c\n',
      reindented,
    ])
    expect(edited('a:\n    b\n', ['a:\n  b\n', 'a:\n  b:\n    c\n'])).toEqual([
      'a:\n    b:\n        c\n',
      reindented,
    ])
    expect(edited('\ta\n', ['  a', '  a\n  b\n    c'])).toEqual(['\ta\n\tb\n\t\tc\n', reindented])
  })

  it('when lines are put into a block keeps the depth that is meant', () => {
    expect(edited('  a()\n  b()\n', ['a()\nb()', 'if (x) {\n  a()\n  b()\n}'])).toEqual([
      '  if (x) {\n    a()\n    b()\n  }\n',
      reindented,
    ])
  })

  it('in indentation that follows no rule is not found', () => {
    expect(edited('a\n  b\n    c\n', ['a\nb\nc', 'd\ne\nf'])).toBe(
      'old_text is not in it; line 1 begins the same but for white space. Read the file again and copy the text exactly',
    )
  })

  it('in quotes, dashes, spaces and composition is found; what is not changed keeps them', () => {
    expect(edited('say “hi” – it’s\u00a0me\n', ['say "hi" - it\'s me', 'say "hi" - it\'s you'])).toEqual([
      'say “hi” – it’s\u00a0you\n',
      normalised,
    ])
    expect(edited('cafe\u0301 noir — un\n', ['café noir - un', 'café noir - deux'])).toEqual([
      'cafe\u0301 noir — deux\n',
      normalised,
    ])
    expect(edited('café\n', ['cafe\u0301', 'the'])).toEqual(['the\n', normalised])
  })

  it('by whole lines is not taken for a part of one', () => {
    expect(edited('xfoo\nbar\n', ['foo \nbar', ''])).toBe(
      'old_text is not in it. Read the file again and copy the text exactly',
    )
    expect(edited('ab\nb\nb\n', ['b \nb', 'c'])).toEqual(['ab\nc\n', trimmed])
  })

  it('and is white space alone is found only as it is', () => {
    expect(edited('a\n\n\nb', ['\n\n\n', '\n'])).toEqual(['a\nb'])
    expect(edited('a\n\nb', ['\t', 'x'])).toBe(
      'old_text is not in it. Read the file again and copy the text exactly',
    )
  })

  it('is counted on the rung where it is found', () => {
    expect(edited('  a\n    a\n', ['\ta', 'b'])).toBe(
      'old_text matches 2 times (indentation ignored, new_text indented like the file), on lines 1, 2; add lines around it to match once, or set replace_all',
    )
    expect(edited('  a\n    a\n', ['\ta\n', '\tb\n', true])).toEqual(['  b\n    b\n', reindented])
    expect(edited('a\n  a\n', ['  a', 'b'])).toEqual(['a\nb\n'])
  })
})

describe('an old text that is not unique', () => {
  it('is refused with the lines where it stands, the first ten', () => {
    expect(edited('x\ny\nx\n', ['x', 'z'])).toContain('matches 2 times, on lines 1, 3;')
    expect(edited('x'.repeat(20), ['x', 'z'])).toContain('matches more than 10 times, all on line 1;')
    expect(edited('x\n'.repeat(50), ['x', 'z'])).toContain(
      'matches more than 10 times, on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;',
    )
  })

  it('is one that overlaps itself, too', () => {
    expect(edited('aaa', ['aa', 'b'])).toContain('matches 2 times')
    expect(edited('aaaaa', ['aa', 'b', true])).toEqual(['bba'])
  })

  it('costs no more than one that is', () => {
    const from = performance.now()
    edited('a'.repeat(5_000_000), ['a'.repeat(1_000), 'b'])
    edited('x\n'.repeat(1_000_000), [`${'x \n'.repeat(1_000)}y`, 'b'])
    expect(performance.now() - from).toBeLessThan(3_000)
  })
})

describe('an old text that is not there', () => {
  it('is answered with where it begins alike, and what stands there instead', () => {
    const file = 'if (a) {\n  b(1)\n  c()\n}\nif (a) {\n  b(2)\n}\n'
    expect(edited(file, ['if (a) {\n  b(2)\n  c()', ''])).toBe(
      'old_text is not in it; it begins like line 5, but then line 7 is "}". Read the file again and copy the text exactly',
    )
    expect(edited('one\ntwo', ['two\nthree', ''])).toContain('it begins like line 2, but then the file ends')
  })

  it('because it has line numbers is answered with that', () => {
    expect(edited('a\nb\n', ['1\ta\n2\tb', 'c'])).toContain(': leave out the line numbers that read shows')
  })
})

describe('several edits', () => {
  it('are made in order, each in what the one before has left', () => {
    expect(edited('a\nb\nc\n', ['b', 'B\nB2'], ['a\nB', 'A\nB'], ['c', 'C'])).toEqual(['A\nB\nB2\nC\n'])
  })

  it('are all made, or none', () => {
    expect(edited('a\nb\n', ['a', 'A'], ['x', 'y'])).toBe(
      'edit 2 of 2: old_text is not in it. Read the file again and copy the text exactly',
    )
  })

  it.each<readonly [string, readonly Edit[]]>([
    [
      'one that another has put in',
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
      'one across what another has taken out',
      [
        ['b\n', ''],
        ['a\nc', 'A\nC'],
      ],
    ],
    [
      'all of a text, some of it put in',
      [
        ['b', 'a'],
        ['a', 'A', true],
      ],
    ],
  ])('that overlap are refused: %s', (_, edits) => {
    expect(edited('a\nb\nc\nd\n', ...edits)).toBe(
      'edit 2 of 2: it overlaps with an edit before it; make one edit of the two',
    )
  })

  it('may touch, and may share lines that neither changes', () => {
    expect(edited('abcd', ['b', 'B'], ['c', 'C'], ['a', 'A'])).toEqual(['ABCd'])
    expect(edited('1\n2\n3\n', ['1\n2', 'one\n2'], ['2\n3', '2\nthree'])).toEqual(['one\n2\nthree\n'])
  })

  it('say which of them was not found literally', () => {
    expect(edited('  a\nb\n', ['b', 'B'], ['\ta\n', '\tA\n'])).toEqual([
      '  A\nB\n',
      `edit 2 of 2: ${reindented}`,
    ])
  })

  it('that change nothing in the end are refused', () => {
    expect(edited('a b', ['a', 'x'], ['b', 'y'], ['x', 'a'])).toContain('overlaps')
    expect(edited('“a”', ['"a"', '“a”'])).toBe('it would be the same as before')
  })
})

describe('where line ends are mixed', () => {
  it.each([
    ['a\r\nb\nc\r\nd', 'b\nc', 'B\nX\nC', 'a\r\nB\nX\nC\r\nd'],
    ['a\r\nb\nc\r\nd', 'a\nb\nc', 'A\nX\nb\nY\nC', 'A\r\nX\r\nb\nY\r\nC\r\nd'],
    ['a\nb\r\nc\n', 'b', 'b\nX', 'a\nb\r\nX\r\nc\n'],
    ['a\nb\r\nc\n', 'b', 'X\nb', 'a\nX\nb\r\nc\n'],
    ['a\nfoobar\r\nc\n', 'foobar', 'foo;\nbar', 'a\nfoo;\r\nbar\r\nc\n'],
    ['a\nb\r\nc', 'c', 'c\nX', 'a\nb\r\nc\r\nX'],
    ['a\r\nb\n', 'a', 'X\na', 'X\r\na\r\nb\n'],
  ])('of %j, where %j becomes %j, lines that stay keep theirs', (text, oldText, newText, after) => {
    expect(edited(text, [oldText, newText])).toEqual([after])
  })
})

describe('whatever the text', () => {
  const line = fc.constantFrom('', 'a', '  b', '\tc ', '“é”', 'cafe\u0301 – $& $1 \\', '😀')
  const end = fc.constantFrom('\n', '\r\n')
  const text = fc
    .array(fc.tuple(line, end), { maxLength: 8 })
    .map((lines) => lines.map((parts) => parts.join('')).join(''))
  const put = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.constantFrom('$&', "$'$`$$", '\\1', '\t\t'),
  )

  it('only what lies between the ends of a unique fragment changes', () => {
    fc.assert(
      fc.property(text, text, text, put, (before, middle, after, put) => {
        const fragment = `<${middle}>`
        const asked = fragment.replaceAll('\r\n', '\n')
        const result = edit(before + fragment + after, [asked, `${asked}!${put}`])
        const inserted = `!${put}`.replaceAll('\r\n', '\n')
        expect(result).toMatchObject({ type: 'edited', places: 1, notes: [] })
        if (result.type !== 'edited') return
        expect(result.text.startsWith(before + fragment)).toBe(true)
        expect(result.text.endsWith(after)).toBe(true)
        const between = result.text.slice((before + fragment).length, result.text.length - after.length)
        expect(between.replaceAll('\r\n', '\n')).toBe(inserted)
      }),
      { numRuns: 300 },
    )
  })

  it('a fragment of whole lines is found however its white space was changed, and the other lines stay', () => {
    const indent = fc.constantFrom('', '  ', '\t', '    ')
    const tail = fc.constantFrom('', ' ', '\t ')
    fc.assert(
      fc.property(text, text, indent, indent, tail, (before, after, inFile, asked, tail) => {
        const fragment = (margin: string, tail: string) => `${margin}<${tail}\n${margin}>${tail}\n`
        const result = edit(before + fragment(inFile, '') + after, [fragment(asked, tail), `${asked}!\n`])
        expect(result).toMatchObject({ type: 'edited', places: 1 })
        if (result.type !== 'edited') return
        const lines = result.text.slice(before.length, result.text.length - after.length)
        expect([result.text.startsWith(before), result.text.endsWith(after)]).toEqual([true, true])
        expect(lines.replaceAll('\r\n', '\n')).toBe(`${inFile}!\n`)
      }),
      { numRuns: 300 },
    )
  })

  it('replacing all and back gives the text again', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('x', 'y', '\r\n'), { maxLength: 30 }), (parts) => {
        const original = parts.join('')
        const there = edit(original, ['x', '[z]', true])
        if (there.type !== 'edited') return
        const back = edit(there.text, ['[z]', 'x', true])
        expect(back).toEqual({ type: 'edited', text: original, places: there.places, notes: [] })
      }),
      { numRuns: 200 },
    )
  })
})
