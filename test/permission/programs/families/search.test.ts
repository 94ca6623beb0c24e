import { describe } from 'vitest'
import {
  allButReadingEnv,
  allowedBy,
  byDefault,
  byOpenRules,
  envDenied,
  refusedDespite,
} from '../../../support/permission/judged-lines.ts'

describe('searches', () => {
  byDefault.allows('only reads', ['fdfind x'])

  byDefault.asks('may do more, or read outside the project', ['fdfind -x rm', 'fdfind x /etc'])

  byDefault.allows('has an option that shares its start with another', ['rg --pretty foo', 'rg --files src'])

  byDefault.asks('has an abbreviated or attached option that does more', [
    'rg --pre cat foo',
    'rg --pre=cat foo',
    'rg --files /etc',
    'rg --files-with-matches x /etc',
    'grep --files-with-matches x /etc',
  ])

  byOpenRules.asks('does more than its first words say', ['tree -o x', 'rg --pre cat x'])

  byOpenRules.allows('does what its first words say', ['rg --pretty x /etc'])

  envDenied.allows('shows nothing of the file', [
    'ls -a | grep .env',
    'grep -e .env a.txt',
    'rg .env src',
    'fd -H .env',
  ])

  allButReadingEnv.denies('may show the file', [
    'grep x .env',
    'grep -f .env a',
    'grep -f.env a',
    'grep -ef .env a',
    'grep --fil=.env a',
    'grep -e x -- .env',
    'grep -A 1 x .env',
    'grep --include=.env -r x .',
    './grep .env',
    'rg -f .env src',
    'rg --files-with-matches x .env',
    'tree --fromfile .env',
  ])

  refusedDespite('does more than its first words say', [
    ['fd:*', 'fd -x x'],
    ['fd:*', 'fd . -HX x'],
    ['fdfind:*', 'fdfind . --exec-batch=x'],
  ])

  allowedBy([['fd:*', 'fd -H -e tsx src']])
})
