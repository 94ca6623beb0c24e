import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { additionsOf, type PlannedAddition } from '../../src/config/peer/import-plan.ts'
import { saveAdditions, saveAllowRules, saveSetting } from '../../src/config/save.ts'
import { readSettings } from '../../src/config/settings.ts'
import { folderWith } from '../support/folders/folder.ts'
import { thrown } from '../support/thrown.ts'
import { holder } from './holder.ts'

describe('saved rules', () => {
  it('follow existing ones, and keep comments and layout', async () => {
    const text =
      '{\n  // mine\n  "model": "a/b",\n  "permissions": { "mode": "plan", "allow": ["Bash(ls)"] } // end\n}\n'
    const path = join(await folderWith({ 'config.json': text }), 'config.json')
    await saveAllowRules(path, ['Bash(npm test:*)', 'Bash(ls)', 'Edit(//a)'], holder)
    expect(await readFile(path, 'utf8')).toMatch(
      /^\{\n {2}\/\/ mine\n {2}"model": "a\/b",\n[\s\S]*\/\/ end\n\}\n$/,
    )
    expect(await readSettings(path)).toEqual({
      model: 'a/b',
      permissions: { mode: 'plan', allow: ['Bash(ls)', 'Bash(npm test:*)', 'Edit(//a)'] },
    })
  })

  it.each([{}, { 'config.json': '' }, { 'config.json': '{}' }, { 'config.json': '{ "permissions": {} }' }])(
    'create missing fields: %j',
    async (files) => {
      const folder = await folderWith(files)
      const path = join(folder, 'config.json')
      await saveAllowRules(path, ['Bash(ls)', 'Read'], holder)
      expect(await readSettings(path)).toEqual({ permissions: { allow: ['Bash(ls)', 'Read'] } })
      expect(await thrown(() => stat(`${path}.lock`))).toMatchObject({ code: 'ENOENT' })
    },
  )

  it('are not written to an unreadable file', async () => {
    const path = join(await folderWith({ 'config.json': '{ "model": ' }), 'config.json')
    expect(await thrown(() => saveAllowRules(path, ['Read'], holder))).toMatchObject({ code: 'config' })
    expect(await readFile(path, 'utf8')).toBe('{ "model": ')
  })
})

describe('what is taken over from another agent', () => {
  const group = (command: string) => ({ matcher: 'Bash', hooks: [{ type: 'command' as const, command }] })
  const additions: readonly PlannedAddition[] = [
    { type: 'rule', behavior: 'deny', rule: 'Read(a)' },
    { type: 'rule', behavior: 'deny', rule: 'Read(b)' },
    { type: 'rule', behavior: 'allow', rule: 'Bash(ls)' },
    { type: 'rule', behavior: 'allow', rule: 'Bash(pwd)' },
    { type: 'hooks', event: 'PreToolUse', group: group('first') },
    { type: 'hooks', event: 'PreToolUse', group: group('second') },
  ]
  const added = additionsOf([{ path: 'settings.json', additions, left: [] }])

  it.each([{}, { 'config.json': '{}' }])('is saved whole and in order: %j', async (files) => {
    const path = join(await folderWith(files), 'config.json')
    await saveAdditions(path, added, holder)
    expect(await readSettings(path)).toEqual({
      permissions: { deny: ['Read(a)', 'Read(b)'], allow: ['Bash(ls)', 'Bash(pwd)'] },
      hooks: { PreToolUse: [group('first'), group('second')] },
    })
  })

  it('follows the entries of lists that are there', async () => {
    const own = {
      permissions: { deny: ['Read(mine)'], allow: ['Bash(mine)'] },
      hooks: { PreToolUse: [group('mine')] },
    }
    const path = join(await folderWith({ 'config.json': JSON.stringify(own) }), 'config.json')
    await saveAdditions(path, added, holder)
    expect(await readSettings(path)).toEqual({
      permissions: {
        deny: ['Read(mine)', 'Read(a)', 'Read(b)'],
        allow: ['Bash(mine)', 'Bash(ls)', 'Bash(pwd)'],
      },
      hooks: { PreToolUse: [group('mine'), group('first'), group('second')] },
    })
  })
})

describe('a saved setting', () => {
  it('replaces the one before, or is added, and keeps comments', async () => {
    const text = '{\n  // mine\n  "tui": { "theme": "dark" }, // end\n  "local": false\n}\n'
    const path = join(await folderWith({ 'config.json': text }), 'config.json')
    await saveSetting(path, ['tui', 'theme'], 'light', holder)
    await saveSetting(path, ['model'], 'a/b', holder)
    expect(await readFile(path, 'utf8')).toMatch(/\/\/ mine\n {2}"tui": \{ "theme": "light" \}, \/\/ end/)
    expect(await readSettings(path)).toEqual({ tui: { theme: 'light' }, local: false, model: 'a/b' })
  })

  it('creates the file', async () => {
    const path = join(await folderWith(), 'config.json')
    await saveSetting(path, ['tui', 'theme'], 'none', holder)
    expect(await readSettings(path)).toEqual({ tui: { theme: 'none' } })
  })

  it('leaves an unreadable file as it is', async () => {
    const path = join(await folderWith({ 'config.json': '{ "model": ' }), 'config.json')
    expect(await thrown(() => saveSetting(path, ['model'], 'a/b', holder))).toMatchObject({ code: 'config' })
    expect(await readFile(path, 'utf8')).toBe('{ "model": ')
  })
})
