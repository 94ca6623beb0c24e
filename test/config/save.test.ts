import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { saveAllowRules, saveSetting } from '../../src/config/save.ts'
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
