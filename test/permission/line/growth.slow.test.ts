import { expect, it } from 'vitest'
import { growth } from '../../support/cost.ts'
import { testReader } from '../../support/permission/policy.ts'

const context = { cwd: '/home/user/proj', home: '/home/user' }
const read = (command: string) => testReader.read(command, context)

it('a line with a long option takes linear time', async () => {
  expect(await growth((length) => read(`grep -${'a'.repeat(length)}`), 200_000)).toBeLessThan(100)
})

it.each([
  '((',
  '<<a ',
  'a=b ',
  '[[ ( ',
  '$((',
  'case a in b) ',
  'echo {',
  '`\\',
  "a[$((b['",
  "$'",
  '{a,',
  'x=$x$x;',
  'f(){ ',
  'docker run bash ',
  'tmux env sudo ',
  'time coproc ',
  '"$(cat <<E\n',
  "awk '",
  '"${x:-',
  'python3 -c "open(\\"a\\")" ',
  "sqlite3 '.o ",
  'psql "\\copy to ',
  'vim -c "w ',
  'docker run -v a:b ',
  'git -C a ',
])('a line made of repeated %j takes at most quadratic time', async (piece) => {
  const readAll = (length: number) => read(piece.repeat(Math.floor(length / piece.length)))
  expect(await growth(readAll, 10_000)).toBeLessThan(1_000)
})
