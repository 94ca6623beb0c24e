import { expect, it } from 'vitest'
import { folderFault } from '../../../src/cli/wiring/folder-fault.ts'

const home = '/home/ann'
const machine = { home, env: { PIPE_HOME: '/data/pipe' } }

it.each<[string, string]>([
  ['/', 'it contains your home folder'],
  ['/home', 'it contains your home folder'],
  [home, 'it contains your home folder'],
  ['/data', "it contains pipe's own files"],
  ['/data/pipe', "it contains pipe's own files"],
  ['/data/pipe/sessions', "it contains pipe's own files"],
  ['/etc', 'it belongs to the system'],
  ['/etc/ssh', 'it belongs to the system'],
  ['/var', 'it belongs to the system'],
  ['/usr/local/src', 'it belongs to the system'],
  ...[
    '.ssh',
    '.gnupg',
    '.config/gcloud',
    '.aws',
    '.claude',
    'Library/Keychains',
    'app/.git',
    'app/.env.d',
  ].map((name): [string, string] => [
    `${home}/${name}`,
    'hidden folders contain keys and programs that run later',
  ]),
  [`${home}/a\u202eb`, 'its name contains hidden characters'],
])('%s is refused: %s', (path, fault) => {
  expect(folderFault(path, machine)).toBe(fault)
})

it.each([`${home}/work`, '/srv/app', '/home/annabel', '/data/pipeline', '/var/www', '/etcetera'])(
  '%s may be approved',
  (path) => {
    expect(folderFault(path, machine)).toBeUndefined()
  },
)
