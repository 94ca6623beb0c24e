import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { needles, putManyFiles } from '../../support/folders/many-files.ts'
import { createToolbox, path, type Toolbox } from '../toolbox.ts'
import { searchers } from './searchers.ts'

describe('in a tree of 10,000 files', () => {
  let toolbox: Toolbox
  let paths: readonly string[]
  beforeAll(async () => {
    toolbox = await createToolbox()
    paths = putManyFiles(toolbox.cwd)
  })
  afterAll(() => toolbox.close())

  /** Returns the result of a call, line by line. */
  async function lines(name: string, args: Record<string, string>, by = toolbox): Promise<readonly string[]> {
    const { text } = await by.call(name, args)
    return text.split('\n')
  }

  for (const { name, ripgreps, missing } of searchers) {
    it.skipIf(missing)(`grep with ${name} finds the matching lines, at most a hundred`, async () => {
      const by = await createToolbox({ PATH: path }, { ripgreps, cwd: toolbox.cwd })
      onTestFinished(() => by.close())
      expect(await lines('grep', { pattern: 'needle' }, by)).toEqual(
        needles.map((one) => `${one}:2:a needle`),
      )
      expect(await lines('grep', { pattern: 'row', output: 'files' }, by)).toEqual([
        ...paths.slice(0, 100),
        '[there is more; narrow it with path, glob or type]',
      ])
    })
  }

  it('glob returns the newest hundred, and how many there are', async () => {
    const found = await lines('glob', { pattern: '**' })
    expect([found.length, found.slice(0, 3), found.at(-1)]).toEqual([
      101,
      needles,
      '[the 100 newest of 10001; narrow the pattern, or give a path]',
    ])
    const same = paths.filter((one) => one.endsWith('/e7/f3.ts'))
    expect([...(await lines('glob', { pattern: 'd*/e7/f3.ts' }))].sort()).toEqual(same)
  })

  it('read lists a folder up to the size of a result, and knows the nearest of thousands of names', async () => {
    const names = paths.flatMap((one) => (one.startsWith('flat/') ? one.slice('flat/'.length) : []))
    expect(await lines('read', { path: 'flat' })).toEqual(['flat is a folder:', ...names])
    expect(await lines('read', { path: 'flat/1234.tx' })).toEqual([
      'flat/1234.tx does not exist; did you mean flat/1234.txt, flat/0234.txt, flat/1034.txt?',
    ])
  })
})
