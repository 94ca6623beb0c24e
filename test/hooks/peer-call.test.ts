import { describe, expect, it } from 'vitest'
import { allTools } from '../../src/builtin/tools.ts'
import { knownTools } from '../../src/cli/wiring/tools/known-tools.ts'
import { namesOf, ownInput, peerCall, peerName, peerResponse } from '../../src/hooks/peer-call.ts'
import { serverFrame } from '../../src/memory/frames.ts'
import type { ToolFacts } from '../../src/tool.ts'

const places = { cwd: '/work', home: '/home/ann' }

function toolCalled(name: string): ToolFacts {
  const found = knownTools.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no tool ${name}`)
  return found
}

it('each tool has one name for hooks, and no two share it', () => {
  expect(Object.fromEntries(knownTools.map((tool) => [tool.name, peerName(tool)]))).toEqual({
    ask: 'AskUserQuestion',
    bash: 'Bash',
    edit: 'Edit',
    elf: 'Task',
    fetch: 'WebFetch',
    find_tools: 'ToolSearch',
    glob: 'Glob',
    grep: 'Grep',
    process: 'BashOutput',
    read: 'Read',
    recall: 'recall',
    references: 'references',
    remember: 'remember',
    rename: 'rename',
    symbols: 'symbols',
    task: 'task',
    todo: 'TodoWrite',
    write: 'Write',
  })
})

it('a matcher for edits is about a rename too', () => {
  expect(namesOf(toolCalled('rename'), allTools)).toEqual([
    'rename',
    'rename',
    'Edit',
    'edit',
    'MultiEdit',
    'NotebookEdit',
  ])
  expect(namesOf(toolCalled('bash'), allTools)).toEqual(['Bash', 'bash'])
})

describe('the arguments of a call', () => {
  it.each([
    ['read', { path: 'a', limit: 3 }, { file_path: '/work/a', limit: 3 }],
    ['write', { path: '~/a', content: '' }, { file_path: '/home/ann/a', content: '' }],
    [
      'edit',
      { path: '/a', old_text: 'x', new_text: 'y', replace_all: true },
      { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
    ],
    ['bash', { command: 'ls', background: true }, { command: 'ls', run_in_background: true }],
    ['grep', { pattern: 'x', path: 'src' }, { pattern: 'x', path: 'src' }],
    [
      'grep',
      { pattern: 'files', output: 'files', ignore_case: true },
      { pattern: 'files', output_mode: 'files_with_matches', '-i': true },
    ],
    ['elf', { agent: 'explore', prompt: 'go' }, { subagent_type: 'explore', prompt: 'go' }],
    [
      'todo',
      { items: [{ text: 'done', status: 'done' }] },
      { todos: [{ content: 'done', status: 'completed' }] },
    ],
  ])('of %s have the names that hooks know, and come back', (name, own, theirs) => {
    const tool = toolCalled(name)
    expect(peerCall(tool, own, places)).toEqual({ name: peerName(tool), input: theirs })
    const back = ownInput(tool, theirs)
    expect(peerCall(tool, back, places).input).toEqual(theirs)
    expect(Object.keys(Object(back))).toEqual(Object.keys(own))
    if (!('path' in own)) expect(back).toEqual(own)
  })

  it('stay as they are if they are no object', () => {
    expect(peerCall(toolCalled('read'), 'a', places).input).toBe('a')
    expect(ownInput(toolCalled('read'), [1])).toEqual([1])
  })
})

describe('an edit', () => {
  const x = { old_text: 'x', new_text: 'y' }
  const z = { old_text: 'z', new_text: 'w', replace_all: true }
  const theirX = { old_string: 'x', new_string: 'y' }
  const theirZ = { old_string: 'z', new_string: 'w', replace_all: true }
  const several = { name: 'MultiEdit', input: { file_path: '/a', edits: [theirX, theirZ] } }
  it.each([
    [{ edits: [x, z] }, several],
    [{ ...x, edits: [z] }, several],
    [{ edits: [z] }, { name: 'Edit', input: { file_path: '/a', ...theirZ } }],
    [
      { old_text: '', new_text: '', edits: [x] },
      { name: 'Edit', input: { file_path: '/a', ...theirX } },
    ],
    [
      { ...x, edits: [] },
      { name: 'Edit', input: { file_path: '/a', ...theirX } },
    ],
  ])('of %j shows hooks every text', (changes, theirs) => {
    const tool = toolCalled('edit')
    expect(peerCall(tool, { path: '/a', ...changes }, places)).toEqual(theirs)
    expect(peerCall(tool, ownInput(tool, theirs.input), places)).toEqual(theirs)
  })

  it('names its file in the result too', () => {
    const { input } = peerCall(toolCalled('edit'), { path: 'a', ...x }, places)
    const content = [{ id: 'block_1', type: 'text' as const, text: 'changed a' }]
    expect(peerResponse({ content, isError: false }, { printed: undefined, input })).toEqual({
      content: [{ type: 'text', text: 'changed a' }],
      filePath: '/work/a',
      is_error: false,
      success: true,
    })
  })
})

it('the result of a server is what it said, which hooks read as JSON', () => {
  const text = serverFrame('notes', '{"id": 1}')
  const content = [{ id: 'block_1', type: 'text' as const, text }]
  expect(
    peerResponse({ content, isError: false }, { printed: undefined, input: {}, isOfServer: true }),
  ).toEqual({
    content: [{ type: 'text', text: '{"id": 1}' }],
    is_error: false,
    success: true,
  })
})
