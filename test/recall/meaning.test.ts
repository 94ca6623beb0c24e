import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import type { RecallResult } from '../../src/memory/recall.ts'
import type { Embedder } from '../../src/memory/vector-store.ts'
import type { Message } from '../../src/message.ts'
import { append, save, signal } from '../json/folder.ts'
import { sessionId } from '../json/session-id.ts'
import { assistant, call, text, toolResult, user } from '../support/messages/messages.ts'
import { vectorOf } from '../support/models/embedding-server.ts'
import { openVectors } from '../vectors/folder.ts'
import { openFolder } from './folder.ts'

const meanings = [
  ['car', 'automobile', 'vehicle'],
  ['bread', 'baguette', 'loaf'],
  ['rain', 'drizzle'],
]

/** An embedder in memory that knows these meanings, and what it was asked. */
function scripted(model = 'it/small') {
  const texts: string[] = []
  const script = { failure: undefined as PipeError | undefined, padding: 0 }
  const embedder: Embedder = {
    model,
    embed: async (given) => {
      if (script.failure !== undefined) throw script.failure
      texts.push(...given)
      return given.map((one) => {
        const values = vectorOf(one, meanings)
        return Float32Array.from([...values, ...Array.from({ length: script.padding }, () => 0)])
      })
    },
  }
  const taken = () => texts.splice(0)
  return { embedder, script, taken }
}

async function open() {
  const { embedder, script, taken } = scripted()
  const chosen = { embedder }
  const folder = await openFolder(['hunter2hunter2'], async () => chosen.embedder)
  const said = (id: string, ...words: string[]) =>
    save(
      folder.sessions,
      words.map((word) => user(text(word))),
      sessionId(id),
    )
  return { ...folder, script, taken, chosen, said }
}

const ids = ({ sessions }: RecallResult) => sessions.map(({ id }) => id)

describe('a search by meaning', () => {
  it('finds a session that has no word in common, and shows the beginning of its nearest message', async () => {
    const { sessions, search, said } = await open()
    const talk = [
      user(text('hello there')),
      assistant(text(`The automobile\n is  ${'quite '.repeat(60)}old.`), call('c1')),
      toolResult('c1', text('rain rain rain')),
    ]
    await save(sessions, talk, sessionId('cars'))
    await said('bakery', 'a baguette, please')
    const result = await search('vehicle')
    expect(result.ranking).toBe('words_and_meaning')
    expect(result.lack).toBeUndefined()
    expect(ids(result)).toEqual(['cars'])
    expect(result.sessions[0]?.excerpt).toEqual({
      messageId: talk[1]?.id,
      type: 'assistant',
      timestamp: talk[1]?.timestamp,
      text: expect.stringMatching(/^The automobile is quite .{200,220}quite…$/),
      matches: [],
    })
    // Output of tools is not embedded.
    expect(ids(await search('drizzle'))).toEqual([])
  })

  it('joins both rankings, and shows the words of a session that holds some', async () => {
    const { search, said } = await open()
    await said('words', 'loaf of the house')
    await said('meaning', 'a baguette')
    await said('both', 'loaf and bread')
    await said('neither', 'rain')
    const result = await search('loaf')
    expect(result.total).toBe(3)
    expect(new Set(ids(result))).toEqual(new Set(['words', 'both', 'meaning']))
    expect(ids(result).at(-1)).toBe('meaning')
    const { matches = [] } = result.sessions[0]?.excerpt ?? {}
    expect(matches).toHaveLength(1)
  })

  it('keeps to the folder, the age and the sessions that the query asks for', async () => {
    const { search, said } = await open()
    await said('one', 'my car')
    await said('other', 'her automobile')
    expect(ids(await search('vehicle', { cwd: '/elsewhere' }))).toEqual([])
    expect(ids(await search('vehicle', { cwd: '/home/ada', limit: 1 }))).toHaveLength(1)
    expect(ids(await search('vehicle', { since: Date.parse('2099-01-01') }))).toEqual([])
    expect(ids(await search('vehicle', { except: sessionId('one') }))).toEqual(['other'])
  })
})

describe('embedding', () => {
  it('sends each message once, redacted, in pieces, and nothing else', async () => {
    const { search, sessions, said, taken } = await open()
    await said('a', 'the password is hunter2hunter2', `${'long '.repeat(290)}\n\n${'tail '.repeat(2_000)}end`)
    await search('vehicle')
    const first = taken()
    expect(first[0]).toBe('the password is [redacted]')
    expect(first[1]).toBe('long '.repeat(290).trim())
    expect(Math.max(...first.map(({ length }) => length))).toBeLessThanOrEqual(1_500)
    expect(first.slice(1, -1).join(' ').length).toBeLessThan(6_100)
    expect(first.at(-2)).toMatch(/tail end$/)
    expect(first.at(-1)).toBe('vehicle')
    await search('vehicle')
    expect(taken()).toEqual(['vehicle'])
    await append(sessions, user(text('and a car')), sessionId('a'))
    expect(ids(await search('vehicle'))).toEqual(['a'])
    expect(taken()).toEqual(['and a car', 'vehicle'])
  })

  it('leaves the session that searches for later', async () => {
    const { search, said, taken } = await open()
    await said('running', 'my car')
    await said('other', 'bread')
    await search('vehicle', { except: sessionId('running') })
    expect(taken()).toEqual(['bread', 'vehicle'])
    await search('vehicle')
    expect(taken()).toEqual(['my car', 'vehicle'])
  })

  it('does a part of much work, the newest first, and goes on in the next search', async () => {
    const { search, recall, sessions, said, taken } = await open()
    const many = Array.from({ length: 1_100 }, (_, i) => `rain ${i}`)
    await said('many', ...many)
    const old = { ...user(text('a car')), timestamp: '2025-01-01T00:00:00Z' }
    await save(sessions, [old], sessionId('old'))
    const lines: string[] = []
    const query = { words: 'vehicle', limit: 5 }
    await recall.search(query, { signal, onProgress: (line) => lines.push(line) })
    await recall.close()
    expect(taken().length).toBeLessThan(1_100)
    expect(lines.at(-1)).toBe('the next searches embed what is left of 2 sessions')
    expect(lines[0]).toBe('embedded 64 texts of earlier sessions')
    await search('vehicle')
    const rest = taken()
    await search('vehicle')
    expect(taken()).toEqual(['vehicle'])
    expect(rest).toContain('a car')
    expect(rest).toContain('rain 1099')
  })

  it('goes on where a process was killed before it could note what it stored', async () => {
    const { search, index, said, taken } = await open()
    await said('a', 'my car')
    await search('vehicle')
    await said('b', 'automobile')
    const ledger = join(index, 'embedded.jsonl')
    const before = await readFile(ledger)
    await search('vehicle')
    taken()
    await writeFile(ledger, Buffer.concat([before, Buffer.from('\n{"id":"b","crea')]))
    expect(ids(await search('vehicle')).toSorted()).toEqual(['a', 'b'])
    expect(taken()).toEqual(['automobile', 'vehicle'])
    await search('vehicle')
    expect(taken()).toEqual(['vehicle'])
  })

  it('begins anew for another model, another size, and vectors that were lost', async () => {
    const { search, folder, index, said, script, taken, chosen } = await open()
    await said('a', 'my car')
    await search('vehicle')
    taken()
    const other = scripted('it/large')
    chosen.embedder = other.embedder
    expect(ids(await search('vehicle'))).toEqual(['a'])
    expect(other.taken()).toEqual(['my car', 'vehicle'])
    other.script.padding = 3
    expect(ids(await search('vehicle'))).toEqual(['a'])
    expect(other.taken()).toEqual(['vehicle', 'my car', 'vehicle'])
    await rm(join(folder, 'state'), { recursive: true })
    expect(ids(await search('vehicle'))).toEqual(['a'])
    expect(other.taken()).toEqual(['my car', 'vehicle'])
    await rm(join(index, 'embedded.jsonl'))
    expect(ids(await search('vehicle'))).toEqual(['a'])
    expect(other.taken()).toEqual(['my car', 'vehicle'])
    expect(script.padding).toBe(0)
  })

  it('replaces the vectors of a session that was rewritten', async () => {
    const { search, sessions, said } = await open()
    const path = await said('a', 'my car')
    expect(ids(await search('vehicle'))).toEqual(['a'])
    await rm(path)
    const again: Message[] = [user(text('bread')), user(text('and rain'))]
    await save(sessions, again, sessionId('a'))
    const bytes = await readFile(path, 'utf8')
    await writeFile(
      path,
      bytes.replace(/"created_at": ?"2026-02-18T12:00:00.000Z"/, (field) =>
        field.replace('12:00:00', '12:00:01'),
      ),
    )
    expect(ids(await search('vehicle'))).toEqual([])
    expect(ids(await search('loaf'))).toEqual(['a'])
  })

  it('hides its notes from other users', async () => {
    const { search, index, said } = await open()
    await said('a', 'my car')
    await search('vehicle')
    expect((await stat(join(index, 'embedded.jsonl'))).mode & 0o777).toBe(0o600)
  })
})

describe('a deleted session', () => {
  const stored = (folder: string) =>
    openVectors(folder).search(Float32Array.from([1, 0, 0, 0]), 99, { signal })

  it('loses its vectors, even if no model is set any more', async () => {
    const { search, folder, sessions, said, index, open: reopen } = await open()
    await said('a', 'my car')
    await said('b', 'bread')
    await search('vehicle')
    expect(await stored(folder)).toEqual(['a 0 0', 'b 0 0'])
    await rm(join(sessions, 'a.json'))
    const recall = reopen()
    await recall.forget([sessionId('a')], { signal })
    await recall.close()
    expect(await stored(folder)).toEqual(['b 0 0'])
    const texts = await Promise.all((await readdir(index)).map((name) => readFile(join(index, name), 'utf8')))
    expect(texts.join('')).not.toContain('my car')
  })

  it('loses them in the next search if nobody told', async () => {
    const { search, folder, sessions, said } = await open()
    await said('a', 'my car')
    await said('b', 'bread')
    await search('vehicle')
    await rm(join(sessions, 'a.json'))
    await utimes(sessions, 1_000, 1_000)
    expect(ids(await search('vehicle'))).toEqual([])
    expect(await stored(folder)).toEqual(['b 0 0'])
  })
})

describe('a search whose embedder fails', () => {
  it.each([
    ['when it is opened', new PipeError('auth', 'it needs a key')],
    ['when it is asked', undefined],
  ])('ranks by words alone and says why: %s', async (_, atOnce) => {
    const { embedder, script } = scripted()
    const { sessions, search } = await openFolder([], async () => {
      if (atOnce !== undefined) throw atOnce
      return embedder
    })
    script.failure = new PipeError('network', 'it is gone')
    await save(sessions, [user(text('my car'))])
    const reason = atOnce?.message ?? 'it is gone'
    const result = await search('car')
    expect([ids(result), result.ranking, result.lack]).toEqual([
      ['session-id'],
      'words',
      { isFailure: true, reason },
    ])
    script.failure = undefined
    if (atOnce === undefined) expect((await search('vehicle')).ranking).toBe('words_and_meaning')
  })

  it('ends if it was interrupted', async () => {
    const { search, said, script } = await open()
    await said('a', 'my car')
    script.failure = new PipeError('aborted', 'interrupted')
    await expect(search('car')).rejects.toMatchObject({ code: 'aborted' })
  })

  it('ranks by words alone if the vectors cannot be written', async () => {
    const { search, folder, said } = await open()
    await said('a', 'my car')
    await writeFile(join(folder, 'state'), '')
    const result = await search('car')
    expect([ids(result), result.lack?.isFailure]).toEqual([['a'], true])
    expect(result.lack?.reason).toContain(join(folder, 'state'))
  })
})
