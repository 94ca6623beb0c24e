import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'

type Loader = (folder: string, compiled: (file: string, script: Script) => void) => (name: string) => unknown
const createLoader: Loader & { cacheOf(file: string): string } = createRequire(import.meta.url)(
  '../../bin/chunks.js',
)

/** Loads a chunk that has a valid code cache under this name. Returns whether V8 rejected it, `undefined` if it was not read. */
function loadBeside(nameCache: (file: string) => string): boolean | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-chunks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.js')
  const source = '(function (exports) { exports.a = 1 })'
  writeFileSync(file, source)
  writeFileSync(nameCache(file), new Script(source, { filename: file }).createCachedData())
  let rejected: boolean | undefined
  const load = createLoader(folder, (_, script) => {
    rejected = script.cachedDataRejected
  })
  expect(load('a.js')).toEqual({ a: 1 })
  return rejected
}

it('reads the code cache that was made by this version of Node', () => {
  expect(loadBeside(createLoader.cacheOf)).toBe(false)
})

it('reads no code cache of another version of Node, which V8 may accept and crash on', () => {
  const other = (file: string) => createLoader.cacheOf(file).replace(process.version, 'v20.19.6')
  expect(loadBeside(other)).toBeUndefined()
  expect(loadBeside((file) => `${file}.cache`)).toBeUndefined()
})
