import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runners } from '../../src/builtin/runners.ts'
import { allTools } from '../../src/builtin/tools.ts'
import { createToolbox, type Toolbox } from './toolbox.ts'

let toolbox: Toolbox
beforeAll(async () => {
  toolbox = await createToolbox()
})
afterAll(() => toolbox.close())

const names = ['read', 'write', 'edit', 'rename', 'bash', 'process', 'grep', 'glob', 'fetch', 'todo', 'ask']

it('spends at most 5,450 bytes of a request on eleven tools', () => {
  const sent = toolbox.executor.tools().map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  expect(sent.map((tool) => tool.function.name)).toEqual(names)
  expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThanOrEqual(5_450)
})

it('shows models the same argument schemas that it checks', async () => {
  const script = ['scripts/generate-tool-schemas.js', '--check']
  const { stdout } = await promisify(execFile)(process.execPath, script)
  expect(stdout).toBe('src/builtin/parameters.json is up to date\n')
})

it('marks read, grep, glob, todo and ask as read-only, and gives each tool its capability', () => {
  const judged = toolbox.executor.tools().map((tool) => [tool.name, tool.readOnly({}), tool.capability])
  expect(judged).toEqual([
    ['read', true, 'tool_read_file'],
    ['write', false, 'tool_edit_file'],
    ['edit', false, 'tool_edit_file'],
    ['rename', false, 'tool_edit_file'],
    ['bash', false, 'tool_run_command'],
    ['process', false, 'tool_run_command'],
    ['grep', true, 'tool_read_file'],
    ['glob', true, 'tool_read_file'],
    ['fetch', false, 'tool_fetch_url'],
    ['todo', true, 'tool_read_file'],
    ['ask', true, 'tool_read_file'],
  ])
})

it('every tool has a runner, and every runner a tool', () => {
  expect(allTools.map(({ name }) => name).sort()).toEqual(Object.keys(runners).sort())
})

it('explains bad arguments with the field, the expected type and the usage', async () => {
  expect(await toolbox.call('read', { path: 'a', offset: -1 })).toEqual({
    isError: true,
    text: 'bad arguments for read: offset: Too small: expected number to be >=1\nusage: read(path: string, offset?: integer, limit?: integer)',
    outputs: [],
  })
  expect((await toolbox.call('write', {})).text).toBe(
    'bad arguments for write: path: Invalid input: expected string, received undefined; content: Invalid input: expected string, received undefined\nusage: write(path: string, content: string)',
  )
})

it('accepts numbers as text, and names unknown fields', async () => {
  await toolbox.put('three', '1\n2\n3\n')
  const said = await toolbox.call('read', { path: 'three', offset: '2', limit: '1', mood: 'good' })
  expect(said.text).toBe(
    '2\t2\n[lines 2-2; use offset=3 to continue]\n[ignored, because read has no such argument: mood; usage: read(path: string, offset?: integer, limit?: integer)]',
  )
  expect((await toolbox.call('bash', { command: 'echo hi', description: 'Says hi' })).text).toBe('hi')
})

it('answers an unknown tool with the list of tools', async () => {
  expect(await toolbox.call('Read', {})).toEqual({
    isError: true,
    text: `there is no tool Read; the tools are: ${names.join(', ')}`,
    outputs: [],
  })
})
