import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CommandLog } from '../../../src/builtin/command/command-log.ts'
import { PipeError } from '../../../src/error.ts'
import { openSpill } from '../../../src/files/spill.ts'
import { folderWith } from '../../support/folder.ts'

const out = (text: string | Uint8Array) => ({ stream: 'stdout', chunk: Buffer.from(text) }) as const
const err = (text: string) => ({ stream: 'stderr', chunk: Buffer.from(text) }) as const
const noSpill = () => Promise.reject(new PipeError('internal', 'cannot write here: the disk is full'))

it('gives what came since it was last asked, both streams as they came', async () => {
  const log = new CommandLog(noSpill)
  await log.push(out('one\n'))
  await log.push(err('two\n'))
  expect([log.unread, log.take(), log.unread]).toEqual([8, { text: 'one\ntwo', bytes: 8 }, 0])
  expect(log.take()).toEqual({ text: '', bytes: 0 })
  await log.push(out('three'))
  await log.close()
  expect(log.take()).toEqual({ text: 'three', bytes: 5 })
})

it('keeps half a character for the next time, and shows at the end that it was half', async () => {
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

it('has all of it in one file, although it is read in parts', async () => {
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

it('goes on where the file cannot be written, and says so where a part is missing', async () => {
  const log = new CommandLog(noSpill)
  for (let i = 0; i < 3; i++) await log.push(out('line\n'.repeat(1_000)))
  await log.close()
  const { text, ...rest } = log.take()
  expect(text.split('\n')).toHaveLength(2_001)
  expect(text).toMatch(/\n\[… 1000 lines left out of 15000 bytes; cannot write here: the disk is full …\]\n/)
  expect(rest).toEqual({ bytes: 15_000 })
})
