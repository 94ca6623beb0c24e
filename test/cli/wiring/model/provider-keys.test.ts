import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findKey, openKeys } from '../../../../src/cli/wiring/model/provider-keys.ts'
import { capture, quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'

const gemini = { name: 'gemini', apiKeyEnv: 'GEMINI_API_KEY', apiKeyAliases: ['GOOGLE_API_KEY'] }
const stored = new Map([
  ['gemini', 'stored'],
  ['ollama', 'local'],
])

describe('a key', () => {
  it.each([
    [
      { GEMINI_API_KEY: 'a', GOOGLE_API_KEY: 'b' },
      { key: 'a', source: 'GEMINI_API_KEY' },
    ],
    [
      { GEMINI_API_KEY: '', GOOGLE_API_KEY: 'b\n' },
      { key: 'b', source: 'GOOGLE_API_KEY' },
    ],
    [{ GEMINI_API_KEY: ' ' }, { key: 'stored', source: 'auth.json' }],
  ])('comes from the first set variable, else from the file: %j', (env, expected) => {
    expect(findKey(gemini, { env, stored })).toEqual(expected)
  })

  it('may be missing', () => {
    expect(findKey(gemini, { env: {}, stored: new Map() })).toBeUndefined()
  })

  it('may be stored for a server without a variable', () => {
    expect(findKey({ name: 'ollama' }, { env: {}, stored })).toEqual({ key: 'local', source: 'auth.json' })
  })
})

it('reads stored keys from the user’s folder, and warns of a file that was open to others', async () => {
  const home = await folderWith({ 'auth.json': '{"version": 1, "keys": {"gemini": "stored"}}' })
  await chmod(join(home, 'auth.json'), 0o640)
  const stderr = capture(false)
  const keys = await openKeys(quietHost(home, { env: { PIPE_HOME: home }, stderr }))
  expect([...keys]).toEqual([['gemini', 'stored']])
  expect(stderr.text()).toBe(
    `pipe: ${home}/auth.json was open to other users (mode 640); only you can access it now\n`,
  )
})
