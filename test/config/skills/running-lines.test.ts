import { expect, it } from 'vitest'
import { commandsIn, splitCommands } from '../../../src/config/skills/running-lines.ts'

it.each([
  ['!`a` and !`b c`', ['a', 'b c']],
  ['- Status: !`git status`\n!`x`', ['git status', 'x']],
  ['a!`b`, `!`c`, !` `, !`open', []],
  ['!`over\nlines`', []],
  ['```!\na\nb\n```\n!`c`', ['a\nb', 'c']],
  ['  ```!\na\n  ```', ['a']],
  ['```!\nnever closed !`a`', ['a']],
  ['```\nno sign\n```', []],
])('finds the commands of %j', (text, commands) => {
  expect(commandsIn(text)).toEqual(commands)
  expect(
    splitCommands(text)
      .map((part) => (part.type === 'text' ? part.text : part.written))
      .join(''),
  ).toBe(text)
})

it('leaves all but the first 20 as they are written', () => {
  expect(commandsIn('!`a`\n'.repeat(30))).toHaveLength(20)
})

it('reads a hostile text in one pass', () => {
  expect(commandsIn('```!\n'.repeat(50_000))).toEqual([])
})
