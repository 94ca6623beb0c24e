import { expect, it } from 'vitest'
import { childEnvironment } from '../../src/builtin/child-env.ts'

/** The names that are left of these. */
function left(names: readonly string[], lists?: Parameters<typeof childEnvironment>[1]): readonly string[] {
  return Object.keys(childEnvironment(Object.fromEntries(names.map((name) => [name, 'x'])), lists))
}

it('secrets are not for commands, however their names are written', () => {
  const secrets = [
    'OPENAI_API_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'npm_config__authToken',
    'PGPASSWORD',
    'db_passwd',
    'SIGNING_PASSPHRASE',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'CLIENT_SECRETS',
  ]
  expect(left(['PATH', ...secrets, 'HOME'])).toEqual(['PATH', 'HOME'])
})

it('what only looks like a secret stays, and so does the way to an ssh agent', () => {
  const names = [
    'SSH_AUTH_SOCK',
    'PWD',
    'TOKENIZERS_PARALLELISM',
    'GIT_CONFIG_KEY_0',
    'KEYTIMEOUT',
    'LESSKEYIN',
    'GNOME_KEYRING_CONTROL',
  ]
  expect(left(names)).toEqual(names)
})

it('more may be dropped, and some kept, by name or pattern; to keep goes before to drop', () => {
  const names = ['DATABASE_URL', 'GITHUB_TOKEN', 'CI_JOB_TOKEN', 'CI_URL', 'XCI_TOKEN', 'PATH']
  const lists = { drop: ['DATABASE_URL', 'CI_*'], keep: ['GITHUB_TOKEN', 'CI_JOB_*'] }
  expect(left(names, lists)).toEqual(['GITHUB_TOKEN', 'CI_JOB_TOKEN', 'PATH'])
  expect(left(['A.B', 'AXB'], { drop: ['A.B'] })).toEqual(['AXB'])
})

it('values are not touched', () => {
  expect(childEnvironment({ PATH: '/bin:$KEY', EMPTY: '' })).toEqual({ PATH: '/bin:$KEY', EMPTY: '' })
})
