import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { firstWords } from '../../src/history/title-text.ts'
import { append, openStore, save, signal } from '../json/folder.ts'
import { sessionId } from '../json/session-id.ts'
import {
  assistant,
  call,
  messageId,
  text,
  timestamp,
  toolResult,
  user,
} from '../support/messages/messages.ts'
import { quickIt as it, quickDescribe, slowIt } from '../support/thorough.ts'
import { openFolder } from './folder.ts'

/** Nothing but the words counts without a model for embeddings. */
const byWords = {
  ranking: 'words',
  lack: { isFailure: false, reason: 'no model for embeddings is set (routes.embedding)' },
}

quickDescribe('a search', () => {
  it('finds what was said, called and returned, with the part of the message that matches best', async () => {
    const { sessions, search } = await openFolder()
    const talk = [
      {
        ...user(text('<environment> kangaroo'), text('Why does the lock fail?')),
        metadata: { context: '1' },
      },
      assistant(text('I look at it.'), { ...call('c1'), arguments: { path: 'src/badger.ts' } }),
      toolResult(
        'c1',
        text(`${'filler '.repeat(40)}\nThe Wombat   Lock is\nstale${' filler'.repeat(400)} end`),
      ),
    ]
    await save(sessions, talk, sessionId('one'))
    await save(sessions, [user(text('Something else, locked away'))], sessionId('two'))
    const found = {
      id: 'one',
      createdAt: timestamp,
      updatedAt: '1970-01-01T00:00:00.000Z',
      cwd: '/home/ada',
      opening: 'Why does the lock fail?',
      size: 0,
    }
    const result = await search('wombat LOCK')
    expect({
      ...result,
      sessions: result.sessions.map((one) => ({ ...one, updatedAt: found.updatedAt, size: 0 })),
    }).toEqual({
      ...byWords,
      total: 2,
      sessions: [
        {
          ...found,
          excerpt: {
            messageId: messageId(3),
            type: 'tool_result',
            timestamp,
            text: expect.stringMatching(/^…filler (filler )+The Wombat Lock is stale filler .* filler…$/),
            matches: [
              [expect.any(Number), expect.any(Number)],
              [expect.any(Number), expect.any(Number)],
            ],
          },
        },
        expect.objectContaining({ id: 'two' }),
      ],
    })
    const { text: shown = '', matches = [] } = result.sessions[0]?.excerpt ?? {}
    expect(matches.map(([start, end]) => shown.slice(start, end))).toEqual(['Wombat', 'Lock'])
    expect((await search('badger')).sessions[0]?.excerpt?.type).toBe('assistant')
    expect((await search('end')).total).toBe(1)
    expect(await search('kangaroo')).toEqual({ ...byWords, sessions: [], total: 0 })
    expect(await search(' … !?')).toEqual({ sessions: [], total: 0, ranking: 'words' })
  })

  it('ranks sessions with more of the words first, and of two alike the newer one', async () => {
    const { sessions, find } = await openFolder()
    const said = (words: string, at = timestamp) => [{ ...user(text(words)), timestamp: at }]
    await save(sessions, said('lock lock lock lock'), sessionId('often'))
    await save(sessions, said('a flaky lock and more'), sessionId('both'))
    await save(sessions, said('a nice lock and more', '2025-01-01T00:00:00Z'), sessionId('old'))
    await save(sessions, said('a nice lock and more'), sessionId('new'))
    await save(sessions, said('nothing'), sessionId('none'))
    expect(await find('flaky lock')).toEqual(['both', 'often', 'new', 'old'])
    expect(await find('lock', { limit: 1 })).toEqual(['often'])
    const since = Date.parse('2026-01-01')
    const late = await find('lock', { since, except: sessionId('often') })
    expect(late.toSorted()).toEqual(['both', 'new'])
    expect(await find('lock', { cwd: '/elsewhere' })).toEqual([])
  })

  it('finds parts of names, beginnings of words, words with accents, and text without blanks', async () => {
    const { sessions, find } = await openFolder()
    await save(sessions, [user(text('createSessionStore and naïve compaction 数据库连接失败'))])
    for (const words of ['session', 'createsessionstore', 'NAIVE', 'compact', '连接失败', '库', '败']) {
      expect([words, await find(words)]).toEqual([words, ['session-id']])
    }
    expect(await find('essio')).toEqual([])
  })

  it('shows what is around a match in a text without blanks', async () => {
    const { sessions, search } = await openFolder()
    await save(sessions, [user(text(`${'/folder'.repeat(50)}/alpha/${'/folder'.repeat(50)}`))])
    await save(sessions, [user(text(`${'数据'.repeat(100)}连接失败${'数据'.repeat(200)}`))], sessionId('han'))
    const shown = async (words: string) => (await search(words)).sessions[0]?.excerpt?.text
    expect(await shown('alpha')).toMatch(/^….{55,59}\/alpha\/.{150,175}…$/)
    expect(await shown('连接失败')).toMatch(/^…[数据]{60}连接失败[数据]{176}…$/)
  })

  it('cuts no character in half', async () => {
    const { sessions, search } = await openFolder()
    for (const odd of ['', '-']) {
      // The end of what is indexed of the beginning is near the match.
      const said = `${odd}${'🙂'.repeat(3_990)} alpha ${'🙂'.repeat(9_000)}${odd}`
      await save(sessions, [user(text(said))], sessionId(`odd${odd}`))
    }
    const { sessions: found } = await search('alpha')
    const texts = found.map(({ excerpt }) => excerpt?.text)
    expect(texts).toEqual(texts.map(() => expect.stringMatching(/^….{29,}alpha.{6,}…$/u)))
    expect(texts.filter((one = '') => /\p{Surrogate}/u.test(one))).toEqual([])
  })

  it('follows a session that grows, that is rewritten and that is deleted', async () => {
    const { sessions, find, indexText } = await openFolder()
    const path = await save(sessions, [user(text('alpha'))])
    expect(await find('alpha')).toEqual(['session-id'])
    await append(sessions, user(text('beta')))
    expect([await find('alpha'), await find('beta')]).toEqual([['session-id'], ['session-id']])
    await rm(path)
    await save(sessions, [user(text('gamma')), user(text('delta')), user(text('epsilon'))])
    const bytes = await readFile(path, 'utf8')
    await writeFile(path, bytes.replace(timestamp, '2026-02-18T12:00:01.000Z'))
    expect([await find('alpha'), await find('beta'), await find('gamma')]).toEqual([[], [], ['session-id']])
    await rm(path)
    expect(await find('gamma')).toEqual([])
    expect(await indexText()).not.toMatch(/alpha|beta|gamma/)
  })

  it('sees what is written to an open session although the folder looks unchanged', async () => {
    const { sessions, find, index } = await openFolder()
    await save(sessions, [user(text('alpha'))], sessionId('closed'))
    const store = openStore(sessions)
    const session = { id: sessionId('open'), systemPrompt: '', createdAt: timestamp, cwd: '/home/ada' }
    const log = await store.create(session, { signal })
    await log.append(user(text('alpha')))
    await utimes(sessions, 1_000, 1_000)
    for (const _ of ['indexes', 'compares']) expect(await find('alpha')).toHaveLength(2)
    expect(existsSync(join(index, 'check'))).toBe(true)
    await log.append(user(text('beta')))
    expect(await find('beta')).toEqual(['open'])
    await log.close()
  })

  it('leaves the excluded session for the next search', async () => {
    const { sessions, find, indexText } = await openFolder()
    await save(sessions, [user(text('alpha'))], sessionId('closed'))
    const running = sessionId('running')
    const session = { id: running, systemPrompt: '', createdAt: timestamp, cwd: '/home/ada' }
    const log = await openStore(sessions).create(session, { signal })
    await log.append(user(text('alpha beta')))
    await utimes(sessions, 1_000, 1_000)
    for (const _ of ['indexes', 'compares'])
      expect(await find('alpha', { except: running })).toEqual(['closed'])
    expect(await indexText()).not.toContain('beta')
    expect(await find('beta')).toEqual(['running'])
    await log.close()
  })

  it('skips files that are no sessions and reads reformatted and torn ones', async () => {
    const { sessions, find } = await openFolder()
    const path = await save(sessions, [user(text('alpha')), user(text('beta'))])
    const bytes = await readFile(path, 'utf8')
    await writeFile(join(sessions, 'pretty.json'), JSON.stringify(JSON.parse(bytes), null, 2))
    await writeFile(join(sessions, 'torn.json'), bytes.slice(0, bytes.indexOf('beta')))
    await writeFile(join(sessions, 'other.json'), '{"name": "alpha"}')
    await writeFile(join(sessions, 'odd.json'), bytes.replaceAll('"content":[', '"content":["alpha",'))
    expect((await find('alpha')).toSorted()).toEqual(['odd', 'pretty', 'session-id', 'torn'])
    expect((await find('beta')).toSorted()).toEqual(['odd', 'pretty', 'session-id'])
  })
})

quickDescribe('a turn', () => {
  it('is in the index when it was added, and is read from there', async () => {
    const { sessions, find, recall, indexText } = await openFolder()
    const messages = [user(text('alpha')), assistant(text('beta'))]
    await save(sessions, messages)
    recall.add({
      id: sessionId(),
      cwd: '/home/ada',
      createdAt: timestamp,
      from: 0,
      messages: [user(text('omega')), ...messages.slice(1)],
    })
    expect(await indexText()).toMatch(/omega\\nbeta/)
    expect([await find('omega'), await find('beta')]).toEqual([['session-id'], ['session-id']])
  })

  it('of which an earlier part was lost is read from the session', async () => {
    const { sessions, find, recall } = await openFolder()
    await save(sessions, [user(text('alpha')), user(text('beta'))])
    recall.add({ id: sessionId(), createdAt: timestamp, from: 1, messages: [user(text('beta'))] })
    expect([await find('alpha'), await find('beta')]).toEqual([['session-id'], ['session-id']])
  })

  it('does not fail where nothing can be written', async () => {
    const { sessions, index, recall, search } = await openFolder()
    await save(sessions, [user(text('alpha'))])
    await writeFile(index, 'a file')
    recall.add({ id: sessionId(), createdAt: timestamp, from: 0, messages: [user(text('alpha'))] })
    await expect(search('alpha')).rejects.toMatchObject({ message: expect.stringContaining(index) })
  })
})

describe('the index', () => {
  it('holds no secret, nor half of one', async () => {
    const secret = 'my-own-value-of-a-variable'
    const key = `sk-ant-api03-${'Ab1'.repeat(30)}`
    const { sessions, find, indexText, search } = await openFolder([secret])
    const args = { command: `curl -u x:${secret}`, password: 'hunter2hunter2' }
    await save(sessions, [
      user(text(`the key ${key} and alpha`)),
      assistant({ ...call('c1', 'bash'), arguments: args }),
      toolResult('c1', text(`${'x '.repeat(495)}${secret} ${'y '.repeat(2000)}${key}`)),
    ])
    expect(await find('alpha')).toEqual(['session-id'])
    expect(await indexText()).not.toMatch(/hunter2|ab1ab1|own-value|"own"|variable/i)
    expect(await find('hunter2hunter2 variable')).toEqual([])
    expect((await search('alpha')).sessions[0]?.excerpt?.text).toBe('the key [redacted] and alpha')
  })

  it('shows no secret in a title or an opening, nor a part that was cut', async () => {
    const secret = 'my-own-value-of-a-variable-that-is-longer-than-a-title'
    const { sessions, search } = await openFolder([secret])
    const said = `alpha ${secret} ${'beta '.repeat(34)}${secret}`
    const first = { ...user(text('the environment'), text(said)), metadata: { context: '1' } }
    const named = async (id: string, title: string) => {
      const path = await save(sessions, [first], sessionId(id))
      const bytes = await readFile(path, 'utf8')
      await writeFile(path, bytes.replace('\n],\n', `\n],\n"title":${JSON.stringify(title)},\n`))
    }
    await named('chosen', `see ${secret}`)
    await named('made', firstWords(first, (all) => all) ?? '')
    const shown = (await search('alpha')).sessions.map(({ id, title, opening }) => ({ id, title, opening }))
    const opening = `alpha [redacted] ${'beta '.repeat(34)}[redacted]`
    expect(shown.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: 'chosen', title: 'see [redacted]', opening },
      { id: 'made', title: expect.stringMatching(/^alpha \[redacted\] (beta )+beta…$/), opening },
    ])
  })

  slowIt('takes part of a huge message', async () => {
    const { sessions, find, indexText } = await openFolder()
    await save(sessions, [user(text(`alpha ${'beta '.repeat(2_000_000)}omega`))])
    expect([await find('alpha'), await find('omega')]).toEqual([['session-id'], ['session-id']])
    expect((await indexText()).length).toBeLessThan(100_000)
  })

  it('is rebuilt when any of its files is cut, overwritten or missing', async () => {
    const { sessions, index, find, search } = await openFolder()
    for (let i = 0; i < 20; i++) await save(sessions, [user(text(`alpha word${i}`))], sessionId(`s${i}`))
    const whole = async () => {
      expect([await find('word7'), (await search('alpha')).total]).toEqual([['s7'], 20])
    }
    await utimes(sessions, 1_000, 1_000)
    for (const _ of ['indexes', 'compares']) await whole()
    const names = await readdir(index)
    expect(names.toSorted()).toEqual(['1.segment', 'check', 'journal.jsonl', 'manifest.json'])
    for (const name of names) {
      const path = join(index, name)
      const bytes = await readFile(path)
      for (const length of [0, 1, Math.floor(bytes.length / 2), bytes.length - 1]) {
        if (!existsSync(path)) continue
        await truncate(path, Math.max(0, length))
        await whole()
      }
      await writeFile(path, Buffer.from(bytes).fill('x', Math.floor(bytes.length / 3)))
      await whole()
      await rm(path)
      await whole()
    }
    await writeFile(join(index, 'manifest.json'), '{"version": 0, "segments": ["1.segment"]}')
    await whole()
  })

  it('forgets sessions with all their words, and needs no index for that', async () => {
    const { sessions, find, recall, indexText, index } = await openFolder()
    await recall.forget([sessionId('a')], { signal })
    expect(existsSync(index)).toBe(false)
    for (const id of ['a', 'b', 'c']) await save(sessions, [user(text(`shared only${id}`))], sessionId(id))
    await find('shared')
    await append(sessions, user(text('later')), sessionId('a'))
    expect(await find('later')).toEqual(['a'])
    await rm(join(sessions, 'a.json'))
    await rm(join(sessions, 'b.json'))
    await recall.forget([sessionId('a'), sessionId('b')], { signal })
    expect(await indexText()).not.toMatch(/onlya|onlyb|later/)
    expect(await find('shared')).toEqual(['c'])
  })

  it('forgets the names of deleted sessions', async () => {
    const { sessions, index, find, recall, indexText } = await openFolder()
    for (const id of ['stays', 'leaves']) await save(sessions, [user(text('alpha'))], sessionId(id))
    await utimes(sessions, 1_000, 1_000)
    for (const _ of ['indexes', 'compares']) await find('alpha')
    expect(existsSync(join(index, 'check'))).toBe(true)
    await rm(join(sessions, 'leaves.json'))
    await recall.forget([sessionId('leaves')], { signal })
    expect(await indexText()).not.toContain('leaves')
  })

  it('tells why it cannot forget', async () => {
    const { index, recall } = await openFolder()
    await mkdir(join(index, 'journal.jsonl'), { recursive: true })
    await expect(recall.forget([], { signal })).rejects.toMatchObject({
      code: 'invalid',
      message: `cannot read ${join(index, 'journal.jsonl')}: it is a folder`,
    })
  })

  it('names no segment as one that was removed', async () => {
    const { sessions, index, find, recall } = await openFolder()
    const segments = async () => (await readdir(index)).filter((name) => name.endsWith('.segment'))
    const path = await save(sessions, [user(text('alpha'))])
    await find('alpha')
    expect(await segments()).toEqual(['1.segment'])
    await rm(path)
    await recall.forget([sessionId()], { signal })
    expect(await segments()).toEqual([])
    await save(sessions, [user(text('beta'))])
    await find('beta')
    await recall.forget([], { signal })
    expect(await segments()).toEqual(['2.segment'])
  })

  it('moves a long journal into segments that grow, and loses nothing', async () => {
    const { sessions, index, open, search, indexText } = await openFolder()
    const recall = open(true)
    for (let i = 0; i < 40; i++) {
      const messages = [user(text(`alpha number${i} ${'beta gamma '.repeat(1_400)}`))]
      await save(sessions, messages, sessionId(`s${i}`))
      recall.add({ id: sessionId(`s${i}`), createdAt: timestamp, from: 0, messages })
      await recall.close()
    }
    const names = await readdir(index)
    expect(names.filter((name) => name.endsWith('.segment')).length).toBeLessThan(4)
    const numbers = (await indexText()).match(/number\d+/g)
    expect(numbers).toHaveLength(40)
    expect((await search('alpha')).total).toBe(40)
  })

  it.each([0, 1])('of %i sessions is private', async (count) => {
    const { sessions, index, find } = await openFolder()
    for (let i = 0; i < count; i++) await save(sessions, [user(text('alpha'))])
    expect(await find('alpha')).toHaveLength(count)
    const modes = [index, ...(await readdir(index)).map((name) => join(index, name))]
    expect(modes.map((path) => statSync(path).mode & 0o077)).toEqual(modes.map(() => 0))
  })
})
