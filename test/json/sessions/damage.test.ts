import { execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Message } from '../../../src/message.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { assistant, text, toolResult, user } from '../../support/messages/messages.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'
import { append, load, openStore, save, signal } from '../folder.ts'
import { sessionId } from '../session-id.ts'

const history: readonly Message[] = [
  user(text('Grüße\nund\u2028mehr')),
  assistant(text('Yes, {"type": "user"}')),
  toolResult('tc_1', text('],')),
]

const added = user(text('after the accident'))

async function saved(): Promise<{ folder: string; path: string; bytes: Buffer }> {
  const folder = await folderWith()
  const path = await save(folder, history)
  return { folder, path, bytes: await readFile(path) }
}

/** Offsets after each complete message of a file. */
function messageEnds(bytes: Buffer): readonly number[] {
  const lines = bytes.toString('latin1').split('\n')
  return lines.flatMap((line, i) => {
    if (!line.startsWith('{"type"')) return []
    return [lines.slice(0, i + 1).join('\n').length - (line.endsWith(',') ? 1 : 0)]
  })
}

describe('a file cut at any byte', () => {
  sizedIt('SESS-323: loads all messages before the cut and reports the damage', async () => {
    const { folder, path, bytes } = await saved()
    const ends = messageEnds(bytes)
    expect(ends).toHaveLength(history.length)
    // Steps of a prime number of bytes hit all kinds of places.
    for (let size = 0; size < bytes.length - 1; size += sized(1, 7)) {
      await writeFile(path, bytes.subarray(0, size))
      const { session, damage } = await load(folder)
      const whole = ends.filter((end) => end <= size).length
      expect({ size, messages: session.messages }).toStrictEqual({ size, messages: history.slice(0, whole) })
      expect({ size, entries: damage.length }).toStrictEqual({ size, entries: 1 })
    }
  })

  sizedIt(
    'SESS-323: appends after the last complete message and keeps the torn bytes in another file',
    async () => {
      const { bytes } = await saved()
      const ends = [bytes.indexOf('"messages": [') + '"messages": ['.length, ...messageEnds(bytes)]
      for (let size = 0; size < bytes.length - 1; size += sized(7, 23)) {
        const folder = await folderWith()
        const path = join(folder, 'session-id.json')
        await writeFile(path, bytes.subarray(0, size))
        const { session } = await append(folder, added)
        expect({ size, ...(await load(folder)) }).toMatchObject({
          size,
          damage: [],
          session: { messages: [...session.messages, added] },
        })
        JSON.parse(await readFile(path, 'utf8'))
        const kept = ends.findLast((end) => end <= size) ?? 0
        const [torn, ...more] = (await readdir(folder)).filter((name) => name.includes('torn'))
        expect({ size, more }).toStrictEqual({ size, more: [] })
        expect(await readFile(join(folder, torn ?? ''))).toStrictEqual(bytes.subarray(kept, size))
      }
    },
  )
})

quickDescribe('a file without its beginning', () => {
  const ifLost = { systemPrompt: 'You are new.', cwd: '/home/bea' }

  it.each([
    ['empty', ''],
    ['only a brace', '{'],
    ['without folder and prompt', '{\n"version": 1,\n"id": "session-id",\n"system_pro'],
  ])('continues like a new one: %s', async (_, rest) => {
    const folder = await folderWith()
    await writeFile(join(folder, 'session-id.json'), rest)
    const { log, loaded } = await openStore(folder).open(sessionId(), { signal, ifLost })
    expect(loaded).toMatchObject({ session: { ...ifLost, messages: [] }, damage: [{}] })
    await log.append(added)
    await log.close()
    expect(await load(folder)).toMatchObject({ session: { ...ifLost, messages: [added] }, damage: [] })
  })

  it('keeps the rest of it', async () => {
    const { folder, path, bytes } = await saved()
    await writeFile(path, bytes.toString().replace('"You are pipe."', 'You are'))
    const { session } = await openStore(folder).load(sessionId(), { signal, ifLost })
    expect(session).toMatchObject({ systemPrompt: 'You are new.', cwd: '/home/ada', messages: history })
  })
})

quickDescribe('a file that is damaged throughout', () => {
  it.each([
    ['of NUL bytes', Buffer.alloc(2_000)],
    ['of arbitrary bytes', Buffer.from('\x7fELF anything\n{}\n')],
  ])('%s is reported by name and left unchanged', async (_, bytes) => {
    const folder = await folderWith()
    const path = join(folder, 'session-id.json')
    await writeFile(path, bytes)
    const message = `cannot read ${path}: it is not a session, or completely damaged`
    await expect(load(folder)).rejects.toMatchObject({ code: 'input', message, details: { path } })
    await expect(append(folder, added)).rejects.toMatchObject({ code: 'input', message })
    expect([await readdir(folder), await readFile(path)]).toStrictEqual([['session-id.json'], bytes])
  })
})

it('a named pipe is no session, and nobody waits for its writer', async () => {
  const path = join(await folderWith(), 'session-id.json')
  execFileSync('mkfifo', [path])
  const message = `cannot read ${path}: it is not a session, or completely damaged`
  await expect(load(dirname(path))).rejects.toMatchObject({ code: 'input', message })
})

it('ignores a byte order mark before a session and drops it with the next message', async () => {
  const { folder, path, bytes } = await saved()
  await writeFile(path, Buffer.concat([Buffer.from('\ufeff'), bytes]))
  expect(await load(folder)).toMatchObject({ session: { messages: history }, damage: [] })
  await append(folder, added)
  expect(await load(folder)).toMatchObject({ session: { messages: [...history, added] }, damage: [] })
  JSON.parse(await readFile(path, 'utf8'))
})

quickDescribe('a damaged line', () => {
  it.each([
    ['a corrupt line', (line: Buffer) => line.fill('#', 4, 20), 'the line is not the expected JSON'],
    ['a block of NUL bytes', (line: Buffer) => line.fill(0), 'the line contains NUL bytes'],
    ['bytes that are not UTF-8', (line: Buffer) => line.fill(0xff, 100, 110), 'the line is not UTF-8'],
  ])('SESS-324: with %s in the middle is skipped, reported and kept', async (_, damage, reason) => {
    const { folder, path, bytes } = await saved()
    const [first = 0, second = 0] = messageEnds(bytes)
    damage(bytes.subarray(first + 2, second))
    await writeFile(path, bytes)
    const left = [history[0], history[2]]
    expect(await load(folder)).toMatchObject({ session: { messages: left }, damage: [{ line: 9, reason }] })
    await append(folder, added)
    expect((await readFile(path)).subarray(0, bytes.indexOf('\n],\n'))).toStrictEqual(
      bytes.subarray(0, bytes.indexOf('\n],\n')),
    )
    expect((await load(folder)).session.messages).toStrictEqual([...left, added])
    expect(await readdir(folder)).toStrictEqual(['session-id.json'])
  })

  it('of NUL bytes at the end of the file is replaced by the next message', async () => {
    const { folder, path, bytes } = await saved()
    await writeFile(path, Buffer.concat([bytes, Buffer.alloc(4096)]))
    expect(await load(folder)).toMatchObject({
      session: { messages: history },
      damage: [{ line: 14, reason: 'the line contains NUL bytes' }],
    })
    await append(folder, added)
    expect(await load(folder)).toMatchObject({ session: { messages: [...history, added] }, damage: [] })
    JSON.parse(await readFile(path, 'utf8'))
  })

  it('in the header loses only its field', async () => {
    const { folder, path, bytes } = await saved()
    await writeFile(path, bytes.toString().replace('"You are pipe."', 'You are'))
    expect(await load(folder)).toMatchObject({
      session: { systemPrompt: '', cwd: '/home/ada', messages: history },
      damage: [{ line: 4, reason: 'the line is not the expected JSON' }],
    })
  })

  it('among the fields after the messages loses only its field', async () => {
    const { folder, path, bytes } = await saved()
    await writeFile(path, bytes.toString().replace('"updated_at": "', '"title": ???,\n"updated_at": "'))
    expect(await load(folder)).toMatchObject({
      session: { messages: history },
      damage: [{ line: 12, reason: 'the line is not the expected JSON' }],
    })
    await append(folder, added)
    expect((await load(folder)).damage).toStrictEqual([])
  })
})

quickDescribe('unknown content', () => {
  const insert = async (line: string) => {
    const { folder, path, bytes } = await saved()
    const first = messageEnds(bytes)[0] ?? 0
    const changed = Buffer.concat([
      bytes.subarray(0, first + 2),
      Buffer.from(`${line},\n`),
      bytes.subarray(first + 2),
    ])
    await writeFile(path, changed)
    const loaded = await load(folder)
    await append(folder, added)
    expect(await readFile(path, 'utf8')).toContain(`\n${line},\n`)
    return loaded
  }

  it('SESS-333: is skipped as a message', async () => {
    expect(await insert('{"type":"hologram","content":[]}')).toMatchObject({
      session: { messages: history },
      damage: [{ line: 9, reason: 'message 2: its type is unknown to this version of pipe' }],
    })
  })

  it('SESS-333: is skipped as a block of a message', async () => {
    const known = '{"type":"text","text":"hi"}'
    const line = `{"type":"user","content":[{"type":"smell"},${known}],"timestamp":"2026-02-18T12:00:00Z"}`
    const { session, damage } = await insert(line)
    expect(session.messages.map((message) => message.content)).toStrictEqual([
      history[0]?.content,
      [text('hi')],
      history[1]?.content,
      history[2]?.content,
    ])
    expect(damage).toStrictEqual([
      { line: 9, reason: 'message 2: its content.0.type is unknown to this version of pipe' },
    ])
  })

  it('is skipped as a field of the wrong type', async () => {
    expect(
      await insert('{"type":"user","content":[{"type":"text","text":"hi"}],"timestamp":5}'),
    ).toMatchObject({
      session: { messages: history },
      damage: [{ line: 9, reason: 'message 2: timestamp: Invalid input: expected string, received number' }],
    })
  })

  it('becomes `unknown` as a stop reason, and its word is kept', async () => {
    const usage = '"usage":{"input_tokens":1,"output_tokens":2}'
    const content = '"content":[{"type":"text","text":"hi"}]'
    const line = `{"type":"assistant",${content},"stop_reason":"bored",${usage},"timestamp":"2026-02-18T12:00:00Z"}`
    expect(await insert(line)).toMatchObject({
      session: { messages: [{}, { stopReason: 'unknown', rawStopReason: 'bored' }, {}, {}] },
      damage: [],
    })
  })
})

it('never writes while reading', async () => {
  const { folder, path, bytes } = await saved()
  const torn = bytes.subarray(0, bytes.length - 30)
  await writeFile(path, torn)
  await load(folder, sessionId())
  expect(await readFile(path)).toStrictEqual(torn)
  expect(await readdir(folder)).toStrictEqual(['session-id.json'])
})
