import { describe, expect, it } from 'vitest'
import {
  type FrontMatterField,
  readList,
  readScalar,
  splitFrontMatter,
} from '../../../src/config/agents/front-matter.ts'
import { ok, type Result, refused } from '../../../src/machine/result.ts'

/** Reads the one field of a front matter. */
function field<T>(lines: string, read: (field: FrontMatterField) => Result<T>): Result<T> {
  const split = splitFrontMatter(`---\n${lines}\n---\n`)
  if (split.type === 'refused') return split
  const [only] = split.value.fields
  return only === undefined ? refused('no field') : read(only)
}

describe('front matter', () => {
  it('ends at the second ---, and the body follows', () => {
    expect(splitFrontMatter('\ufeff---\r\n# a comment\r\n\r\nname: a\r\n---\r\nBody\r\n---\r\n')).toEqual(
      ok({ fields: [{ name: 'name', line: 4, text: 'a', below: [] }], body: 'Body\n---\n' }),
    )
  })

  it.each([
    ['name: a\n', '1: expected --- in a line of its own, then the fields'],
    ['---\nname: a\n', '1: the fields have no closing ---'],
    ['---\nname: a\nname: b\n---\n', '3: name is already on line 2'],
    ['---\nname a\n---\n', '2: expected a field, such as name: reviewer'],
    ['---\nname:a\n---\n', '2: expected a field, such as name: reviewer'],
    ['---\n  name: a\n---\n', '2: expected a field, such as name: reviewer'],
    [
      `---\n${Array.from({ length: 51 }, (_, i) => `f${i}: x\n`).join('')}---\n`,
      '52: it has more than 50 fields',
    ],
    ['---\nname: a\u001b[31m\n---\n', '2: it contains a control character'],
  ])('%j is refused with its line', (content, reason) => {
    expect(splitFrontMatter(content)).toEqual(refused(reason))
  })
})

describe('a text', () => {
  it.each([
    ['x: plain text', 'plain text'],
    ['x: use it: when? #1 # a comment', 'use it: when? #1'.split(' #')[0]],
    ['x: a#b', 'a#b'],
    [String.raw`x: "a \"b\" \\ \n # c" # d`, 'a "b" \\ \n # c'],
    ["x: 'it''s' # d", "it's"],
    ['x: |\n  a: b\n\n   # c\n  - d\n', 'a: b\n\n # c\n- d'],
    ['x: >\n  one\n  text\n\n  and\n   more\n  lines\n\n', 'one text\nand\n more\nlines'],
    ['x: >- # folded\n    one\n    text', 'one text'],
    ['x: |2+\n   a\n', ' a'],
  ])('of %j is read', (lines, text) => {
    expect(field(lines, readScalar)).toEqual(ok(text))
  })

  it.each([
    ['x:', '2: x is empty'],
    ['x: ""', '2: x is empty'],
    ['x: # nothing', '2: x is empty'],
    ['x: |', '2: x is empty'],
    ['x: >-\n\n  ', '2: x is empty'],
    ['x: |\n  a\n b', '4: indent it with spaces, at least as far as the first line of x'],
    ['x: |\n\ta', '3: indent it with spaces, at least as far as the first line of x'],
    ['x: &a b', '2: & (anchors) is not supported; put text that begins with it in quotes'],
    ['x: {a: b}', '2: { (maps) is not supported; put text that begins with it in quotes'],
    ['x: "a', String.raw`2: the quotes do not match, or hold an escape other than \" \\ \n \t`],
    [
      String.raw`x: "\e[31m"`,
      String.raw`2: the quotes do not match, or hold an escape other than \" \\ \n \t`,
    ],
    ["x: 'a' b", "2: the quotes do not match; inside them, write '' for '"],
    ['x: a\n  b', '3: x takes one text, on one line'],
  ])('of %j is refused', (lines, reason) => {
    expect(field(lines, readScalar)).toEqual(refused(reason))
  })
})

describe('a list', () => {
  it.each([
    ['x: [a, "b, c", \'d\'] # e', ['a', 'b, c', 'd']],
    ['x: []', []],
    ['x: a, Bash(git diff, git log), c', ['a', 'Bash(git diff, git log)', 'c']],
    ['x:\n  - a\n- "b"\n\n  - c # d', ['a', 'b', 'c']],
    ['x: # items\n  - a', ['a']],
  ])('of %j is read', (lines, items) => {
    expect(field(lines, readList)).toEqual(ok(items))
  })

  it.each([
    ['x:', '2: x is empty; leave it out, or write []'],
    ['x: [a', '2: the list of x has no closing ], or text after it'],
    ['x: [a] b', '2: the list of x has no closing ], or text after it'],
    ['x: [[a]]', '2: [ (lists within this field) is not supported; put text that begins with it in quotes'],
    ['x: [a]\n  - b', '3: x already has a value on line 2'],
    ['x:\n  a: b', '3: expected a list item, such as - read'],
  ])('of %j is refused', (lines, reason) => {
    expect(field(lines, readList)).toEqual(refused(reason))
  })

  it('of many commas and quotes takes no time', () => {
    const item = '(,"#\'['
    expect(field(`x: ${item.repeat(9_000)}`, readList).type).toBe('ok')
    expect(field(`x: "${String.raw`\"`.repeat(30_000)}`, readScalar).type).toBe('refused')
    expect(field(`x: ${' '.repeat(60_000)}a`, readScalar)).toEqual(ok('a'))
    expect(field(`x: a${' '.repeat(60_000)}b`, readScalar).type).toBe('ok')
  })
})
