import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { findDirectories } from '../../src/config/directories.ts'

const loaderFile = fileURLToPath(new URL('../../bin/chunks.js', import.meta.url))
interface Loader {
  signed(id: string, text: string): string
  cacheOf(file: string): string
}

const { signed, cacheOf }: Loader = createRequire(import.meta.url)(loaderFile)

/** Loads a program, and then keeps its code. Prints for each script whether V8 rejected its cache; `undefined` without one. */
const run = `
  const load = require(${JSON.stringify(loaderFile)})(process.argv[2], (file, script) =>
    console.log(require('path').basename(file), script.cachedDataRejected))
  console.log(load('start-part').value)
  if (process.argv[3] === 'keep') load.keep()`

let home = ''

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pipe-kept-'))
  writeFileSync(join(home, 'run.cjs'), run)
  return () => {
    chmodSync(home, 0o700)
    rmSync(home, { recursive: true, force: true })
  }
})

/** Creates a program of one chunk, large enough to be kept. Returns its folder. */
function program(id = '0123456789abcdef'): string {
  const folder = mkdtempSync(join(home, 'program-'))
  const filler = Array.from({ length: 4_000 }, (_, i) => `function unused${i}() { return ${i} }`).join('\n')
  const text = `(function (exports) { ${filler}\nexports.chunks = { 'start-part': () => ({ value: 42 }) } })`
  writeFileSync(join(folder, 'start.js'), signed(id, text))
  return folder
}

interface Run {
  readonly flags?: readonly string[]
  readonly keep?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** Variables beside `env`. */
  readonly more?: Readonly<Record<string, string>>
}

/** Runs a program, which must work, and returns the state of its cache: `undefined`, `false` if V8 took it, or `true`. */
function runOf(
  folder: string,
  { flags = [], keep = true, env = { PIPE_HOME: join(home, 'pipe') }, more = {} }: Run = {},
) {
  const args = [...flags, join(home, 'run.cjs'), folder, keep ? 'keep' : '']
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...env, ...more } })
  expect(stderr).toBe('')
  const [first, value] = stdout.trim().split('\n')
  expect(value).toBe('42')
  return first?.replace('start.js ', '')
}

/** The file that was kept: the one of a Node without flags, unless `flags` says otherwise. */
function keptFile(flags: 'with' | 'without' = 'without'): string {
  const code = join(home, 'pipe', 'code')
  const [plain = '', flagged = ''] = readdirSync(code).sort((a, b) => a.length - b.length)
  return join(code, flags === 'with' ? flagged : plain, 'start.js')
}

/** Puts a cache beside a chunk as the build does. In a process of its own: others set flags of V8 in this one. */
function keepBeside(file: string): void {
  const make = `
    const { filename, cache } = JSON.parse(process.argv[1])
    const script = new (require('vm').Script)(require('fs').readFileSync(filename, 'latin1'), { filename })
    require('fs').writeFileSync(cache, script.createCachedData())`
  const { status } = spawnSync(process.execPath, [
    '-e',
    make,
    JSON.stringify({ filename: file, cache: cacheOf(file) }),
  ])
  expect(status).toBe(0)
}

describe('kept code', () => {
  it('is there from the second run on, for its owner alone', () => {
    const folder = program()
    expect([runOf(folder), runOf(folder), runOf(folder)]).toEqual(['undefined', 'false', 'false'])
    expect(statSync(keptFile()).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'pipe', 'code')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(keptFile(), '..'))).toEqual(['start.js'])
  })

  it('is kept only when the program says so', () => {
    const folder = program()
    expect([runOf(folder, { keep: false }), runOf(folder)]).toEqual(['undefined', 'undefined'])
  })

  it('is not that of another build', () => {
    runOf(program())
    expect(runOf(program('fedcba9876543210'))).toBe('undefined')
  })

  it.each<[string, (file: string) => void]>([
    ['damaged', (file) => changeByte(file, 400)],
    ['cut', (file) => writeFileSync(file, readFileSync(file).subarray(0, -100))],
    ['empty', (file) => writeFileSync(file, '')],
    ['writable for others', (file) => chmodSync(file, 0o622)],
    ['a link', (file) => moveAndLink(file)],
    ['a folder', (file) => rmSync(file, { force: true }) ?? mkdirSync(file)],
  ])('is not used if it is %s', (_, spoil) => {
    const folder = program()
    runOf(folder)
    spoil(keptFile())
    expect(runOf(folder, { keep: false })).toBe('undefined')
  })

  it.each<[string, Run]>([
    ['on the command line', { flags: ['--no-opt'] }],
    ['in NODE_OPTIONS', { more: { NODE_OPTIONS: '--stack-trace-limit=20' } }],
  ])('is that of the flags %s', (_, flagged) => {
    const folder = program()
    expect([runOf(folder, flagged), runOf(folder, flagged)]).toEqual(['undefined', 'false'])
    expect([runOf(folder), runOf(folder)]).toEqual(['undefined', 'false'])
    expect(runOf(folder, flagged)).toBe('false')
  })

  it('takes the place of what the build kept for a Node without flags', () => {
    const folder = program()
    const file = join(folder, 'start.js')
    keepBeside(file)
    const flagged = { flags: ['--no-opt'] }
    expect([runOf(folder), runOf(folder, flagged), runOf(folder, flagged)]).toEqual([
      'false',
      'undefined',
      'false',
    ])
  })

  it('is renewed once V8 rejects it', () => {
    const folder = program()
    runOf(folder)
    const kept = keptFile()
    runOf(folder, { flags: ['--no-opt'] })
    copyFileSync(keptFile('with'), kept)
    expect([runOf(folder), runOf(folder)]).toEqual(['true', 'false'])
  })

  it('is done without where nothing can be written', () => {
    writeFileSync(join(home, 'pipe'), 'a file')
    const folder = program()
    expect([runOf(folder), runOf(folder)]).toEqual(['undefined', 'undefined'])
    expect(runOf(folder, { env: { PIPE_HOME: 'relative' } })).toBe('undefined')
  })

  it('is removed once another build has replaced it for a month', () => {
    runOf(program())
    const old = join(keptFile(), '..')
    utimesSync(old, 0, 0)
    runOf(program('fedcba9876543210'))
    expect(readdirSync(join(home, 'pipe', 'code'))).toHaveLength(1)
    expect(keptFile()).toContain('fedcba9876543210')
  })

  it.each([
    { HOME: '/h' },
    { HOME: '/h', XDG_STATE_HOME: '/s' },
    { HOME: '/h', XDG_STATE_HOME: 'relative' },
    { HOME: '/h', XDG_STATE_HOME: '/s', PIPE_HOME: '/p' },
  ])('is beside the other state of pipe, where no call may write: %o', (env) => {
    const below = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, placed(value)]))
    runOf(program(), { env: below })
    const { sessions } = findDirectories(below, below['HOME'] ?? '')
    expect(readdirSync(join(sessions, '..'))).toContain('code')
  })
})

function placed(value: string): string {
  return value.startsWith('/') ? join(home, value) : value
}

function changeByte(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

function moveAndLink(file: string): void {
  const target = join(home, 'elsewhere')
  writeFileSync(target, readFileSync(file), { mode: 0o600 })
  rmSync(file)
  symlinkSync(target, file)
}
