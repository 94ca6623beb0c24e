import { expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import { requireSmallGlob } from '../../../src/files/walk/glob-size.ts'

const advice = 'use * for the parts that differ, or search several times'

it.each(['**/*.{ts,tsx,mts}', 'f{1..1000}.txt', '{a,b}{c,d}/{e..z}', 'app/[id]/*', '\\{'.repeat(400), 'a{b'])(
  'accepts %s',
  (pattern) => {
    expect(() => requireSmallGlob(pattern)).not.toThrow()
  },
)

it.each([
  ['x'.repeat(70_000), `${'x'.repeat(60)}…`, 'it is longer than 1000 characters'],
  [`${'*/'.repeat(400)}x`, `${'*/'.repeat(30)}…`, 'it has more than 50 folders'],
  ['*a'.repeat(25), '*a'.repeat(25), 'a name in it has more than 20 stars'],
  ['f{1..1001}.txt', 'f{1..1001}.txt', 'its braces stand for more than 1000 names'],
  ['{a,b}'.repeat(16), `${'{a,b}'.repeat(12)}…`, 'its braces stand for more than 1000 names'],
  [
    '{{a,b,c}{1..99},{a..z}{a..z}}',
    '{{a,b,c}{1..99},{a..z}{a..z}}',
    'its braces stand for more than 1000 names',
  ],
])('refuses a glob that takes too much, with advice', (pattern, shown, reason) => {
  const message = `the glob ${shown} cannot be used: ${reason}; ${advice}`
  expect(() => requireSmallGlob(pattern)).toThrow(new PipeError('invalid', message))
})
