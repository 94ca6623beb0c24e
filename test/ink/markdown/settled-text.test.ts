import { expect, it } from 'vitest'
import { settledLength } from '../../../src/ink/markdown/settled-text.ts'

it.each([
  ['one two thr', 'one two '],
  ['one *two thr', 'one '],
  ['one *two* thr', 'one *two* '],
  ['one **two *three* four** five six', 'one **two *three* four** five '],
  ['one `a * b` two', 'one `a * b` '],
  ['one ``a ` b`` two', 'one ``a ` b`` '],
  ['see [the page](https://x.y/a b', 'see '],
  ['see [the page](https://x.y/a) now', 'see [the page](https://x.y/a) '],
  ['an array a[0] and (this) too', 'an array a[0] and (this) '],
  ['snake_case_name is one', 'snake_case_name is '],
  ['an _italic word_ and', 'an _italic word_ '],
  ['a \\* star and', 'a \\* star '],
  ['* a point with *em', '* a point with '],
  ['~~gone~~ and ~~going on', '~~gone~~ and '],
  ['', ''],
])('%j is settled up to %j', (text, settled) => {
  expect(text.slice(0, settledLength(text))).toBe(settled)
})
