import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readChunks } from '../../src/files/reading/chunks.ts'
import { findSessions } from '../../src/import/find-sessions.ts'
import { openSession } from '../../src/import/session-file.ts'
import { folderWith } from '../support/folders/folder.ts'
import { now } from '../support/messages/messages.ts'
import { asked, claudeSession, said, words } from './claude-lines.ts'
import { event, item, message, meta, typed } from './codex-lines.ts'
import { asFile, lost, makingIds, outlineBranch } from './foreign.ts'
import * as gemini from './gemini-lines.ts'

const [first, second, fork] = ['1', '2', '3'].map((digit) => `01a22343-b063-7431-abcc-${digit.repeat(12)}`)
const thread = first ?? ''

/** A header, with what the rollout continues. */
function headed(id: string, base?: object) {
  return typed('session_meta', { ...meta.payload, id, ...(base === undefined ? {} : { history_base: base }) })
}

const turn = (text: string) => [item(message('user', text)), item(message('assistant', `${text}!`))]

function base(id: string, lines: readonly object[]) {
  return {
    thread_id: id,
    end_ordinal_exclusive: lines.length,
    end_byte_offset: Buffer.byteLength(asFile(lines)),
  }
}

async function openHome() {
  const home = await folderWith()
  const search = { home, env: {}, now, newId: makingIds(), signal: new AbortController().signal }
  return {
    home,
    async put(path: string, lines: readonly object[]) {
      await mkdir(dirname(join(home, path)), { recursive: true })
      await writeFile(join(home, path), asFile(lines))
    },
    open: (path: string) =>
      openSession(readChunks(join(home, path), search), { ...search, path: join(home, path) }),
    async find(cwd = '/home/ann/calc') {
      const found = []
      for await (const { path, title, messages } of findSessions({ ...search, cwd }))
        found.push({ path: path.slice(home.length + 1), title, said: outlineBranch({ messages }) })
      return found
    },
  }
}

const day = '.codex/sessions/2026/11/28/rollout-2026-11-28T17-46-08'

describe('a session of Codex that was rewound or forked', () => {
  const begun = [headed(thread), ...turn('one')]
  const rewound = [headed(thread, base(thread, begun)), ...turn('three')]

  it('begins with the first bytes of the rollouts that it continues, also of those that were put away', async () => {
    const { home, put, open } = await openHome()
    const archived = '.codex/archived_sessions/rollout-2026-11-28T17-46-08'
    await put(`${archived}-${first}.jsonl`, [...begun, ...turn('two')])
    await put(`${archived}-${first}_${second}.jsonl`, [...rewound, ...turn('four')])
    await put(`${day}-${fork}.jsonl`, [headed(fork ?? '', base(second ?? '', rewound)), ...turn('five')])
    const session = await open(`${day}-${fork}.jsonl`)
    expect(outlineBranch(session)).toEqual(
      ['one', 'three', 'five'].flatMap((text) => [`user: ${text}`, `assistant: ${text}!`]),
    )
    expect([session.sourceId, session.damage]).toEqual([fork, []])
    expect(session.beginnings).toEqual([
      join(home, `${archived}-${first}.jsonl`),
      join(home, `${archived}-${first}_${second}.jsonl`),
    ])
  })

  it('is found beside its file, wherever that is', async () => {
    const { put, open } = await openHome()
    await put(`copy/rollout-1-${first}.jsonl`, begun)
    await put(`copy/rollout-2-${first}_${second}.jsonl`, rewound)
    expect(outlineBranch(await open(`copy/rollout-2-${first}_${second}.jsonl`))[0]).toBe('user: one')
  })

  it('says so if its beginning is missing, packed, shorter, or names itself', async () => {
    const { home, put, open } = await openHome()
    const path = `${day}-${first}_${second}.jsonl`
    await put(path, rewound)
    const losses = async () => Object.keys(lost(await open(path)))[0]
    expect(await losses()).toBe(`beginnings in rollouts that were not found (${first})`)
    await put(`${day}-${first}.jsonl.zst`, [])
    expect(await losses()).toMatch(
      /^beginnings in compressed rollouts \(unpack .*\.jsonl\.zst with zstd -d\)$/,
    )
    await writeFile(join(home, `${day}-${first}.jsonl.zst`), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24]))
    await expect(open(`${day}-${first}.jsonl.zst`)).rejects.toMatchObject({
      code: 'input',
      message: 'line 1: the file is compressed: unpack it with zstd -d',
    })
    await put(`${day}-${first}.jsonl`, begun.slice(0, 2))
    expect(await losses()).toBe(`ends of beginnings, in rollouts that became shorter (${first})`)
    await put(`${day}-${first}.jsonl`, [headed(thread, base(thread, begun)), ...turn('one')])
    expect(await losses()).toBe(`beginnings in rollouts that were not found (${first})`)
  })

  it('is cut by the numbers of its lines if it does not say where in bytes', async () => {
    const { put, open } = await openHome()
    const numbered = [...begun, ...turn('two')].map((line, ordinal) => ({ ordinal, ...line }))
    await put(`${day}-${first}.jsonl`, numbered)
    await put(`${day}-${fork}.jsonl`, [headed(fork ?? '', { thread_id: first, end_ordinal_exclusive: 3 })])
    expect(outlineBranch(await open(`${day}-${fork}.jsonl`))).toEqual(['user: one', 'assistant: one!'])
  })

  it('is listed once, by its last rollout, with its beginning and its title', async () => {
    const { put, find } = await openHome()
    await put(`${day}-${first}.jsonl`, begun)
    await put(`${day}-${first}_${second}.jsonl`, rewound)
    const child = { ...meta.payload, id: fork, source: { subagent: {} } }
    await put(`${day}-${fork}.jsonl`, [typed('session_meta', child), ...turn('of another agent')])
    await put('.codex/session_index.jsonl', [
      { id: first, thread_name: 'Old' },
      { id: fork, thread_name: 'Other' },
      { id: first, thread_name: 'New' },
    ])
    expect(await find()).toEqual([
      { path: `${day}-${first}_${second}.jsonl`, title: 'New', said: ['user: one'] },
    ])
  })
})

it('a session with a first prompt over 512 KiB is listed, and the title at the end of a long one is read', async () => {
  const { put, find } = await openHome()
  const prompt = 'much '.repeat(200_000)
  const path = `.claude/projects/-home-ann-calc/${claudeSession}.jsonl`
  await put(path, [
    asked(1, null, prompt),
    said(2, 1, 'msg_1', words('Much!')),
    { type: 'custom-title', customTitle: 'Much', sessionId: claudeSession },
  ])
  expect(await find()).toEqual([{ path, title: 'Much', said: [`user: ${prompt}`] }])
})

it('a session of Gemini CLI belongs to the folder that is named beside it', async () => {
  const { put, open, find, home } = await openHome()
  const path = '.gemini/tmp/calc/chats/session-2026-11-28T18-04-b1df3cc8.jsonl'
  await put(path, gemini.geminiLines)
  await writeFile(join(home, '.gemini/tmp/calc/.project_root'), '/home/ann/calc')
  await put('.gemini/tmp/other/chats/session-2026-11-28T18-04-00000000.jsonl', gemini.geminiLines)
  expect((await open(path)).cwd).toBe('/home/ann/calc')
  expect((await find()).map((found) => found.path)).toEqual([path])
})

it('a first session of Gemini CLI lies in a folder that is named after the hash of the other', async () => {
  const { put, find } = await openHome()
  const hash = createHash('sha256').update('/home/ann/calc').digest('hex')
  const messages = [gemini.asked('m1', 'one'), gemini.said('m2', 'One!')]
  await put(`.gemini/tmp/${hash}/chats/session-2025-09-01.json`, [{ ...gemini.header, messages }])
  expect((await find()).map((found) => found.said)).toEqual([['user: one', 'assistant: One!']])
  expect(await find('/home/ann/other')).toEqual([])
})

it('an event that tells the name of a thread gives way to the list of names', async () => {
  const { put, open } = await openHome()
  const lines = [headed(thread), ...turn('one'), event({ type: 'thread_name_updated', thread_name: 'Event' })]
  await put(`${day}-${first}.jsonl`, lines)
  expect((await open(`${day}-${first}.jsonl`)).title).toBe('Event')
  await put('.codex/session_index.jsonl', [{ id: first, thread_name: 'Named' }])
  expect((await open(`${day}-${first}.jsonl`)).title).toBe('Named')
})
