import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CommandLog } from '../../../src/builtin/command/command-log.ts'
import { PipeError } from '../../../src/error.ts'
import { openSpill } from '../../../src/files/writing/spill.ts'
import { folderWith } from '../../support/folders/folder.ts'

const out = (text: string | Uint8Array) => ({ stream: 'stdout', chunk: Buffer.from(text) }) as const
const err = (text: string) => ({ stream: 'stderr', chunk: Buffer.from(text) }) as const
const noSpill = () => Promise.reject(new PipeError('internal', 'cannot write here: the disk is full'))

it('returns the output since the last call, with both streams in order', async () => {
  const log = new CommandLog(noSpill)
  await log.push(out('one\n'))
  await log.push(err('two\n'))
  expect([log.unread, log.take(), log.unread]).toEqual([8, { text: 'one\ntwo', bytes: 8 }, 0])
  expect(log.take()).toEqual({ text: '', bytes: 0 })
  await log.push(out('three'))
  await log.close()
  expect(log.take()).toEqual({ text: 'three', bytes: 5 })
})

it('holds half a character back, and shows at the end that it was half', async () => {
  const log = new CommandLog(noSpill)
  const [first = 0, ...rest] = Buffer.from('é')
  await log.push(out(Uint8Array.of(97, first)))
  expect(log.take().text).toBe('a')
  await log.push(out(Uint8Array.from(rest)))
  expect(log.take().text).toBe('é')
  await log.push(out(Uint8Array.of(first)))
  await log.close()
  await log.close()
  expect(log.take().text).toBe('\ufffd')
})

it('writes all output to one file, even if it is read in parts', async () => {
  const folder = join(await folderWith(), 'spill')
  const log = new CommandLog(() => openSpill(folder, 'bash'))
  const part = `${'x'.repeat(99)}\n`.repeat(300)
  await log.push(out(part))
  expect(log.take()).toEqual({ text: part.trimEnd(), bytes: 30_000 })
  await log.push(err(part))
  const { spill = '', ...taken } = log.take()
  expect(taken).toEqual({ text: part.trimEnd(), bytes: 30_000 })
  await log.close()
  expect(await readFile(spill, 'utf8')).toBe(part + part)
})

it('continues if the file cannot be written, and explains the missing part', async () => {
  const log = new CommandLog(noSpill)
  for (let i = 0; i < 3; i++) await log.push(out('line\n'.repeat(1_000)))
  await log.close()
  const { text, ...rest } = log.take()
  expect(text.split('\n')).toHaveLength(2_001)
  expect(text).toMatch(/\n\[… 1000 lines left out of 15000 bytes; cannot write here: the disk is full …\]\n/)
  expect(rest).toEqual({ bytes: 15_000, lines: 3_000 })
})

it('keeps the last state of a progress bar that is cut, as a user would see it', async () => {
  const log = new CommandLog(noSpill)
  const states = Array.from({ length: 40_000 }, (_, i) => `\rstep ${String(i).padStart(5, '0')} of 39999`)
  await log.push(out('begin\n'))
  for (const state of states) await log.push(out(state))
  await log.push(out('\ndone\n'))
  const { text } = log.take()
  expect(text).toMatch(/^begin\n\n?\[… .*left out of 800012 bytes.* …\]\nstep 39999 of 39999\ndone$/)
})

it('keeps the last state of a progress bar that is still running', async () => {
  const log = new CommandLog(noSpill)
  for (let i = 0; i < 40_000; i++) await log.push(out(`\r${i} of 40000 done`))
  expect(log.take().text).toMatch(/^\n?\[… a part left out of .* …\]\n39999 of 40000 done$/)
})

it('keeps nothing of a cut line without a progress bar, and CRLF ends it', async () => {
  const log = new CommandLog(noSpill)
  await log.push(out('x'.repeat(100_000)))
  await log.push(out('y'.repeat(400_000)))
  await log.push(out('\r\nlast\r\n'))
  expect(log.take().text).toMatch(/ …\]\nlast$/)
})
