import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ResultJournal } from '../../src/json/result-journal.ts'
import { folderWith } from '../support/folders/folder.ts'
import { thrown } from '../support/thrown.ts'

const { signal } = new AbortController()

async function openJournal() {
  const path = join(await folderWith(), 'journal')
  const journal = await ResultJournal.open(path, 'me', signal)
  journal.add({ index: 1, hash: 'a' }, { result: 'one' })
  journal.add({ index: 3, hash: 'c' }, { result: 'three\n€' })
  journal.close()
  return path
}

describe('a journal of results', () => {
  it('finds a result by the place and the content of its record', async () => {
    const journal = await ResultJournal.open(await openJournal(), 'me', signal)
    expect(journal.find({ index: 1, hash: 'a' })).toEqual({ result: 'one' })
    expect(journal.find({ index: 3, hash: 'c' })).toEqual({ result: 'three\n€' })
    expect(journal.find({ index: 3, hash: 'a' })).toBeUndefined()
    expect(journal.find({ index: 2, hash: 'b' })).toBeUndefined()
    journal.close()
  })

  it('keeps what it knows of a place when another record comes there', async () => {
    const path = await openJournal()
    const journal = await ResultJournal.open(path, 'me', signal)
    journal.add({ index: 1, hash: 'b' }, { result: 'other' })
    journal.close()
    const again = await ResultJournal.open(path, 'me', signal)
    expect(again.find({ index: 1, hash: 'a' })).toEqual({ result: 'one' })
    expect(again.find({ index: 1, hash: 'b' })).toEqual({ result: 'other' })
    again.close()
  })

  it('cuts off a torn last line, wherever it was torn, and goes on', async () => {
    const path = await openJournal()
    const whole = await readFile(path)
    for (let length = whole.length - 1; length >= 0; length -= 7) {
      await writeFile(path, whole.subarray(0, length))
      const journal = await ResultJournal.open(path, 'me', signal)
      journal.add({ index: 3, hash: 'c' }, { result: 'again' })
      journal.close()
      const again = await ResultJournal.open(path, 'me', signal)
      expect(again.find({ index: 3, hash: 'c' })).toEqual({ result: 'again' })
      again.close()
      await truncate(path, 0)
    }
  })

  it('skips damage inside, whose record is asked for again', async () => {
    const path = await openJournal()
    await appendFile(path, '{"index":4,"ha\0sh\n')
    const journal = await ResultJournal.open(path, 'me', signal)
    expect(journal.find({ index: 1, hash: 'a' })).toEqual({ result: 'one' })
    expect(journal.find({ index: 4, hash: 'd' })).toBeUndefined()
    journal.close()
  })

  it('is no device', async () => {
    expect(await thrown(() => ResultJournal.open('/dev/zero', 'me', signal))).toMatchObject({ code: 'input' })
  })

  it.each([
    ['notes', 'is no journal'],
    ['notes\n', 'is no journal'],
    ['{"type":"journal","version":2,"about":"me"}\n', 'of another version'],
    ['{"type":"journal","version":1,"about":"you"}\n', 'of another prompt'],
  ])('leaves the file %j as it is', async (content, reason) => {
    const path = join(await folderWith({ journal: content }), 'journal')
    expect(await thrown(() => ResultJournal.open(path, 'me', signal))).toMatchObject({
      code: 'input',
      message: expect.stringContaining(reason),
    })
    expect(await readFile(path, 'utf8')).toBe(content)
  })
})
