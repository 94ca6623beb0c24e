import { expect, it } from 'vitest'
import { underOwnNames } from '../../src/builtin/own-names.ts'
import type { JsonValue } from '../../src/json-value.ts'
import { textResult } from '../../src/tool.ts'
import { drainRun, toolContext } from '../support/conversations/tool-run.ts'

/** Returns the arguments with which a call reaches its tool. */
async function arriving(name: string, args: JsonValue): Promise<JsonValue> {
  const arrived: JsonValue[] = []
  const executor = underOwnNames({
    tools: () => [],
    async *execute(_, given) {
      arrived.push(given)
      yield { type: 'output', stream: 'stdout', chunk: '' }
      return textResult('done')
    },
  })
  await drainRun(executor.execute(name, args, toolContext()))
  return arrived[0] ?? null
}

it.each<[string, JsonValue, JsonValue]>([
  ['read', { file_path: 'a', limit: 2 }, { path: 'a', limit: 2 }],
  ['read', { filePath: 'a' }, { path: 'a' }],
  ['write', { absolute_path: 'a', content: '' }, { path: 'a', content: '' }],
  [
    'edit',
    { file_path: 'a', old_string: 'b', new_string: 'c', replaceAll: true },
    { path: 'a', old_text: 'b', new_text: 'c', replace_all: true },
  ],
  [
    'edit',
    { path: 'a', edits: [{ oldText: 'b', newText: 'c' }] },
    { path: 'a', edits: [{ old_text: 'b', new_text: 'c' }] },
  ],
  ['grep', { pattern: 'a', dir_path: 'src', include: '*.ts' }, { pattern: 'a', path: 'src', glob: '*.ts' }],
])('a call of %s has our names for its arguments', async (name, args, own) => {
  expect(await arriving(name, args)).toEqual(own)
})

it.each<[string, string, JsonValue]>([
  ['an argument that is given under both names', 'read', { path: 'a', file_path: 'b' }],
  ['an argument that is given under two other names', 'read', { file_path: 'a', filePath: 'b' }],
  ['what the tool does not have', 'read', { old_string: 'a', path: 'b' }],
  ['a tool of others', 'notes_read', { file_path: 'a' }],
  ['a name that every object has', 'constructor', { file_path: 'a', __proto__: null }],
  ['what is no object', 'read', 'file_path'],
])('%s stays as it is', async (_, name, args) => {
  expect(await arriving(name, args)).toEqual(args)
})
