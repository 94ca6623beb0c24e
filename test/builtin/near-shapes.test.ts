import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { JsonValue } from '../../src/json-value.ts'
import { createToolbox, type Toolbox } from './toolbox.ts'

let toolbox: Toolbox
beforeEach(async () => {
  const opened = await createToolbox()
  onTestFinished(() => opened.close())
  toolbox = opened
})

const todoUsage = 'usage: todo(items: [{text: string, status: pending|in_progress|done}])'
const editUsage =
  'usage: edit(path: string, old_text?: string, new_text?: string, replace_all?: boolean, edits?: [{old_text: string, new_text: string, replace_all?: boolean}])'
const readUsage = 'usage: read(path: string, offset?: integer, limit?: integer)'
const bashUsage =
  'usage: bash(command: string, timeout?: integer, background?: boolean, on_timeout?: background|kill, sandbox?: boolean)'
const item = { text: 'a', status: 'done' }

describe('arguments that are nearly right are accepted', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['a status in capitals', [{ text: 'a', status: 'IN_PROGRESS' }], [{ text: 'a', status: 'in_progress' }]],
    ['a status with a capital', [{ text: 'a', status: 'Pending' }], [{ text: 'a', status: 'pending' }]],
    ['a status with a space', [{ text: 'a', status: 'in progress' }], [{ text: 'a', status: 'in_progress' }]],
    [
      'a status with a hyphen',
      [{ text: 'a', status: 'In-Progress' }],
      [{ text: 'a', status: 'in_progress' }],
    ],
    ['completed', [{ text: 'a', status: 'Completed' }], [item]],
    ['one item without a list', item, [item]],
    ['a list as JSON text', JSON.stringify([item]), [item]],
    ['one item as JSON text', JSON.stringify(item), [item]],
    ['items as JSON texts', [JSON.stringify(item)], [item]],
    ['a list that was encoded twice', JSON.stringify(JSON.stringify([item])), [item]],
    ['a field of an item that is null', [{ ...item, note: null }], [item]],
  ])('a plan: %s', async (_, items, taken) => {
    const { text, details } = await toolbox.call('todo', { items })
    expect([text.split('\n'), details]).toEqual([
      [JSON.stringify(taken).includes('done') ? '1 of 1 done' : '0 of 1 done'],
      { todo: taken },
    ])
  })

  it.each<[string, JsonValue, string]>([
    ['read', { path: 'a.txt', offset: null, limit: null }, '1\tone\n2\tOne'],
    ['read', { path: 'a.txt', offset: '2' }, '2\tOne'],
    ['read', { path: 'a.txt', offset: 0, limit: 1 }, '1\tone\n[lines 1-1; use offset=2 to continue]'],
    ['read', { path: 'a.txt', offset: '0' }, '1\tone\n2\tOne'],
    ['grep', { pattern: 'one', path: '', glob: '', type: '', output: '' }, 'a.txt:1:one'],
    ['glob', { pattern: '*.txt', path: '' }, 'a.txt'],
    [
      'grep',
      { pattern: 'ONE', path: null, glob: null, type: null, output: 'Count', ignore_case: 'true' },
      'a.txt:2',
    ],
    ['grep', { pattern: 'one', output: 'LINES', ignore_case: 'False', context: null }, 'a.txt:1:one'],
    ['glob', { pattern: '*.txt', path: null }, 'a.txt'],
    ['bash', { command: 'echo hi', cwd: null, timeout: null, sandbox: null, on_timeout: null }, 'hi'],
    ['bash', { command: 'echo hi', background: 'false', on_timeout: 'KILL' }, 'hi'],
    ['bash', { command: 'echo hi', background: false, run_in_background: true }, 'hi'],
    ['process', { action: 'List', id: null, input: null }, 'no processes in the background'],
  ])('%s %j', async (name, args, text) => {
    await toolbox.put('a.txt', 'one\nOne\n')
    expect(await toolbox.call(name, args)).toMatchObject({ isError: false, text })
  })

  it.each<[string, JsonValue]>([
    ['one change without a list', { edits: { old_text: 'a', new_text: 'A', replace_all: 'true' } }],
    ['null instead of a list', { old_text: 'a', new_text: 'A', replace_all: 'true', edits: null }],
    ['null instead of the short form', { old_text: null, edits: '{"old_text":"a a","new_text":"A A"}' }],
  ])('an edit: %s', async (_, args) => {
    await toolbox.put('a.txt', 'a a\n')
    await toolbox.call('read', { path: 'a.txt' })
    const said = await toolbox.call('edit', { path: 'a.txt', ...(typeof args === 'object' ? args : {}) })
    expect([said.isError, await toolbox.get('a.txt')]).toEqual([false, 'A A\n'])
  })
})

it.each(['run_in_background', 'is_background'])('accepts %s for background', async (name) => {
  const { text } = await toolbox.call('bash', { command: 'exec sleep 600', [name]: 'true' })
  expect(text).toMatch(/^\[runs in the background as p1, pid \d+; see process\]$/)
  expect((await toolbox.call('todo', { items: [], [name]: true })).text).toContain(
    `no such argument: ${name};`,
  )
})

it('accepts empty text as content', async () => {
  await toolbox.call('write', { path: 'a.txt', content: '' })
  expect(await toolbox.get('a.txt')).toBe('')
  await toolbox.call('write', { path: 'a.txt', content: 'one\n' })
  await toolbox.call('edit', { path: 'a.txt', old_text: 'one\n', new_text: '' })
  expect(await toolbox.get('a.txt')).toBe('')
})

describe('other arguments are refused with an explanation', () => {
  const missing = 'Invalid input: expected string, received undefined'

  it.each<[string, JsonValue, string]>([
    [
      'todo',
      { todos: [item] },
      `bad arguments for todo: items: Invalid input: expected array, received undefined; unknown: todos\n${todoUsage}`,
    ],
    [
      'todo',
      { items: [{ content: 'a', status: 'open' }] },
      `bad arguments for todo: items.0.text: ${missing}; items.0.status: Invalid option: expected one of "pending"|"in_progress"|"done"; unknown: items.0.content\n${todoUsage}`,
    ],
    [
      'todo',
      { items: 'a, b' },
      `bad arguments for todo: items: Invalid input: expected array, received string\n${todoUsage}`,
    ],
    [
      'read',
      { file_path: 'a' },
      `bad arguments for read: path: ${missing}; unknown: file_path\n${readUsage}`,
    ],
    ['read', { path: null }, `bad arguments for read: path: ${missing}\n${readUsage}`],
    [
      'read',
      '{"path":"a"}',
      `bad arguments for read: Invalid input: expected object, received string\n${readUsage}`,
    ],
    [
      'write',
      { path: 'a', content: 3 },
      'bad arguments for write: content: Invalid input: expected string, received number\nusage: write(path: string, content: string)',
    ],
    [
      'bash',
      { command: ['ls'], sandbox: 'false' },
      `bad arguments for bash: command: Invalid input: expected string, received array; sandbox: Invalid input: expected boolean, received string\n${bashUsage}`,
    ],
    [
      'edit',
      { path: 'a', edits: [{ old_text: 'a', new_text: 'b', replace_all: 'yes' }] },
      `bad arguments for edit: edits.0.replace_all: Invalid input: expected boolean, received string\n${editUsage}`,
    ],
  ])('%s %j', async (name, args, text) => {
    expect(await toolbox.call(name, args)).toEqual({ isError: true, text, outputs: [] })
  })

  it('names unknown fields of items, in a list or its JSON text', async () => {
    await toolbox.put('a.txt', 'a\n')
    const change = { old_text: 'a', new_text: 'b', replaceAll: true, path: 'other' }
    for (const edits of [[change], JSON.stringify(change)]) {
      await toolbox.put('a.txt', 'a\n')
      await toolbox.call('read', { path: 'a.txt' })
      expect((await toolbox.call('edit', { path: 'a.txt', edits })).text).toBe(
        `changed a.txt\n[ignored, because edit has no such argument: edits.0.replaceAll, edits.0.path; ${editUsage}]`,
      )
    }
  })

  it('treats names that all objects have as unknown', async () => {
    const args = JSON.parse('{"items":[],"constructor":1,"__proto__":{"items":2},"description":"plans"}')
    expect((await toolbox.call('todo', args)).text).toBe(
      `0 of 0 done\n[ignored, because todo has no such argument: constructor, __proto__; ${todoUsage}]`,
    )
  })
})

describe('errors for the model are short', () => {
  const long = 'x'.repeat(200_000)
  const short = `${'x'.repeat(200)}…`

  it('names the first five of many problems', async () => {
    const items = Array.from({ length: 10_000 }, () => ({ text: 'a', status: 'open', id: 1 }))
    const wrong = [0, 1, 2, 3, 4].map(
      (i) => `items.${i}.status: Invalid option: expected one of "pending"|"in_progress"|"done"`,
    )
    const unknown = [0, 1, 2, 3, 4].map((i) => `items.${i}.id`)
    expect((await toolbox.call('todo', { items })).text).toBe(
      `bad arguments for todo: ${wrong.join('; ')} and 9995 more; unknown: ${unknown.join(', ')} and 9995 more\n${todoUsage}`,
    )
  })

  it('cuts names', async () => {
    expect((await toolbox.call(long, {})).text).toMatch(
      new RegExp(`^there is no tool ${short}; the tools are: `),
    )
    expect((await toolbox.call('todo', { items: [], [long]: 1 })).text).toBe(
      `0 of 0 done\n[ignored, because todo has no such argument: ${short}; ${todoUsage}]`,
    )
    expect((await toolbox.call('process', { action: 'read', id: long })).text).toMatch(
      /^bad arguments for process: id: Too big: expected string to have <=100 characters\n/,
    )
  })

  it('cuts the middle out of a failure', async () => {
    const question = { question: long, kind: 'select' }
    expect(await toolbox.call('ask', { questions: [question] })).toEqual({
      isError: true,
      text: `"${'x'.repeat(4_999)}\n[… 190056 characters left out …]\n${`${long}" has nothing to select from: give at least two options`.slice(-5_000)}`,
      outputs: [],
    })
    const calls: [string, JsonValue][] = [
      ['read', { path: long }],
      ['grep', { pattern: `(${long}` }],
      ['grep', { pattern: 'a', type: long }],
      ['fetch', { url: `ftp://${long}` }],
    ]
    for (const [name, args] of calls) {
      const { isError, text } = await toolbox.call(name, args)
      expect([name, isError && text.length < 10_100]).toEqual([name, true])
    }
  })

  it('keeps the output of a failed command whole', async () => {
    const { isError, text } = await toolbox.call('bash', { command: 'seq 4000 5900; exit 3' })
    expect([isError, text.split('\n').length, text.includes('left out')]).toEqual([true, 1_902, false])
    expect(text.startsWith('4000\n4001\n') && text.endsWith('\n5900\n[exit code 3]')).toBe(true)
    expect(text.includes('\n5000\n')).toBe(true)
  })
})
