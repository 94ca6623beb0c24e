import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'

type Loader = (folder: string, compiled: (file: string, script: Script) => void) => (name: string) => unknown
const loaderFile = fileURLToPath(new URL('../../bin/chunks.js', import.meta.url))
const createLoader: Loader & { cacheOf(file: string): string } = createRequire(import.meta.url)(loaderFile)

interface Beside {
  /** Default: the name that the loader reads. */
  readonly named?: (file: string) => string
  /** Changes the valid cache. */
  readonly changed?: (cache: Buffer) => Buffer
}

/** Creates a chunk and a code cache beside it. Returns their folder. */
function putChunk({ named = createLoader.cacheOf, changed = (cache) => cache }: Beside): string {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-chunks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.js')
  const source = '(function (exports) { exports.a = 1 })'
  writeFileSync(file, source)
  // Compiled without a name: V8 would find a script of this name in memory and skip the cache.
  writeFileSync(named(file), changed(new Script(source).createCachedData()))
  return folder
}

/** Loads the chunk, which must always work. Returns whether V8 rejected its cache; `undefined` if it was not read. */
function loadBeside(beside: Beside = {}): boolean | undefined {
  let rejected: boolean | undefined
  const load = createLoader(putChunk(beside), (_, script) => {
    rejected = script.cachedDataRejected
  })
  expect(load('a.js')).toEqual({ a: 1 })
  return rejected
}

describe('the loader', () => {
  it('reads the code cache that was made by this version of Node', () => {
    expect(loadBeside()).toBe(false)
  })

  it('reads no code cache of another version of Node, which V8 may accept and crash on', () => {
    const other = (file: string) => createLoader.cacheOf(file).replace(process.version, 'v20.19.6')
    expect(loadBeside({ named: other })).toBeUndefined()
    expect(loadBeside({ named: (file) => `${file}.cache` })).toBeUndefined()
  })

  it.each<[string, (cache: Buffer) => Buffer]>([
    ['that is cut', (cache) => cache.subarray(0, cache.length - 8)],
    ['that is empty', () => Buffer.alloc(0)],
    ['that is something else', () => Buffer.from('not a cache'.repeat(100))],
    ['of a longer source', () => new Script('(function (exports) { exports.a = 11111 })').createCachedData()],
  ])('compiles the source instead of a cache %s', (_, changed) => {
    expect(loadBeside({ changed })).toBe(true)
  })

  it('compiles the source if Node runs with other flags', () => {
    const program = `
      const load = require(${JSON.stringify(loaderFile)})(process.argv[1], (_, script) => console.log(script.cachedDataRejected))
      console.log(load('a.js').a)`
    const args = ['--no-opt', '-e', program, putChunk({})]
    expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout).toBe('true\n1\n')
  })
})
