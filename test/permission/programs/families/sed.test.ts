import { describe } from 'vitest'
import {
  allButEditingSource,
  allButReadingEnv,
  allButWriting,
  allowedBy,
  anything,
  byDefault,
  envDenied,
  refusedDespite,
  writingDenied,
} from '../../../support/permission/judged-lines.ts'

describe('sed', () => {
  writingDenied.allows('only reads', ['sed -n 1p src/a.ts'])

  allButWriting.denies('writes', ['sed -i s/a/b/ src/a.ts'])

  allButReadingEnv.denies('may show the file', [
    'sed -n 1p .env',
    'sed -f .env x',
    "sed 'r .env' x",
    "sed -n -e '1R.env' x",
  ])

  allButReadingEnv.allows('shows nothing of the file', ["sed 's/r .env/x/' r.env"])

  byDefault.allows('only prints lines', [
    "sed -n -e '1,5p' a",
    "sed -n '5,10p;12p' a",
    "sed -n -e '1p; $p' a",
    'sed -ne 1,5p a',
    'sed -n -e 1p -e 5p a',
    'sed --quiet -e 3p a b',
    'sed -n 1p a',
  ])

  byDefault.asks('may do more than print lines', [
    "sed -n -e 'w x' a",
    "sed -n -e 'r /etc/passwd' a",
    "sed -n -e '1e id' a",
    "sed -n -e 's/a/b/w x' a",
    "sed -n -e 's/a/id/e' a",
    "sed -n -e 'y/a/b/' a",
    "sed -ne 'w x' a",
    "sed -ne1p -e 'w x' a",
    "sed -n -e 1p -e 'w x' a",
    "sed -n 'w x' -e 1p",
    "sed -n 'w x' -e 1p 1p",
    "sed -n -e 1p --expression='w x' a",
    'sed -n -e 1p -f x a',
    'sed -ni -e 1p a',
    'sed -n -i -e 1p a',
    'sed -ine 1p a',
    'sed -n -e 1p a -i',
    "sed -n -e '1p\nw x' a",
    "sed -n -e '1p;w x' a",
    "sed -n '1p;2p;1e id' a",
    "sed -n '1p;2pw x' a",
    "sed -n '1p\n;w x' a",
    'sed -n -e 1p /etc/passwd',
    'sed -ne 1p /etc/passwd',
    'sed -e 1p a',
    'sed -n -e',
  ])

  envDenied.denies('prints the file', [
    'sed -n -e 1p .env',
    'sed -ne 1p .env',
    'sed -n 1p .env',
    'sed -ne 1p a .env',
  ])

  refusedDespite('does more than its first words say', [
    ['sed:*', 'sed -nf x.sed a.txt'],
    ['sed:*', 'sed --file=x.sed a.txt'],
    ['sed:*', "sed '1e x' a.txt"],
    ['sed:*', "sed '1ex' a.txt"],
    ['sed:*', 'sed ex a.txt'],
    ['sed:*', 'sed e a.txt'],
    ['sed:*', "sed -n '1!e x' a.txt"],
    ['sed:*', "sed '2,$e' a.txt"],
    ['sed:*', "sed '/a/Ie x' a.txt"],
    ['sed:*', "sed '\\,a,e x' a.txt"],
    ['sed:*', "sed 's|a|x|e' a.txt"],
    ['sed:*', "sed 's,a,x,pe' a.txt"],
    ['sed:*', "sed -E 'sxaxbxe' a.txt"],
    ['sed:*', "sed 's/a/b/;y/c/d/;1~2{p;e x\n}' a.txt"],
    ['sed:*', "sed 'a e\\\n1 e\n2e x' a.txt"],
    ['sed:*', 'sed -ne1ex a.txt'],
    ['sed:*', "sed ':x e' a.txt"],
    ['sed:*', 'sed --expression=1ex a.txt'],
    ['gsed:*', "gsed 's|a|x|e' a.txt"],
  ])

  allowedBy([
    ['sed:*', "sed -i 's/a/b/' a.txt"],
    ['sed:*', "sed -n '/error/,/end/p' example.ts e.txt"],
    ['sed:*', "sed 's/ex/y/g; /end/d; $!N' src/a"],
    ['sed:*', "sed ':a;N;$!ba;s/\\n/ /g' a.txt"],
    ['sed:*', "sed '/x/a end e' a.txt"],
    ['sed:*', "sed -E 's#/e/(a|b)#\\1#g' e2e.ts"],
  ])

  allButEditingSource.denies('edits the folder', ["sed -n '1w src/a.ts' f", 'sed --in s/a/b/ src/a.ts'])

  allButEditingSource.refuses('may edit the folder', ['sed "$(cat x)" f'])

  allButEditingSource.allows('only reads the folder', [
    'sed -n 1,5p src/a.ts',
    "sed 's/a/b/' src/a.ts",
    "sed -n 's/www/x/p' src/a.ts",
  ])

  anything.asks('writes to a path that decides what runs later', [
    "sed 's/x/y/w .git/hooks/pre-commit' f",
    "sed -n '1w .bashrc' f",
    "sed 's|x|y|gw .bashrc' f",
  ])

  anything.allows('writes to no such path', ["sed 's/a/b/' .bashrc"])
})
