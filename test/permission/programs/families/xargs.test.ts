import { describe } from 'vitest'
import { allowedBy, anything, byDefault, refusedDespite } from '../../../support/judged-lines.ts'

describe('xargs', () => {
  byDefault.allows('only reads', [
    'ls | xargs -I{} echo {}',
    'ls | xargs -I {} basename {}',
    'ls | xargs -0 -I % echo x/%.ts',
    'ls | xargs -I{}',
  ])

  byDefault.asks('may do more, or read outside of the project', [
    'xargs -I wc ./x',
    'ls | xargs -Iwc ./x',
    'ls | xargs -I{} {}',
    'ls | xargs -I{} sh -c {}',
    'ls | xargs -I{} rm {}',
    'ls | xargs -I{} cat {}',
    'ls | xargs -I{} wc {}',
    'ls | xargs -n1 -I % wc -l %',
    'ls | xargs -I% wc --files0-from=%',
    'ls | xargs -I{} wc /etc/{}',
    'ls | xargs -I',
    'ls | xargs -I echo echo',
  ])

  refusedDespite('runs its input', [['xargs rm', 'git log | xargs rm']])

  allowedBy([['xargs grep x', 'git ls-files | xargs grep x']])

  anything.asks('writes to a path that decides what runs later', ["printf '%s\\n' x .git/hooks | xargs cp"])
})
