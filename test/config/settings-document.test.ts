import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readJsonWithComments } from '../../src/config/settings-document.ts'
import { folderWith } from '../support/folders/folder.ts'
import { thrown } from '../support/thrown.ts'

async function pathOf(content: string): Promise<string> {
  return join(await folderWith({ 'config.json': content }), 'config.json')
}

describe('a document', () => {
  it.each([
    ['{"a": [1]}', { a: [1] }],
    ['\ufeff{"a": 1}', { a: 1 }],
    ['// one\n{"a": 1, /* two */ "b": [2,],}', { a: 1, b: [2] }],
    ['null', null],
    ['', undefined],
    [' \n', undefined],
  ])('%j is read', async (text, expected) => {
    expect(await readJsonWithComments(await pathOf(text))).toEqual(expected)
  })

  it.each([
    ['{"a": {"deny": ["x"]},\n "a": {"allow": ["y"]}}', '2:2: "a"'],
    ['{"a": {"b": 1, "c": [{"b": 1}], "b": 2}}', '1:33: "b"'],
    ['{\n  // "a": 1\n  "a": 1,\n  "\\u0061" : 2,\n}', '4:3: "\\u0061"'],
  ])('is rejected with a name twice in one object: %j', async (text, place) => {
    const path = await pathOf(text)
    expect(await thrown(() => readJsonWithComments(path))).toMatchObject({
      code: 'config',
      message: expect.stringContaining(`${path}:${place} is already in this object`),
    })
  })

  it('may repeat a name in different objects, and in text that only looks like a name', async () => {
    const value = { a: { a: 'a": 1, "a": {', b: ['b', 'b'] }, b: [{ a: 1 }, { a: 1 }] }
    expect(await readJsonWithComments(await pathOf(JSON.stringify(value)))).toEqual(value)
    expect(await readJsonWithComments(await pathOf('{"a": 1, /* "a": 2 { */ "b": "//"} // }'))).toEqual({
      a: 1,
      b: '//',
    })
  })

  it('is undefined if missing, even below a file', async () => {
    const path = await pathOf('{}')
    expect(await readJsonWithComments(`${path}.not`)).toBeUndefined()
    expect(await readJsonWithComments(join(path, 'below'))).toBeUndefined()
  })

  it('is rejected if it consists of brackets, however many', async () => {
    const path = await pathOf(`//\n${'['.repeat(100_000)}`)
    expect(await thrown(() => readJsonWithComments(path))).toMatchObject({
      code: 'config',
      message: `${path}: nested too deeply`,
    })
  })

  it('is rejected above 256 KiB', async () => {
    const path = await pathOf(' '.repeat(256 * 1024 + 1))
    expect(await thrown(() => readJsonWithComments(path))).toMatchObject({
      code: 'config',
      message: `cannot read ${path}: it has more than 262144 bytes`,
    })
  })

  it.each(['a folder', 'a FIFO', 'a device'])('is rejected at once if it is %s', async (what) => {
    const folder = await folderWith({ 'a folder/x': '' })
    execFileSync('mkfifo', [join(folder, 'a FIFO')])
    await symlink('/dev/zero', join(folder, 'a device'))
    const path = join(folder, what)
    expect(await thrown(() => readJsonWithComments(path))).toMatchObject({
      code: 'config',
      message: `cannot read ${path}: it is not a regular file`,
    })
  })
})
