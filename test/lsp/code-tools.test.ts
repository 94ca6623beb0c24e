import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { createCodeTools } from '../../src/lsp/code-tools.ts'
import { drainRun, toolContext } from '../support/conversations/tool-run.ts'
import { scriptedLanguage, watchedFolder } from '../support/lsp/language-pool.ts'

async function tools(oddity = 'pull') {
  const { folder, pool } = await watchedFolder([scriptedLanguage(oddity)], {
    files: { 'a.odd': 'use(thing)\n  thing()\nthings thing\n', 'b.txt': 'text' },
  })
  const executor = createCodeTools({
    open: async () => pool,
    cwd: folder,
    show: (path) => path.replace(`${folder}/`, ''),
    readText: (path) => readFile(path, 'utf8').catch(() => undefined),
    clean: (text) => text,
    mayRead: (path) => !path.startsWith('/hidden'),
  })
  return async (name: string, args: Readonly<Record<string, string | number>>) => {
    const { result } = await drainRun(executor.execute(name, { ...args }, toolContext()))
    const [block] = result.content
    const text = block?.type === 'text' ? block.text : ''
    return result.isError ? `error: ${text}` : text
  }
}

describe('symbols', () => {
  it('lists what a file defines, by levels', async () => {
    const run = await tools()
    expect(await run('symbols', { path: 'a.odd' })).toBe('a.odd:1: class Outer\na.odd:2:   method inner')
  })

  it('finds definitions in the project', async () => {
    const run = await tools()
    expect(await run('symbols', { path: 'a.odd', query: 'find' })).toBe('a.odd:3: function find in mod')
  })
})

describe('references', () => {
  it('finds the uses of a name as a whole word, with their lines, and none in files that the model may not see', async () => {
    const run = await tools()
    expect(await run('references', { path: 'a.odd', line: 2, name: 'thing' })).toBe(
      'a.odd:2: thing()\na.odd:3: things thing',
    )
    expect(await run('references', { path: 'a.odd', line: 3, name: 'thing' })).toBe(
      'a.odd:3: things thing\na.odd:8: ',
    )
  })

  it('says where a name does not stand', async () => {
    const run = await tools()
    expect(await run('references', { path: 'a.odd', line: 1, name: 'other' })).toBe(
      'error: other does not stand in line 1 of a.odd',
    )
    expect(await run('references', { path: 'a.odd', name: 'use' })).toContain(
      'error: use does not stand in line',
    )
  })
})

describe('both', () => {
  it('say what to do where no server helps', async () => {
    const run = await tools()
    expect(await run('symbols', { path: 'b.txt' })).toBe(
      'error: no language server is there for b.txt; use grep',
    )
    expect(await run('symbols', { path: 'gone.odd' })).toBe(
      'error: gone.odd is no file of text; use glob to find one',
    )
    expect(await run('symbols', {})).toBe('error: path is missing: name a file')
    const broken = await tools('die')
    expect(await broken('symbols', { path: 'a.odd' })).toBe(
      'error: it exited with code 3: out of luck; use grep',
    )
  })
})
