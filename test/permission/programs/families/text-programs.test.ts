import { describe } from 'vitest'
import {
  allButReadingEnv,
  allButWriting,
  byDefault,
  byOpenRules,
  envDenied,
  refusedDespite,
  writingDenied,
} from '../../../support/permission/judged-lines.ts'

describe('programs for text', () => {
  byDefault.allows('only reads', [
    'join a b',
    'join -t , a b',
    'uniq --skip-fields 1 a',
    'uniq -c --skip-chars 2 --check-chars 3 a',
    'uniq --skip-fields=1 a',
    'head a -n 5',
    'cut a -f 1 -d ,',
    'tail -5c a',
    'shuf -n 3 a',
    'file src/*',
  ])

  byDefault.asks('may do more, or read outside the project', [
    'join /etc/passwd b',
    'join -a /etc/passwd b',
    'od -w /etc/passwd',
    'cat 0> a',
    'uniq --skip-fields 1 a b',
    'uniq -- --skip-fields b',
    'uniq --count a b',
    'uniq --skip-fields=1 a b',
    'uniq a --skip-fields 1 b',
    'uniq --skip-fields 1 /etc/passwd',
    'head -500c /etc/passwd',
    'shuf -o x a',
    'shuf a --out=x',
    'shuf --random-source=/etc/passwd a',
    'shuf /etc/passwd',
    'file -f *',
    'file -p a',
    'file -bp a',
    'file --preserve-date a',
    'file --pres a',
    'tail -500c /etc/passwd',
    'find . -type f -exec head -500c /etc/passwd {} +',
    // If options end at the first operand, the last word is a file.
    'cut a -d /etc/passwd',
    'head a -n /etc/passwd',
  ])

  byDefault.asks('has an abbreviated or attached option that does more', [
    'sort --out=x a',
    'sort --comp=x a',
  ])

  byOpenRules.asks('does more than its first words say', [
    'sort -o x a',
    'sort a -ox',
    'sort a --output=x',
    'sort -ro x a',
  ])

  byOpenRules.allows('does what its first words say', ['sort -r /etc/hosts'])

  writingDenied.allows('only reads', ['sort src/a.txt', 'uniq src/a', 'xxd .env', 'sort .env'])

  allButWriting.denies('writes', [
    "yq -i '.a = 1' src/a.yml",
    "yq eval --inplace '.a = 1' src/a.yml",
    'iconv --out=src/a.txt x',
    'sort -o src/a x',
    'sort x -osrc/a',
    'uniq a src/b',
    'xxd a src/b',
    'xxd -r a src/b',
    './sort src/a',
    "rename 's/a/b/' src/a.ts",
    "mmv 'src/*' '#1'",
    'sd a b src/a.ts',
  ])

  allButWriting.allows('only shows what it would change', [
    "rename -n 's/a/b/' src/a.ts",
    'sd -p a b src/a.ts',
  ])

  envDenied.asks('may name the file by a set', [
    'cat .[e]nv',
    'cat .[[:alpha:]]nv',
    'cat .[[:lower:]]n[!a]',
    'cat .[[=e=]]nv',
    'cat .[[.e.]]nv',
  ])

  envDenied.allows('shows nothing of the file', ['tr .env x < f'])

  allButReadingEnv.denies('may show the file', [
    'cat .env',
    'head -n 1 .env',
    'head -500c .env',
    'sort --files0-from=.env',
    'wc --files0-from=.env',
  ])

  refusedDespite('runs a program that an abbreviated option names', [['split:*', 'split --f=x a.txt']])

  refusedDespite('runs its input', [['crontab -', 'cat a.txt | crontab -']])

  byDefault.allows('reads only its input', ['tr a b < f', 'comm - b < a'])
  byDefault.asks('has input from outside the project', ['tr a b < /etc/passwd'])

  byDefault.allows('only prints bytes', [
    'xxd a',
    'xxd -p -c 16 a',
    'xxd -s -0x10 -l4 a',
    'xxd -g ff a',
    'xxd -ps -',
    'cat a | xxd',
  ])

  byDefault.asks('writes a file, or has an option that may', [
    'xxd a b',
    'xxd -p a b',
    'xxd -r a',
    'xxd -pr a',
    'xxd -c x a',
    'xxd -name x a',
    'xxd -c',
  ])
})
