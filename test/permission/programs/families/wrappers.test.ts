import { describe } from 'vitest'
import {
  allButEditingSource,
  allowedBy,
  anything,
  byDefault,
  refusedDespite,
} from '../../../support/permission/judged-lines.ts'

describe('wrappers', () => {
  byDefault.asks('may do more than ask for a version', ['npx --version', 'npx tsc --version'])

  refusedDespite('runs its input', [
    ['env A=b bash', 'cat a.txt | env A=b bash'],
    ['su me', 'cat a.txt | su me'],
    ['sudo -s', 'cat a.txt | sudo -s'],
  ])

  allowedBy([['sudo -u me ls', 'sudo -u me ls']])

  allButEditingSource.denies('edits the folder', ['npx prettier --write src/a.ts'])

  anything.asks('writes to a path that decides what runs later', [
    'script .bashrc',
    'script -qc ls .bashrc',
    'command time -o .bashrc ls',
  ])

  anything.allows('writes to no such path', ['script -qc ls typescript'])
})
