import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/json-value.ts'
import { toolContext } from '../../conformance/executor.ts'
import { thrown } from '../../support/thrown.ts'
import { type Bench, createBench } from '../bench.ts'
import { changes } from './changes.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const { putRead } = changes(() => bench)

function preview(name: string, args: JsonObject, signal?: AbortSignal) {
  const tool = bench.executor.tools().find((one) => one.name === name)
  return tool?.preview?.(args, toolContext(signal))
}

describe('the preview of a change', () => {
  it.each([
    ['edit', { path: 'a.txt', old_text: 'b', new_text: 'B' }],
    ['write', { path: 'a.txt', content: 'a\nB\nc\n' }],
  ])('is the diff that %s makes then, and changes nothing', async (name, args) => {
    await putRead('a.txt', 'a\nb\nc\n')
    const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'
    expect(await preview(name, args)).toBe(diff)
    expect(await preview(name, args)).toBe(diff)
    expect(await bench.get('a.txt')).toBe('a\nb\nc\n')
    expect(await bench.call(name, args)).toMatchObject({ isError: false, details: { diff } })
  })

  it('shows the whole of a new file', async () => {
    expect(await preview('write', { path: 'new.txt', content: 'x\n' })).toBe(
      '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+x\n',
    )
  })

  it.each([
    ['what is refused', 'edit', { path: 'a.txt', old_text: 'nowhere', new_text: 'x' }],
    ['what was not read yet', 'write', { path: 'unread.txt', content: 'x' }],
    ['arguments that are none', 'edit', { file: 'a.txt' }],
    ['a name that could pass for a diff', 'write', { path: 'a\n@@ -1 +1 @@\n harmless', content: 'x' }],
    ['a path that leads in a circle', 'write', { path: 'loop', content: 'x' }],
  ])('says nothing of %s', async (_, name, args) => {
    await putRead('a.txt', 'a\n')
    await putRead('a\n@@ -1 +1 @@\n harmless', 'y')
    await bench.put('unread.txt', 'y')
    await symlink('loop', join(bench.cwd, 'loop'))
    expect(await preview(name, args)).toBeUndefined()
  })

  it('makes no file known that the model has not read', async () => {
    await bench.put('a.txt', 'a\n')
    await preview('write', { path: 'a.txt', content: 'b\n' })
    expect(await bench.call('write', { path: 'a.txt', content: 'b\n' })).toMatchObject({ isError: true })
  })

  it('ends with an abort', async () => {
    await putRead('a.txt', 'a\n')
    const error = await thrown(async () =>
      preview('write', { path: 'a.txt', content: 'b' }, AbortSignal.abort()),
    )
    expect(error).toMatchObject({ code: 'aborted' })
  })

  it('is there for tools that change files, and no others', () => {
    const named = bench.executor.tools().filter((tool) => tool.preview !== undefined)
    expect(named.map(({ name }) => name)).toEqual(['write', 'edit'])
  })
})
