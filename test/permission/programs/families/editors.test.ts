import { describe } from 'vitest'
import { allButEditingSource, allowedBy, refusedDespite } from '../../../support/permission/judged-lines.ts'

describe('pagers', () => {
  allButEditingSource.denies('edits the folder', [
    "vim -c 'w src/a.ts' x",
    "vim '+1,5w! >> src/a.ts' x",
    "ex -sc '%s/a/b/|saveas src/a.ts' x",
    'nvim --headless -c wq src/a.ts',
    'emacs --batch src/a.ts -f save-buffer',
  ])

  allButEditingSource.allows('edits other files', ["vim -c 'w lib/a.ts' -c wq x"])

  refusedDespite('names a program, or a file that does', [
    ['man:*', 'man -aP ./x ls'],
    ['man:*', 'man --pag=./x ls'],
    ['man:*', 'man -C x ls'],
    ['man:*', 'man --config-file=x ls'],
    ['less:*', 'less -k x a'],
    ['less:*', 'less -Xkx a'],
    ['less:*', 'less --lesskey-src=x a'],
    ['less:*', 'less --lessk x a'],
    ['bat:*', 'bat --pager=x a'],
    ['less:*', 'less +!x a'],
  ])

  allowedBy([
    ['man:*', 'man -k printf'],
    ['man:*', 'man 3 printf'],
    ['less:*', 'less -N -pkey a'],
  ])
})
