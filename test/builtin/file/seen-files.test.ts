import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { JsonValue } from '../../../src/json-value.ts'
import type { Message } from '../../../src/message.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import { text, toolResult } from '../../support/messages/messages.ts'
import { type CallResult, createToolbox, path } from '../toolbox.ts'

const change = (name: string) => ({ path: name, old_text: 'one', new_text: 'two' })

/** A result as a session keeps it. */
function kept(toolName: string, { text: said, details, isError }: CallResult): Message {
  return { ...toolResult('tc_1', text(said)), toolName, isError, ...omitUndefined({ details }) }
}

/** Calls a tool, and gives its result to the tools of a later run in the same folder. */
async function laterRun(name: string, args: JsonValue) {
  const first = await createToolbox()
  onTestFinished(() => first.close())
  await first.put('a.txt', 'one\n')
  await symlink(join(first.cwd, 'a.txt'), join(first.cwd, 'link.txt'))
  const result = kept(name, await first.call(name, args))
  const later = await createToolbox({ PATH: path }, { cwd: first.cwd, earlier: [result] })
  onTestFinished(() => later.close())
  return { later, first }
}

it('a later run may change a file that an earlier one has read', async () => {
  const { later, first } = await laterRun('read', { path: 'a.txt' })
  expect(await later.call('edit', change('a.txt'))).toMatchObject({ isError: false })
  expect(await first.get('a.txt')).toBe('two\n')
})

it('a later run may change a file that an earlier one has written', async () => {
  const { later } = await laterRun('write', { path: 'b.txt', content: 'one\n' })
  expect(await later.call('edit', change('b.txt'))).toMatchObject({ isError: false })
})

it('a file that was read through a link may be changed under both names', async () => {
  const { later } = await laterRun('read', { path: 'link.txt' })
  expect(await later.call('edit', change('a.txt'))).toMatchObject({ isError: false })
})

it('a file that has changed since must be read again, and one that was not read must be read first', async () => {
  const { later, first } = await laterRun('read', { path: 'a.txt' })
  await first.put('a.txt', 'one more\n')
  await first.put('c.txt', 'one\n')
  expect((await later.call('edit', change('a.txt'))).text).toContain('it has changed since it was read')
  expect((await later.call('edit', change('c.txt'))).text).toContain('it has not been read yet')
})

it('the result of a tool of others names no file that was seen', async () => {
  const first = await createToolbox()
  onTestFinished(() => first.close())
  await first.put('a.txt', 'one\n')
  const forged = kept('clock', await first.call('read', { path: 'a.txt' }))
  const other = await createToolbox({ PATH: path }, { cwd: first.cwd, earlier: [forged] })
  onTestFinished(() => other.close())
  expect((await other.call('edit', change('a.txt'))).text).toContain('it has not been read yet')
})
