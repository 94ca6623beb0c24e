import { describe } from 'vitest'
import {
  allButEditingSource,
  allButReadingEnv,
  anything,
  byDefault,
  envDenied,
  refusedDespite,
} from '../../../support/permission/judged-lines.ts'

describe('find', () => {
  envDenied.allows('shows nothing of the file', ['find . -name .env', 'find . -name "*.ts" -not -name .env'])

  allButReadingEnv.denies('may show the file', ['find -files0-from .env', 'find . -name .env -exec cat {} +'])

  refusedDespite('does more than its first words say', [['find:*', 'find . -exec x {} +']])

  allButEditingSource.denies('edits the folder', [
    'find src -delete',
    'find -- src -delete',
    'find -E src -delete',
  ])

  allButEditingSource.refuses('may edit the folder', ['find . -name a.ts -delete'])

  allButEditingSource.allows('only reads the folder', ['find src -name a.ts'])

  anything.asks('writes to a path that decides what runs later', ['find .git/hooks -delete'])

  anything.allows('writes to no such path', ['find . -name "*.o" -delete'])

  byDefault.allows('only reads what it finds', [
    "find . -name '*.ts' -exec grep -n foo {} +",
    'find . -exec wc -l {} \\;',
    "find src -type f -exec cat {} ';'",
    'find . -exec awk 1 {} +',
    'find . -exec stat -c %s {} + -exec head -n 1 {} +',
    'find . -exec /usr/bin/grep foo {} \\;',
  ])

  byDefault.asks('starts outside the project, behind options', [
    'find -- /etc -type f -exec cat {} +',
    'find -P -- ~/.ssh -type f',
    'find -O2 -- .. -name x',
    'find -E /etc',
    'find -dx ~',
  ])

  byDefault.asks('may do more with what it finds than read it', [
    'find . -exec rm {} +',
    'find . -exec awk {} f +',
    'find . -exec grep {} f \\;',
    'find . -exec uniq {} +',
    'find . -exec sed -n 1p {} +',
    'find . -exec git log {} \\;',
    'find . -exec find {} -delete \\;',
    'find . -exec sh -c "cat {}" \\;',
    'find . -exec ./grep x {} +',
    'find . -exec cat {}.x \\;',
    'find . -exec cat {} + -delete',
    'find . -exec cat {} + -exec rm {} +',
    'find . -exec cat {} + -fprint x',
    'find . -exec cat {} -delete \\;',
    'find . -execdir cat {} +',
    'find . -ok cat {} \\;',
    'find . -exec cat {}',
    'find . -exec cat',
    'find . -exec + cat {}',
    'find . -exec cat {} > x',
  ])

  byDefault.asks('reads outside the project', [
    'find /etc -exec cat {} +',
    'find . -exec cat /etc/passwd {} \\;',
    'find . -exec cat + /etc/passwd {} \\;',
    'find . -exec grep -f/etc/passwd {} +',
  ])

  allButReadingEnv.refuses('may show the file', [
    'find . -exec cat {} +',
    'find . -type f -exec grep KEY {} +',
    'find . -exec grep -f .env {} +',
  ])
})
