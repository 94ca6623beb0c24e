import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bench, createBench } from './bench.ts'

let bench: Bench
beforeAll(async () => {
  bench = await createBench()
})
afterAll(() => bench.close())

const names = ['read', 'write', 'edit', 'bash', 'process', 'grep', 'glob', 'fetch', 'todo', 'ask']

it('ten tools cost at most 5,200 bytes of a request', () => {
  const sent = bench.executor.tools().map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  expect(sent.map((tool) => tool.function.name)).toEqual(names)
  expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThanOrEqual(5_200)
})

it('what models see of the arguments is what is checked', async () => {
  const script = ['scripts/generate-tool-schemas.js', '--check']
  const { stdout } = await promisify(execFile)(process.execPath, script)
  expect(stdout).toBe('src/builtin/parameters.json is up to date\n')
})

it('only read, grep, glob, todo and ask change nothing, and each tool needs the capability of its kind', () => {
  const judged = bench.executor.tools().map((tool) => [tool.name, tool.readOnly({}), tool.capability])
  expect(judged).toEqual([
    ['read', true, 'tool_read_file'],
    ['write', false, 'tool_edit_file'],
    ['edit', false, 'tool_edit_file'],
    ['bash', false, 'tool_run_command'],
    ['process', false, 'tool_run_command'],
    ['grep', true, 'tool_read_file'],
    ['glob', true, 'tool_read_file'],
    ['fetch', false, 'tool_fetch_url'],
    ['todo', true, 'tool_read_file'],
    ['ask', true, 'tool_read_file'],
  ])
})

it('bad arguments name the field, what is expected, and how the tool is used', async () => {
  expect(await bench.call('read', { path: 'a', offset: -1 })).toEqual({
    isError: true,
    text: 'bad arguments for read: offset: Too small: expected number to be >=1\nusage: read(path: string, offset?: integer, limit?: integer)',
    outputs: [],
  })
  expect((await bench.call('write', {})).text).toBe(
    'bad arguments for write: path: Invalid input: expected string, received undefined; content: Invalid input: expected string, received undefined\nusage: write(path: string, content: string)',
  )
})

it('numbers may come as text, and unknown fields are named', async () => {
  await bench.put('three', '1\n2\n3\n')
  const said = await bench.call('read', { path: 'three', offset: '2', limit: '1', mood: 'good' })
  expect(said.text).toBe(
    '2\t2\n[lines 2-2; use offset=3 to go on]\n[ignored, because read has no such argument: mood; usage: read(path: string, offset?: integer, limit?: integer)]',
  )
  expect((await bench.call('bash', { command: 'echo hi', description: 'Says hi' })).text).toBe('hi')
})

it('an unknown tool is answered with the tools there are', async () => {
  expect(await bench.call('Read', {})).toEqual({
    isError: true,
    text: `there is no tool Read; the tools are: ${names.join(', ')}`,
    outputs: [],
  })
})
