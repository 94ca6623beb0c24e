import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changeKeys, readAuthFile } from '../../src/config/auth-file.ts'
import { folderWith } from '../support/folders/folder.ts'
import { thrown } from '../support/thrown.ts'
import { holder } from './holder.ts'

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}

describe('the key file', () => {
  it('is optional', async () => {
    expect(await readAuthFile(join(await folderWith(), 'none'))).toEqual({ keys: new Map(), warnings: [] })
  })

  it('is created with its folder, only for its owner', async () => {
    const config = join(await folderWith(), 'config/pipe')
    await changeKeys(config, (keys) => keys.set('openai', 'sk-1'), holder)
    expect(await readFile(join(config, 'auth.json'), 'utf8')).toBe(
      '{\n  "version": 1,\n  "keys": {\n    "openai": "sk-1"\n  }\n}\n',
    )
    expect(await modeOf(join(config, 'auth.json'))).toBe(0o600)
    expect(await modeOf(config)).toBe(0o700)
    expect(await readdir(config)).toEqual(['auth.json'])
  })

  it('keeps the other keys when one changes', async () => {
    const config = await folderWith({ 'auth.json': '{"version":1,"keys":{"a":"1","b":"2"}}' })
    await changeKeys(config, (keys) => keys.set('b', '3').set('constructor', '4'), holder)
    await changeKeys(config, (keys) => keys.delete('a'), holder)
    const { keys } = await readAuthFile(config)
    expect([...keys]).toEqual([
      ['b', '3'],
      ['constructor', '4'],
    ])
  })

  it('stays a link if it is one', async () => {
    const folder = await folderWith({ 'secrets/keys.json': '{"version":1,"keys":{"a":"1"}}', 'config/x': '' })
    await symlink(join(folder, 'secrets/keys.json'), join(folder, 'config/auth.json'))
    await changeKeys(join(folder, 'config'), (keys) => keys.set('b', '2'), holder)
    expect(JSON.parse(await readFile(join(folder, 'secrets/keys.json'), 'utf8'))).toEqual({
      version: 1,
      keys: { a: '1', b: '2' },
    })
  })

  it('becomes private if others can read it, with a warning', async () => {
    const config = await folderWith({ 'auth.json': '{"version":1,"keys":{"a":"1"}}' })
    const path = join(config, 'auth.json')
    await chmod(path, 0o644)
    expect(await readAuthFile(config)).toEqual({
      keys: new Map([['a', '1']]),
      warnings: [`${path} was open to other users (mode 644); only you can access it now`],
    })
    expect(await modeOf(path)).toBe(0o600)
    expect((await readAuthFile(config)).warnings).toEqual([])
  })

  it('cannot be a folder', async () => {
    const config = await folderWith({ 'auth.json/x': '' })
    expect(await thrown(() => readAuthFile(config))).toMatchObject({
      code: 'config',
      message: `cannot read ${config}/auth.json: it is not a regular file`,
    })
  })

  it.each([
    ['{"version":1,"keys":{"a":"sk-secret"', /auth\.json:1:\d+: not valid JSON/],
    ['["sk-secret"]', /auth\.json is damaged: expected/],
    ['{"keys":{"a":"sk-secret"}}', /auth\.json is damaged: expected/],
    ['{"version":1,"keys":{"a":["sk-secret"]}}', /auth\.json is damaged: expected/],
    ['{"version":1,"keys":{"a":""}}', /auth\.json is damaged: expected/],
    ['{"version":2,"keys":{"a":"sk-secret"}}', /auth\.json has version 2, which needs a newer pipe/],
  ])('is named in the error if invalid, but not shown or overwritten: %s', async (text, message) => {
    const config = await folderWith()
    const path = join(config, 'auth.json')
    await writeFile(path, text, { mode: 0o600 })
    for (const act of [
      () => readAuthFile(config),
      () => changeKeys(config, (keys) => keys.set('a', 'b'), holder),
    ]) {
      const error = await thrown(act)
      expect(error).toMatchObject({ code: 'config', message: expect.stringMatching(message) })
      expect(String(error)).not.toContain('sk-secret')
    }
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(await readdir(config)).toEqual(['auth.json'])
  })

  it('is changed by one process at a time, and loses no change', async () => {
    const config = await folderWith()
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(names.map((name) => changeKeys(config, (keys) => keys.set(name, '1'), holder)))
    expect([...(await readAuthFile(config)).keys.keys()].sort()).toEqual(names)
    expect(await readdir(config)).toEqual(['auth.json'])
  })
})
