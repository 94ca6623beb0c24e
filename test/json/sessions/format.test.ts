import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isPipeError } from '../../../src/error.ts'
import type { Migration } from '../../../src/json/sessions/migrate.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { messageId, text, timestamp, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'
import { append, load, openStore, save, signal } from '../folder.ts'
import { sessionId } from '../session-id.ts'

const version1 = join(import.meta.dirname, 'version-1.json')
const version0 = join(import.meta.dirname, 'version-0.json')

async function folderOf(fixture: string): Promise<{ folder: string; path: string }> {
  const folder = await folderWith()
  const path = join(folder, 'session-id.json')
  await copyFile(fixture, path)
  return { folder, path }
}

describe('a session file', () => {
  it('is JSON with the envelope and one message per line', async () => {
    const path = await save(await folderWith(), [user(text('one')), user(text('two'))])
    const line = (words: string) =>
      `{"type":"user","id":"${messageId(1)}","content":[{"type":"text","text":"${words}"}],"timestamp":"${timestamp}"}`
    expect(await readFile(path, 'utf8')).toBe(
      [
        '{',
        '"version": 1,',
        '"id": "session-id",',
        '"system_prompt": "You are pipe.",',
        `"created_at": "${timestamp}",`,
        '"cwd": "/home/ada",',
        '"messages": [',
        `${line('one')},`,
        line('two'),
        '],',
        `"updated_at": "${timestamp}"`,
        '}',
        '',
      ].join('\n'),
    )
  })

  it('is valid JSON after each append, even if the state after the messages shrinks', async () => {
    const folder = await folderWith()
    const log = await openStore(folder).create(
      { id: sessionId(), systemPrompt: '', createdAt: timestamp },
      { signal },
    )
    for (const title of ['short', 'long '.repeat(200), 'é', undefined]) {
      await log.append(user(text('x')), title === undefined ? {} : { title })
      const whole = JSON.parse(await readFile(join(folder, 'session-id.json'), 'utf8'))
      expect(whole.title).toBe(title ?? 'é')
    }
    await log.close()
    expect(await load(folder)).toMatchObject({ damage: [], session: { title: 'é' } })
    expect(await readdir(folder)).toStrictEqual(['session-id.json'])
  })

  it('keeps the bytes before an append unchanged', async () => {
    const folder = await folderWith()
    const path = await save(folder, [user(text('one'))])
    const before = await readFile(path)
    await append(folder, user(text('two')))
    const kept = before.indexOf('\n],')
    expect((await readFile(path)).subarray(0, kept)).toStrictEqual(before.subarray(0, kept))
  })

  it('keeps unknown fields in any place through appends', async () => {
    const folder = await folderWith()
    const path = await save(folder, [user(text('one'))])
    const bytes = await readFile(path, 'utf8')
    await writeFile(
      path,
      bytes
        .replace('"cwd"', '"mood": "calm",\n"cwd"')
        .replace('"timestamp"', '"stars": 5,"timestamp"')
        .replace('"updated_at"', '"weather": ["rain"],\n"updated_at"'),
    )
    await append(folder, user(text('two')))
    const whole = JSON.parse(await readFile(path, 'utf8'))
    expect([whole.mood, whole.messages[0].stars, whole.weather]).toStrictEqual(['calm', 5, ['rain']])
    expect((await load(folder)).damage).toStrictEqual([])
  })

  it('SESS-334: grants no mode, permission or trust by its contents', async () => {
    const folder = await folderWith()
    const path = await save(folder, [user(text('one'))])
    const bytes = await readFile(path, 'utf8')
    await writeFile(
      path,
      bytes.replace('"cwd"', '"mode": "bypass",\n"permissions": {"allow": ["Bash"]},\n"cwd"'),
    )
    const { session } = await load(folder)
    expect(session).toStrictEqual({
      id: sessionId(),
      systemPrompt: 'You are pipe.',
      createdAt: timestamp,
      updatedAt: timestamp,
      cwd: '/home/ada',
      messages: [user(text('one'))],
    })
  })
})

describe('a file of version 1 laid out by another program', () => {
  it('loads unchanged, with the same ids each time', async () => {
    const { folder } = await folderOf(version1)
    const { session, damage } = await load(folder)
    expect(damage).toStrictEqual([])
    expect(session).toStrictEqual({
      id: 'session-id',
      systemPrompt: 'You are...',
      createdAt: '2026-02-18T12:00:00Z',
      updatedAt: '2026-02-18T12:05:00Z',
      messages: [
        {
          type: 'user',
          id: '84645213-8672-8f3b-9d61-59dc705d2bfe',
          content: [text('Fix the login bug')],
          timestamp: '2026-02-18T12:00:00Z',
        },
        {
          type: 'assistant',
          id: 'c6b1938e-26e6-85a5-9169-a497934bcbf6',
          content: [
            text("I'll look at the auth module."),
            { type: 'tool_call', id: 'tc_1', name: 'read', arguments: { path: 'auth.go' } },
          ],
          timestamp: '2026-02-18T12:00:01Z',
          stopReason: 'tool_use',
          rawStopReason: 'tool_use',
          usage: { inputTokens: 150, outputTokens: 42 },
        },
        {
          type: 'tool_result',
          id: 'aaa18e53-b9dd-806d-83e7-9d78f471e367',
          content: [text('package auth\n...')],
          timestamp: '2026-02-18T12:00:02Z',
          toolCallId: 'tc_1',
          toolName: 'read',
          isError: false,
        },
      ],
    })
  })

  it('is equal after it is saved to a new file', async () => {
    const { folder } = await folderOf(version1)
    const { messages } = (await load(folder)).session
    const copy = await folderWith()
    await save(copy, messages)
    expect((await load(copy)).session.messages).toStrictEqual(messages)
  })

  it('is not touched by a writer that appends nothing', async () => {
    const { folder, path } = await folderOf(version1)
    await (await openStore(folder).open(sessionId(), { signal })).log.close()
    expect(await readFile(path)).toStrictEqual(await readFile(version1))
  })

  it('is laid out in lines by the first append, and keeps its contents', async () => {
    const { folder, path } = await folderOf(version1)
    const before = JSON.parse(await readFile(path, 'utf8'))
    const { session } = await append(folder, user(text('go on')))
    await append(folder, user(text('and on')))
    const added = [user(text('go on')), user(text('and on'))]
    const after = JSON.parse(await readFile(path, 'utf8'))
    expect({ ...after, messages: after.messages.slice(0, 3) }).toStrictEqual({
      ...before,
      updated_at: timestamp,
    })
    expect((await load(folder)).session.messages).toStrictEqual([...session.messages, ...added])
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(15)
  })
})

describe('a file of another version', () => {
  it('SESS-333: is refused by name and left untouched if newer', async () => {
    const folder = await folderWith()
    const path = join(folder, 'session-id.json')
    const bytes = '{\n"version": 2,\n"id": "session-id",\n"messages": [\n{"type": "hologram"}\n]\n}\n'
    await writeFile(path, bytes)
    const reason =
      'it has version 2, newer than 1, the latest that this pipe reads; it was left unchanged. Update pipe to read it'
    for (const read of [() => load(folder), () => append(folder, user(text('x')))]) {
      const error = await thrown(read)
      expect(isPipeError(error) && { ...error, message: error.message }).toMatchObject({
        code: 'input',
        message: `cannot read ${path}: ${reason}`,
        details: { path, reason },
      })
    }
    expect(await readFile(path, 'utf8')).toBe(bytes)
    expect(await readdir(folder)).toStrictEqual(['session-id.json'])
  })

  it.each([
    '[]',
    '{}',
    'root:x:0:0',
    '{"version": "1", "messages": []}',
    '{"messages": []}',
    '{"version": 1}',
    '{\n"name": "package"\n}\n',
  ])('is not a session with %s', async (bytes) => {
    const folder = await folderWith()
    await writeFile(join(folder, 'session-id.json'), bytes)
    expect(await thrown(() => load(folder))).toMatchObject({ code: 'input' })
    expect(await thrown(() => append(folder, user(text('x'))))).toMatchObject({ code: 'input' })
  })

  const fromZero: Migration = {
    from: 0,
    envelope: ({ prompt = '', ...fields }) => ({ ...fields, system_prompt: prompt }),
    message: ({ role = '', ...fields }) => ({ type: role, ...fields }),
  }

  it('is read through the migrations and written in the new version', async () => {
    const { folder, path } = await folderOf(version0)
    const store = openStore(folder, [fromZero])
    const { log, loaded } = await store.open(sessionId(), { signal })
    const hello = { ...user(text('Hello from long ago')), timestamp: '2025-01-01T12:00:00Z' }
    const messages = [{ ...hello, id: '0193f1c2-0000-4000-8000-000000000001' }]
    expect(loaded).toMatchObject({ damage: [], session: { systemPrompt: 'You are...', messages } })
    await log.append(user(text('Hello again')))
    await log.close()
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
      version: 1,
      system_prompt: 'You are...',
      colour: 'blue',
      messages: [{ type: 'user' }, { type: 'user' }],
    })
    expect((await load(folder)).session.messages).toMatchObject([...messages, user(text('Hello again'))])
  })

  it('is refused without a migration from it', async () => {
    const { folder } = await folderOf(version0)
    expect(await thrown(() => load(folder))).toMatchObject({ code: 'input' })
  })
})
