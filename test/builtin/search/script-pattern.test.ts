import { describe, expect, it } from 'vitest'
import { scriptPattern } from '../../../src/builtin/search/script-pattern.ts'
import { thrown } from '../../support/thrown.ts'

const finds = (pattern: string, line: string) =>
  scriptPattern(pattern, { ignoreCase: false, multiline: false }).exec(line)?.[0]

describe('a pattern of ripgrep, in JavaScript,', () => {
  it.each([
    ['\\Aneedle', 'needle needle', 'needle'],
    ['needle\\z', 'a needle', 'needle'],
    ['[[:digit:]]+', 'a 42', '42'],
    ['[^[:space:]x]+', ' x ab', 'ab'],
    ['[[:^alpha:]]+', 'a 4b', ' 4'],
    ['\\pL+\\d', 'ß7', 'ß7'],
    ['\\p{greek}+', 'aλ', 'λ'],
    ['\\x{6e}eedle', 'needle', 'needle'],
    ['(?P<a>x)', 'x', 'x'],
    ['(?i:X\\.)', 'x.', 'x.'],
    ['(?i)X', 'x', 'x'],
    ['x{,2}y', 'xxxy', 'xxy'],
    ['a}', 'a}', 'a}'],
    ['a]', 'a]', 'a]'],
    ['[]x]+', ']x', ']x'],
    ['[-a]+[a-]+', '-a', '-a'],
    ['[\\w-]+', 'a-b', 'a-b'],
    ['[[a-z]&&[^x]]+', 'xab', 'ab'],
    ['[(?:{1}]+', '?:', '?:'],
    ['[\\[\\]/"#]+', '["#]', '["#]'],
    ['\\<nee', 'a needle', 'nee'],
    ['\\bél\\b', 'él', 'él'],
    ['\\"\\-\\_\\ \\/\\{', '"-_ /{', '"-_ /{'],
    ['(?<a>n)\\k<a>', 'nn', 'nn'],
    ['(?<=n)e(?!d)', 'ne', 'e'],
  ])('%s finds in %j %j', (pattern, line, found) => {
    expect(finds(pattern, line)).toBe(found)
  })

  it('anchors to the text, not to its lines, with \\A and \\z', () => {
    const search = (pattern: string) =>
      scriptPattern(pattern, { ignoreCase: false, multiline: true }).test('a\nb')
    expect(['\\Aa', '\\Ab', 'a\\z', 'b\\z', '^b', 'a$'].map(search)).toEqual([
      ...[true, false, false, true, true, true],
    ])
  })

  it.each([
    ['{', '{ repeats nothing'],
    ['interface{}', '{ repeats nothing'],
    ['a{,2', '{ repeats nothing'],
    ['\\h', 'the escape \\h is not known'],
    ['\\p{klingon}', 'the property klingon is not known here'],
    ['[[:nonsense:]]', 'the class [:nonsense:] is not known'],
    ['a(?i:b)', 'the only (?…) known here are groups, look-around and a leading (?i)'],
  ])('%s is refused, with advice', async (pattern, reason) => {
    expect(await thrown(() => finds(pattern, ''))).toMatchObject({
      code: 'invalid',
      message: `the pattern is not a regular expression: ${reason}\nescape literal characters: \\{ \\( \\[`,
    })
  })

  it.each(['(x', '[x', '[[]', '*', 'a\\', '[z-a]'])('%s is refused', async (pattern) => {
    expect(await thrown(() => finds(pattern, ''))).toMatchObject({ code: 'invalid' })
  })
})
