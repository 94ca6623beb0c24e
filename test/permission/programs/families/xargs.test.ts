import { describe } from 'vitest'
import { allowedBy, anything, byDefault, refusedDespite } from '../../../support/permission/judged-lines.ts'

describe('xargs', () => {
  byDefault.allows('only reads', [
    'ls | xargs -I{} echo {}',
    'ls | xargs -I {} basename {}',
    'ls | xargs -0 -I % echo x/%.ts',
    'ls | xargs -I{}',
    'rg -l x | xargs wc -l',
    'git ls-files src | grep test | sort | xargs wc -l | tail -1',
    "find . -name '*.ts' -print0 | xargs -0 wc -l 2>/dev/null",
    'echo a b | xargs wc -l --',
  ])

  byDefault.asks('may do more, or read outside the project', [
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
    'echo --files0-from=/etc/passwd | xargs wc',
    'printf %s --files0 -from=/etc/passwd | xargs wc -l',
    "find . -maxdepth 0 -printf '--file' -printf 's0-from=/etc/passwd' | xargs wc",
    'git log -1 --format=--%x66iles0-from=/etc/passwd | xargs wc',
    'grep -c x --label=--files0-from=/etc/passwd - < a | xargs wc',
    'echo xxfile | tr x - | xargs timeout 5 wc',
    "timeout 5 xargs wc <<< '--files0-from=/etc/passwd'",
    "xargs wc <<'EOF'\n--files0-from=/etc/passwd\nEOF",
  ])

  refusedDespite('runs its input', [['xargs rm', 'git log | xargs rm']])

  allowedBy([['xargs grep x', 'git ls-files | xargs grep x']])

  anything.asks('writes to a path that decides what runs later', ["printf '%s\\n' x .git/hooks | xargs cp"])
})
