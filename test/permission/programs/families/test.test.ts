import { describe } from 'vitest'
import { allButReadingEnv, byDefault, envDenied } from '../../../support/permission/judged-lines.ts'

describe('test', () => {
  envDenied.allows('shows nothing of the file', ['test -f .env', '[ -f .env ]'])

  allButReadingEnv.denies('may show the file', ['test -f x && cat .env'])

  byDefault.allows('only checks', [
    'test -t 1',
    '[ -t 0 ]',
    '[[ -t 1 ]] && echo x',
    '[[ abc == a* ]]',
    '[[ abc != *.[ch] ]]',
    '[[ -f a && -f b ]]',
    '[[ -f a && -d b || a == b* ]] && cat a',
    '[[ ! -f a && -f b ]]; ls',
    "bash -c '[[ x == y || a == b ]]'",
  ])

  byDefault.asks('may do more than check', [
    "test -t 'a[$(x)]'",
    '[[ -t a ]]',
    '[[ -v a[$(x)] ]]',
    "[[ -v 'a[$(x)]' ]]",
    '[[ a -eq b[$(x)] ]]',
    "[[ 1 -eq 'b[$(x)]' ]]",
    "[[ -f a && 'b[$(x)]' -eq 1 ]]",
    "[[ -f a && -v 'b[$(x)]' ]]",
    '[[ -f a && $(x) == b ]]',
    '[[ $(x) == a* ]]',
    '[[ -f a && rm b ]]',
    '[[ -f a ]] && rm b ]]',
    '[[ -f a || ./x == b',
    '[ -f a && -f b ]',
    "sh -c '[[ x == y || ./x == b ]]'",
    "sh -c '[[ -f a && -f b ]]'",
    "bash -c '[[ x == y && rm b ]]'",
    '[ x || ./x == b ]',
    'test x || ./x == b',
    '< a [[ x == y || ./x == b ]]',
    'LANG=C [[ x == y || ./x == b ]]',
    '"[[" x == y || ./x == b ]]',
    '\\[[ x == y || ./x == b ]]',
    'command [[ x == y || ./x == b ]]',
    'timeout 5 [[ x == y || ./x == b ]]',
    '[[ x == y ; ./x == b ]]',
    '[[ x == y & ./x == b ]]',
    '[[ x == y | ./x == b ]]',
    '[[ x == y\n./x == b ]]',
    '[[ x == "]]" || a == ]] || ./x == b ]]',
    '[[ a == b ]] || ./x == b ]]',
    '[[ a =~ b ]]',
    '[[ -f /etc/passwd && -f /etc/hosts ]] && cat /etc/hosts',
    '[ abc == a* ]',
    'test abc == a*',
    '[[ a == b && -f c ]] > x',
  ])
})
