import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../src/json-value.ts'
import { toolContext } from '../../support/conversations/tool-run.ts'
import { thrown } from '../../support/thrown.ts'
import { createToolbox, type Toolbox } from '../toolbox.ts'
import { changes } from './changes.ts'

let toolbox: Toolbox
beforeEach(async () => {
  toolbox = await createToolbox()
})
afterEach(() => toolbox.close())

const { putRead } = changes(() => toolbox)

function preview(name: string, args: JsonObject, signal?: AbortSignal) {
  const tool = toolbox.executor.tools().find((one) => one.name === name)
  return tool?.preview?.(args, toolContext(signal))
}

describe('the preview of a change', () => {
  it.each([
    ['edit', { path: 'a.txt', old_text: 'b', new_text: 'B' }],
    ['write', { path: 'a.txt', content: 'a\nB\nc\n' }],
  ])('is the diff of the later %s, and changes nothing', async (name, args) => {
    await putRead('a.txt', 'a\nb\nc\n')
    const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'
    expect(await preview(name, args)).toBe(diff)
    expect(await preview(name, args)).toBe(diff)
    expect(await toolbox.get('a.txt')).toBe('a\nb\nc\n')
    expect(await toolbox.call(name, args)).toMatchObject({ isError: false, details: { diff } })
  })

  it('shows all of a new file', async () => {
    expect(await preview('write', { path: 'new.txt', content: 'x\n' })).toBe(
      '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+x\n',
    )
  })

  it.each([
    ['an edit of a missing file', 'edit', { path: 'none.txt', old_text: 'nowhere', new_text: 'x' }],
    ['invalid arguments', 'edit', { file: 'a.txt' }],
    ['a name that could pass for a diff', 'write', { path: 'a\n@@ -1 +1 @@\n harmless', content: 'x' }],
    ['a symlink loop', 'write', { path: 'loop', content: 'x' }],
  ])('is empty for %s', async (_, name, args) => {
    await putRead('a.txt', 'a\n')
    await putRead('a\n@@ -1 +1 @@\n harmless', 'y')
    await symlink('loop', join(toolbox.cwd, 'loop'))
    expect(await preview(name, args)).toBeUndefined()
  })

  it('is the result of an edit that does not fit what the model has read', async () => {
    await putRead('a.txt', 'a\n')
    const args = { path: 'a.txt', old_text: 'nowhere', new_text: 'x' }
    const { isError, text } = await toolbox.call('edit', args)
    expect(isError).toBe(true)
    expect(await preview('edit', args)).toMatchObject({ isError, content: [{ type: 'text', text }] })
  })

  const onUnread = [
    ['edit', { path: 'unread.txt', old_text: 'nowhere', new_text: 'x' }],
    ['write', { path: 'unread.txt', content: 'x' }],
  ] as const

  it.each(onUnread)('is the result of an %s of a file that the model has not read', async (name, args) => {
    await toolbox.put('unread.txt', 'y')
    const { text } = await toolbox.call(name, args)
    expect(text).toContain('it has not been read yet; read it first')
    expect(await preview(name, args)).toMatchObject({ isError: true, content: [{ type: 'text', text }] })
  })

  it.each(onUnread)(
    'does not tell of an %s whether a file is there that the model may not read',
    async (name, args) => {
      const other = await createToolbox(undefined, { mayRead: (path) => !path.endsWith('denied.txt') })
      onTestFinished(() => other.close())
      await toolbox.put('unread.txt', 'y')
      await other.put('denied.txt', 'y')
      const tool = other.executor.tools().find((one) => one.name === name)
      for (const path of ['denied.txt', join(toolbox.cwd, 'unread.txt')])
        expect(await tool?.preview?.({ ...args, path }, toolContext())).toBeUndefined()
    },
  )

  it('does not count as reading the file', async () => {
    await toolbox.put('a.txt', 'a\n')
    await preview('write', { path: 'a.txt', content: 'b\n' })
    expect(await toolbox.call('write', { path: 'a.txt', content: 'b\n' })).toMatchObject({ isError: true })
  })

  it('ends on abort', async () => {
    await putRead('a.txt', 'a\n')
    const error = await thrown(async () =>
      preview('write', { path: 'a.txt', content: 'b' }, AbortSignal.abort()),
    )
    expect(error).toMatchObject({ code: 'aborted' })
  })

  it('exists only for tools that change files', () => {
    const named = toolbox.executor.tools().filter((tool) => tool.preview !== undefined)
    expect(named.map(({ name }) => name)).toEqual(['write', 'edit'])
  })
})
