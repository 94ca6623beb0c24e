import { describe, expect, it } from 'vitest'
import { inOwnNames, readPermissionMode } from '../../src/config/permission-mode.ts'

describe('a permission mode', () => {
  it.each([
    ['accept-edits', 'accept-edits'],
    ['acceptEdits', 'accept-edits'],
    ['bypassPermissions', 'bypass'],
    ['yolo', undefined],
    ['plan', 'plan'],
    ['toString', undefined],
    ['fast', undefined],
    [1, undefined],
  ])('%j is %s', (name, mode) => {
    expect(readPermissionMode(name)).toBe(mode)
  })
})

describe('settings', () => {
  it('get our names for those of other agents, and keep the rest', () => {
    const settings = { model: 'a/b', permissions: { allow: [], mode: 'acceptEdits' } }
    expect(inOwnNames({ ...settings, sandbox: { mode: 'danger-full-access', network: true } })).toEqual({
      model: 'a/b',
      permissions: { allow: [], mode: 'accept-edits' },
      sandbox: { mode: 'off', network: true },
    })
    const others = [
      'x',
      { permissions: { mode: 1 } },
      { permissions: ['acceptEdits'] },
      { sandbox: { mode: 'acceptEdits' } },
    ]
    expect(others.map(inOwnNames)).toEqual(others)
  })
})
