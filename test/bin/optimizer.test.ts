import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'

const bin = fileURLToPath(new URL('../../bin/', import.meta.url))
const { cacheOf }: { cacheOf(file: string): string } = createRequire(import.meta.url)(join(bin, 'chunks.js'))
/** Other releases have nothing to gain. */
const isCalmed = /^(20|22)\./.test(process.versions.node)

/** Runs a program in a Node of its own, whose V8 it may change, and returns the JSON that it prints. */
function inNode(program: string, ...args: string[]): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program, ...args], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

it('changes flags of V8 only while nothing reads a code cache', () => {
  const program = `
    const tag = require('v8').cachedDataVersionTag
    const before = tag()
    const optimizer = require(process.argv[1] + 'optimizer.js')()
    const during = optimizer ? optimizer.pause(tag) : before
    console.log(JSON.stringify({ calm: tag() !== before, paused: during !== before }))`
  expect(inNode(program, bin)).toEqual({ calm: isCalmed, paused: false })
})

it('changes nothing on a Node that it does not know', () => {
  const program = `
    const optimizer = require(process.argv[1] + 'optimizer.js')
    console.log(JSON.stringify(['18.0.0', '99.1.0'].map((version) => optimizer(version) === undefined)))`
  expect(inNode(program, bin)).toEqual([true, true])
})

it.runIf(isCalmed)('stays calm after something that fails', () => {
  const program = `
    const tag = require('v8').cachedDataVersionTag
    const optimizer = require(process.argv[1] + 'optimizer.js')()
    const calm = tag()
    let said
    try {
      optimizer.pause(() => { throw new Error('no chunk') })
    } catch (error) {
      said = error.message
    }
    console.log(JSON.stringify({ said, calm: tag() === calm }))`
  expect(inNode(program, bin)).toEqual({ said: 'no chunk', calm: true })
})

it('lets the loader read the code cache of a chunk that a settled run needs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-settled-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const source = '(function (exports, require) { exports.a = require("node:querystring").parse("a=1").a })'
  const file = join(folder, 'a.js')
  writeFileSync(file, source)
  writeFileSync(cacheOf(file), new Script(source).createCachedData())
  const program = `
    const rejected = []
    const load = require(process.argv[1] + 'chunks.js')(process.argv[2], (_, script) => rejected.push(script.cachedDataRejected))
    load.settle()
    load.settle()
    console.log(JSON.stringify({ ...load('a.js'), rejected }))`
  expect(inNode(program, bin, folder)).toEqual({ a: '1', rejected: [false] })
})
