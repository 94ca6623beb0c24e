import { appendFile, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import { ResultJournal } from '../../src/json/result-journal.ts'
import { folderWith } from '../support/folders/folder.ts'
import { thrown } from '../support/thrown.ts'

const { signal } = new AbortController()
const holder = { pid: process.pid, host: 'here', clock: systemClock, signal }

async function openJournal() {
  const path = join(await folderWith(), 'journal')
  const journal = await ResultJournal.open(path, 'me', holder)
  journal.add({ index: 1, hash: 'a' }, { result: 'one' })
  journal.add({ index: 3, hash: 'c' }, { result: 'three\n€' })
  journal.close()
  return path
}

describe('a journal of results', () => {
  it('finds a result by the place and the content of its record', async () => {
    const journal = await ResultJournal.open(await openJournal(), 'me', holder)
    expect(journal.find({ index: 1, hash: 'a' })).toEqual({ result: 'one' })
    expect(journal.find({ index: 3, hash: 'c' })).toEqual({ result: 'three\n€' })
    expect(journal.find({ index: 3, hash: 'a' })).toBeUndefined()
    expect(journal.find({ index: 2, hash: 'b' })).toBeUndefined()
    journal.close()
  })

  it('keeps what it knows of a place when another record comes there', async () => {
    const path = await openJournal()
    const journal = await ResultJournal.open(path, 'me', holder)
    journal.add({ index: 1, hash: 'b' }, { result: 'other' })
    journal.close()
    const again = await ResultJournal.open(path, 'me', holder)
    expect(again.find({ index: 1, hash: 'a' })).toEqual({ result: 'one' })
    expect(again.find({ index: 1, hash: 'b' })).toEqual({ result: 'other' })
    again.close()
  })

  it('cuts off a torn last line, wherever it was torn, and goes on', async () => {
    const path = await openJournal()
    const whole = await readFile(path)
    for (let length = whole.length - 1; length >= 0; length -= 7) {
      await writeFile(path, whole.subarray(0, length))
      const journal = await ResultJournal.open(path, 'me', holder)
      journal.add({ index: 3, hash: 'c' }, { result: 'again' })
      journal.close()
      const again = await ResultJournal.open(path, 'me', holder)
      expect(again.find({ index: 3, hash: 'c' })).toEqual({ result: 'again' })
      again.close()
      await truncate(path, 0)
    }
  })

  it('skips damage inside, whose record is asked for again', async () => {
    const path = await openJournal()
    await appendFile(path, '{"index":4,"ha\0sh\n')
    const journal = await ResultJournal.open(path, 'me', holder)
    expect(journal.find({ index: 1, hash: 'a' })).toEqual({ result: 'one' })
    expect(journal.find({ index: 4, hash: 'd' })).toBeUndefined()
    journal.close()
  })

  it('is kept from others, by all its names, until it is closed', async () => {
    const path = await openJournal()
    await symlink(path, `${path}-link`)
    const journal = await ResultJournal.open(path, 'me', holder)
    for (const name of [path, `${path}-link`])
      expect(await thrown(() => ResultJournal.open(name, 'me', holder))).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`${name} is in use by process ${process.pid} on here`),
      })
    journal.close()
    const again = await ResultJournal.open(`${path}-link`, 'me', holder)
    again.close()
    expect((await readdir(dirname(path))).sort()).toEqual(['journal', 'journal-link'])
  })

  it('is not written to once another process has taken it over', async () => {
    const path = await openJournal()
    const journal = await ResultJournal.open(path, 'me', holder)
    await rm(`${path}.lock`)
    const other = await ResultJournal.open(path, 'me', { ...holder, pid: 1 })
    expect(await thrown(async () => journal.add({ index: 9, hash: 'z' }, {}))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('was taken over by process 1'),
    })
    journal.close()
    other.close()
  })

  it('is no device', async () => {
    expect(await thrown(() => ResultJournal.open('/dev/zero', 'me', holder))).toMatchObject({ code: 'input' })
  })

  it.each([
    ['notes', 'is not a journal'],
    ['notes\n', 'is not a journal'],
    ['{"type":"journal","version":2,"about":"me"}\n', 'of another version'],
    ['{"type":"journal","version":1,"about":"you"}\n', 'of another prompt'],
  ])('leaves the file %j as it is', async (content, reason) => {
    const path = join(await folderWith({ journal: content }), 'journal')
    expect(await thrown(() => ResultJournal.open(path, 'me', holder))).toMatchObject({
      code: 'input',
      message: expect.stringContaining(reason),
    })
    expect(await readFile(path, 'utf8')).toBe(content)
  })
})
