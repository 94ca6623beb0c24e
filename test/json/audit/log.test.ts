import { createHash } from 'node:crypto'
import { appendFile, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/folders/folder.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { messageId, timestamp } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'
import { sessionId } from '../session-id.ts'
import { auditFile, check, contents, entry, openAudit, readLog, write } from './audit.ts'

describe('an audit log', () => {
  it('is a private file in a private folder, and appears with its first entry', async () => {
    const directory = join(await folderWith(), 'audit')
    const log = openAudit(directory)
    await log.sync()
    await expect(stat(directory)).rejects.toThrow('ENOENT')
    log.append(entry(1))
    await log.sync()
    const modes = await Promise.all(
      [directory, auditFile(directory)].map(async (path) => (await stat(path)).mode & 0o777),
    )
    expect(modes).toEqual([0o700, 0o600])
    await log.close()
    await log.close()
    expect(await thrown(() => log.append(entry(2)))).toMatchObject({ code: 'conflict' })
  })

  it('has a header and one line per entry, each with the hash of the line before', async () => {
    const directory = await folderWith()
    const message = { type: 'user', id: messageId(1), content: 'hello' } as const
    await write(
      directory,
      { decision: 'user_message', actor: 'user_local', message, audit: { media: 0 } },
      entry(1),
    )
    const ids = countingIds()
    expect(await contents(directory)).toEqual([
      { type: 'audit', version: 1, session_id: sessionId(), created_at: timestamp, cwd: '/home/ada' },
      {
        id: ids.message(),
        timestamp,
        actor: 'user_local',
        decision: 'user_message',
        message,
        audit: { media: 0, text_bytes: 5 },
      },
      {
        id: ids.message(),
        timestamp,
        actor: 'agent_pipe',
        decision: 'retry',
        message: null,
        audit: { attempt: 1 },
      },
    ])
    const lines = (await readFile(auditFile(directory), 'utf8')).trimEnd().split('\n')
    const hashes = lines.map((line) => {
      const body = line.replace(/,"hash":"[0-9a-f]{64}"}$/, '}')
      return createHash('sha256').update(body).digest('hex')
    })
    const chained = (await readLog(directory)).map(({ seq, prev, hash }) => ({ seq, prev, hash }))
    expect(chained).toEqual(hashes.map((hash, i) => ({ seq: i + 1, prev: hashes[i - 1] ?? '', hash })))
  })

  it('continues at its end', async () => {
    const directory = await folderWith()
    await write(directory, entry(1))
    await write(directory, entry(2))
    expect((await readLog(directory)).map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(await check(directory)).toMatchObject({ lines: 3 })
  })

  it('keeps neither a secret nor its hash', async () => {
    const directory = await folderWith()
    const id = messageId(1)
    const action = { type: 'assistant_action', id, tool_id: 'a', tool_name: 'bash' } as const
    const known = (command: string) => ({
      decision: 'tool_call_requested' as const,
      actor: 'agent_pipe',
      message: { ...action, tool_args: { b: 1, command } },
      audit: { note: command },
    })
    await write(directory, known('login hunter2-hunter2'), known('login [redacted]'))
    const [, first, second] = await contents(directory)
    const sha256 = createHash('sha256').update('{"b":1,"command":"login [redacted]"}').digest('hex')
    expect(first).toMatchObject({
      message: { ...action, tool_args: { b: 1, command: 'login [redacted]' } },
      audit: { note: 'login [redacted]', arguments_sha256: sha256 },
    })
    expect(second).toMatchObject({ audit: { arguments_sha256: sha256 } })
  })

  it('cuts long texts and keeps the size and hash of the whole', async () => {
    const directory = await folderWith()
    const content = 'é'.repeat(5_000)
    const message = { type: 'assistant_text', id: messageId(1), content } as const
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key${i}`, 'x'.repeat(1_000)]))
    await write(directory, { decision: 'assistant_text', actor: 'agent_pipe', message, audit: many })
    const [, kept] = await contents(directory)
    expect(kept).toMatchObject({
      message: { content: `${'é'.repeat(4_096)}… [904 more characters]` },
      audit: { cut: expect.stringMatching(/^\{"key0":"x+/) },
    })
    await write(directory, { decision: 'assistant_text', actor: 'agent_pipe', message, audit: {} })
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect((await contents(directory)).at(-1)).toMatchObject({
      audit: { text_bytes: 10_000, text_sha256: sha256 },
    })
  })

  it.each([
    ['full', ''],
    ['metadata', ''],
    ['thoughts', 'Hm, hunter2.'],
  ] as const)(
    'keeps thoughts as size and hash, and their text only if it is asked for: %s',
    async (detail, kept) => {
      const directory = await folderWith()
      const message = { type: 'assistant_thinking', id: messageId(1), content: 'Hm, hunter2.' } as const
      const log = openAudit(directory, detail)
      log.append({ decision: 'assistant_thinking', actor: 'agent_pipe', message, audit: {} })
      await log.close()
      expect((await contents(directory)).at(-1)).toMatchObject({
        message: { type: 'assistant_thinking', content: kept },
        audit: { text_bytes: 12 },
      })
    },
  )

  it('is not written through a symbolic link', async () => {
    const directory = await folderWith()
    await writeFile(join(directory, 'other'), '')
    await symlink(join(directory, 'other'), auditFile(directory))
    const log = openAudit(directory)
    log.append(entry(1))
    const error = await thrown(() => log.sync())
    expect(error).toMatchObject({ code: 'invalid', details: { reason: 'ELOOP' } })
  })
})

describe('a log that a crash has cut', () => {
  it.each([1, 20, 200, 100_000])(
    'is repaired by its next writer, which keeps %i torn bytes in another file',
    async (bytes) => {
      const directory = await folderWith()
      await write(directory, entry(1))
      await appendFile(auditFile(directory), 'x'.repeat(bytes))
      expect(await check(directory)).toMatchObject({ lines: 2, fault: { line: 3, reason: 'it is cut' } })
      await write(directory, entry(2))
      const aside = `${sessionId()}.torn-20260218T120000.000Z`
      expect(await readFile(join(directory, aside), 'utf8')).toBe('x'.repeat(bytes))
      expect((await readLog(directory)).map(({ decision, audit }) => [decision, audit])).toEqual([
        [undefined, undefined],
        ['retry', { attempt: 1 }],
        ['log_repaired', { torn_bytes: bytes, kept_as: aside }],
        ['retry', { attempt: 2 }],
      ])
      expect(await check(directory)).toMatchObject({ lines: 4 })
    },
  )

  it('in its first line is begun again', async () => {
    const directory = await folderWith()
    await write(directory, entry(1))
    await truncate(auditFile(directory), 30)
    await write(directory, entry(2))
    expect((await readLog(directory)).map(({ decision }) => decision)).toEqual([
      undefined,
      'log_repaired',
      'retry',
    ])
    expect((await readdir(directory)).length).toBe(2)
  })

  it('continues after an altered last line, and a check still finds the fault', async () => {
    const directory = await folderWith()
    await write(directory, entry(1))
    const altered = (await readFile(auditFile(directory), 'utf8')).replace('"attempt":1', '"attempt":7')
    await writeFile(auditFile(directory), altered)
    await write(directory, entry(2))
    expect((await readLog(directory)).map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(await check(directory)).toMatchObject({ fault: { line: 2 } })
  })
})
