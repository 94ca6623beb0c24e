import { describe } from 'vitest'
import { byDefault, refusedDespite } from '../../../support/permission/judged-lines.ts'

describe('builtins of the shell', () => {
  byDefault.allows('only reads', [
    'set +e; ls',
    "printf -- '--\\n'",
    "printf -- '-v\\n'",
    "printf '%s\\n' -v",
  ])

  byDefault.asks('may do more, or read outside the project', [
    'set +B',
    'set + e',
    "printf -v 'a[$(x)]' y",
    'printf -vx y',
    "printf -- '%n' x",
    "printf '%n' x",
  ])

  refusedDespite('runs its input', [['source /dev/stdin', 'cat a.txt | source /dev/stdin']])
})
