import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { SessionSummary } from '../../../src/session.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { text, timestamp, user } from '../../support/messages/messages.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'
import { append, openStore, save, signal } from '../folder.ts'
import { sessionId } from '../session-id.ts'

async function list(directory: string, cwd?: string): Promise<readonly SessionSummary[]> {
  const found = []
  const options = cwd === undefined ? { signal } : { signal, cwd }
  for await (const { size, ...summary } of openStore(directory).list(options)) {
    expect(size).toBe((await stat(join(directory, `${summary.id}.json`))).size)
    found.push(summary)
  }
  return found
}

const summary = (id: string, opening: string) => ({
  id,
  createdAt: timestamp,
  updatedAt: timestamp,
  cwd: '/home/ada',
  opening,
})

describe('a list of sessions', () => {
  it('is empty without a folder', async () => {
    expect(await list(join(await folderWith(), 'nowhere'))).toStrictEqual([])
  })

  it('begins with the file written last', async () => {
    const folder = await folderWith()
    for (const [i, id] of ['a', 'b', 'c'].entries()) {
      const path = await save(folder, [user(text(`I am ${id}`))], sessionId(id))
      await utimes(path, 1000 + i, 1000 + i)
    }
    await append(folder, user(text('more')), sessionId('b'))
    expect(await list(folder)).toStrictEqual([
      summary('b', 'I am b'),
      summary('c', 'I am c'),
      summary('a', 'I am a'),
    ])
  })

  it('includes damaged files and other layouts, and reports why a file cannot be read', async () => {
    const folder = await folderWith()
    const path = await save(folder, [user(text('whole'))], sessionId('whole'))
    const bytes = await readFile(path, 'utf8')
    await writeFile(join(folder, 'torn.json'), bytes.slice(0, -20))
    await writeFile(join(folder, 'pretty.json'), JSON.stringify(JSON.parse(bytes), null, 2))
    await writeFile(join(folder, 'newer.json'), bytes.replace('"version": 1', '"version": 2'))
    await writeFile(join(folder, 'other.json'), '{"name": "package"}')
    await writeFile(join(folder, 'notes.txt'), 'no session')
    await mkdir(join(folder, 'folder.json'))
    await writeFile(join(folder, 'nothing.json'), '')
    await writeFile(join(folder, 'nul.json'), Buffer.alloc(500))
    const pathOf = (name: string) => join(folder, `${name}.json`)
    const damaged = (name: string) =>
      `cannot read ${pathOf(name)}: it is not a session, or completely damaged`
    const found = await list(folder)
    expect(found.map(({ id, cwd, opening, fault }) => [id, cwd, opening, fault]).sort()).toStrictEqual([
      [
        'newer',
        '/home/ada',
        'whole',
        `cannot read ${pathOf('newer')}: it has version 2, newer than 1, the latest that this pipe reads; it was left unchanged. Update pipe to read it`,
      ],
      [
        'nothing',
        undefined,
        undefined,
        `the beginning of ${pathOf('nothing')} is lost; pipe -r nothing continues with the rest`,
      ],
      ['nul', undefined, undefined, damaged('nul')],
      ['other', undefined, undefined, damaged('other')],
      ['pretty', '/home/ada', 'whole', undefined],
      ['torn', '/home/ada', 'whole', undefined],
      ['whole', '/home/ada', 'whole', undefined],
    ])
    const ofFolder = await list(folder, '/home/ada')
    expect(ofFolder.map(({ id }) => id).sort()).toStrictEqual(['pretty', 'torn', 'whole'])
  })

  it('finds the opening after a long context, and the state after many messages', async () => {
    const folder = await folderWith()
    const context = { ...user(text('x'.repeat(60_000)), text('the question')), metadata: { context: '1' } }
    const id = sessionId('long')
    const session = { id, systemPrompt: 'y'.repeat(20_000), createdAt: timestamp, cwd: '/home/ada' }
    const log = await openStore(folder).create(session, { signal })
    await log.append(context, { title: 'Löwen' })
    for (let i = 0; i < 10; i++) await log.append(user(text('z'.repeat(100_000))))
    await log.close()
    expect(await list(folder)).toStrictEqual([{ ...summary('long', 'the question'), title: 'Löwen' }])
  })

  it('names the git branch on which the first run began, if its manifest does', async () => {
    const folder = await folderWith()
    const begun = (manifest: string) => [{ ...user(text('hello')), metadata: { manifest } }]
    await save(folder, begun('{"git_branch":"fix/lock"}'), sessionId('known'))
    await save(folder, begun('{"git_branch":7}'), sessionId('odd'))
    await save(folder, begun('no JSON'), sessionId('damaged'))
    const found = (await list(folder)).map(({ id, gitBranch }) => [id, gitBranch]).sort()
    expect(found).toStrictEqual([
      ['damaged', undefined],
      ['known', 'fix/lock'],
      ['odd', undefined],
    ])
  })

  slowIt('SESS-332: of thousands is read on demand, newest first', async () => {
    const folder = await folderWith()
    const bytes = await readFile(await save(await folderWith(), [user(text('hello'))]), 'utf8')
    const files = Array.from({ length: 2000 }, (_, i) => join(folder, `s${String(i).padStart(4, '0')}.json`))
    await Promise.all(files.map((path) => writeFile(path, bytes)))
    await Promise.all(files.map((path, i) => utimes(path, 1000 + i, 1000 + i)))
    const all = await list(folder)
    expect(all.map(({ id }) => id)).toStrictEqual(
      files.map((_, i) => `s${String(1999 - i).padStart(4, '0')}`),
    )
  })
})
