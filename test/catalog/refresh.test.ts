import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'
import { serve } from '../support/servers/web-server.ts'

const script = join(import.meta.dirname, '../../scripts/refresh-catalog.js')
const shipped = join(import.meta.dirname, '../../src/catalog/models.json')
const run = promisify(execFile)

/** Starts a server that answers all requests with this and returns its address. */
async function answering(status: number, body: string): Promise<string> {
  const { url } = await serve((_, response) => response.writeHead(status).end(body))
  return `${url}/api.json`
}

async function refresh(file: string, source: object) {
  const url = await answering(200, JSON.stringify(source))
  const { stdout } = await run(process.execPath, [script, url, file])
  return { url, lines: stdout.trimEnd().split('\n'), text: await readFile(file, 'utf8') }
}

const before = {
  date: '2026-01-01',
  sources: ['https://example.org'],
  models: {
    gemini: {
      b: {
        context_window: 10,
        documents: true,
        thinking: { type: 'effort', levels: ['low'] },
        price: { input: 1, output: 2, cache_read: 0.1 },
        note: 'mine',
      },
      gone: { images: true },
      a: { context_window: 20, tools: true },
    },
    openrouter: { 'x/y': { context_window: 5 } },
  },
}

const text = { input: ['text'], output: ['text'] }
const source = {
  google: {
    models: {
      a: {
        id: 'a',
        tool_call: true,
        limit: { context: 20, output: 20 },
        modalities: text,
        status: 'deprecated',
      },
      b: {
        id: 'b',
        reasoning: true,
        reasoning_options: [{ type: 'effort', values: ['none', 'high'] }],
        tool_call: true,
        limit: { context: 30, output: 5 },
        modalities: { input: ['text', 'image'], output: ['text'] },
        cost: { input: 3, output: 4, tiers: [{ tier: { size: 7 }, input: 6, output: 8, cache_read: 0.6 }] },
      },
      new: {
        id: 'new',
        reasoning: true,
        reasoning_options: [{ type: 'toggle' }, { type: 'budget_tokens', min: 1, max: 9 }],
        tool_call: { supported: true },
        limit: { context: 40, output: 8 },
        modalities: { input: ['text', 'pdf'], output: ['text'] },
        cost: { input: 0, output: 0 },
      },
      effort: {
        id: 'effort',
        reasoning: true,
        reasoning_options: [{ type: 'effort', values: ['none', 'low', 'max'] }],
        tool_call: true,
        modalities: text,
        cost: { input: 1, output: 2, cache_write: 3, context_over_200k: { input: 4, output: 5 } },
      },
      painter: { id: 'painter', tool_call: true, modalities: { input: ['text'], output: ['text', 'image'] } },
      talker: { id: 'talker', tool_call: false, modalities: text },
      old: { id: 'old', tool_call: true, modalities: text, status: 'deprecated' },
    },
  },
  openrouter: {
    models: {
      'x/y': { id: 'x/y', limit: { context: 6 }, modalities: text, tool_call: true },
      'x/new': { id: 'x/new', modalities: text, tool_call: true },
    },
  },
}

it('replaces facts with those of the source and changes nothing else', async () => {
  const folder = await folderWith({ 'models.json': JSON.stringify(before) })
  const { url, lines, text } = await refresh(join(folder, 'models.json'), source)
  const { date, ...rest } = JSON.parse(text)
  expect(date).toMatch(/^20\d\d-\d\d-\d\d$/)
  expect(rest).toEqual({
    sources: [url, 'https://example.org'],
    models: {
      gemini: {
        b: {
          context_window: 30,
          max_output: 5,
          images: true,
          documents: true,
          tools: true,
          thinking: { type: 'effort', levels: ['low'] },
          price: {
            input: 3,
            output: 4,
            cache_read: 0.1,
            long: { above: 7, input: 6, output: 8, cache_read: 0.6 },
          },
          note: 'mine',
        },
        gone: { images: true },
        a: { context_window: 20, images: false, tools: true },
        new: {
          context_window: 40,
          max_output: 8,
          images: false,
          documents: true,
          tools: true,
          thinking: { type: 'budget', min: 1, max: 9, optional: true },
        },
        effort: {
          images: false,
          tools: true,
          thinking: { type: 'effort', levels: ['off', 'low'] },
          price: { input: 1, output: 2, cache_write: 3, long: { above: 200_000, input: 4, output: 5 } },
        },
      },
      openrouter: { 'x/y': { context_window: 6, images: false, tools: true } },
    },
  })
  expect(Object.keys(rest.models.gemini)).toEqual(['b', 'gone', 'a', 'new', 'effort'])
  expect(lines.filter((line) => /gemini|changes/.test(line))).toEqual([
    '~ gemini/b context_window: 10 -> 30',
    '~ gemini/b max_output: undefined -> 5',
    '~ gemini/b images: undefined -> true',
    '~ gemini/b tools: undefined -> true',
    '~ gemini/b price: {"input":1,"output":2,"cache_read":0.1} -> {"input":3,"output":4,"cache_read":0.1,"long":{"above":7,"input":6,"output":8,"cache_read":0.6}}',
    '? gemini/gone: the source does not know it',
    '~ gemini/a images: undefined -> false',
    '? gemini/a: deprecated',
    expect.stringMatching(/^\+ gemini\/new \{"context_window":40,/),
    expect.stringMatching(/^\+ gemini\/effort \{"images":false,/),
    '11 changes',
  ])
  expect(lines).toContain('? anthropic: the source does not know it')
})

it('formats the program’s own file as the script does', async () => {
  const folder = await folderWith({ 'models.json': await readFile(shipped) })
  const { url, lines, text } = await refresh(join(folder, 'models.json'), {})
  expect(lines.at(-1)).toBe('0 changes')
  const plain = (text: string) => text.replace(/"date": "[^"]*"/, '').replace(`    "${url}",\n`, '')
  expect(plain(text)).toBe(plain(await readFile(shipped, 'utf8')))
})

it.each([
  [500, 'down', 'answered with status 500'],
  [200, '<html>', 'is not valid JSON'],
])('leaves the file unchanged after an invalid answer: %i %s', async (status, body, words) => {
  const folder = await folderWith({ 'models.json': 'mine' })
  const file = join(folder, 'models.json')
  const url = await answering(status, body)
  await expect(run(process.execPath, [script, url, file])).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(words),
  })
  expect(await readFile(file, 'utf8')).toBe('mine')
})
