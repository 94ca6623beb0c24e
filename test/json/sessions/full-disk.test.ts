import { appendFile, readdir, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AuditLog } from '../../../src/audit.ts'
import { branchOf } from '../../../src/history/branch.ts'
import type { SessionLog } from '../../../src/session.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { fillDisk, mountSmallDisk } from '../../support/folders/mount.ts'
import { messageId, text, timestamp, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'
import { auditFile, check, contents, entry, openAudit, readLog, write } from '../audit/audit.ts'
import { load, openStore, save, signal } from '../folder.ts'
import { sessionId } from '../session-id.ts'

const full = 'the disk is full; free some space there and try again'

/** A folder on its own small disk. */
async function smallDisk(skip: (why: string) => never): Promise<string> {
  const directory = await folderWith()
  mountSmallDisk(skip, directory, 64 * 1024)
  return directory
}

describe('an audit log on a full disk', () => {
  /** A log of a few entries on a disk that is now full, and the function that frees it. */
  async function openFull(skip: (why: string) => never) {
    const directory = await smallDisk(skip)
    const log = openAudit(directory)
    log.append(entry(1))
    await log.sync()
    return { directory, log, free: fillDisk(directory) }
  }

  /** Appends until the disk is full. Returns the number of the next entry. */
  async function appendUntilFull(log: AuditLog, from: number): Promise<number> {
    for (let number = from; ; number++) {
      log.append(entry(number))
      try {
        await log.sync()
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid', details: { reason: 'ENOSPC' } })
        return number + 1
      }
    }
  }

  it('reports it and keeps the waiting entries, then continues without loss when there is space again', async ({
    skip,
  }) => {
    const { directory, log, free } = await openFull(skip)
    const next = await appendUntilFull(log, 2)
    expect(await readLog(directory)).toHaveLength(next - 1)
    log.append(entry(next))
    await expect(log.sync()).rejects.toThrow(full)
    expect(await check(directory)).toMatchObject({ lines: next - 1 })
    free()
    log.append(entry(next + 1))
    await log.close()
    expect((await contents(directory)).slice(1)).toMatchObject(
      Array.from({ length: next + 1 }, (_, i) => ({ decision: 'retry', audit: { attempt: i + 1 } })),
    )
    expect(await check(directory)).not.toHaveProperty('fault')
  })

  it('retries a failed write at the next settle and reports the failure there', async ({ skip }) => {
    const { directory, log, free } = await openFull(skip)
    const next = await appendUntilFull(log, 2)
    expect(await thrown(() => log.settle())).toMatchObject({ details: { reason: 'ENOSPC' } })
    free()
    log.settle()
    expect(await readLog(directory)).toHaveLength(next)
    await log.close()
  })

  it('continues a torn or emptied file as after a crash', async ({ skip }) => {
    const { directory, log, free } = await openFull(skip)
    await appendUntilFull(log, 2)
    await truncate(auditFile(directory), 500)
    free()
    await log.sync()
    const words = (await readLog(directory)).map(({ decision }) => decision)
    expect(words).toEqual([undefined, 'log_repaired', 'retry'])
    expect(await check(directory)).toMatchObject({ lines: 3 })
    await log.close()
  })

  it('leaves a log unchanged until its torn line can be moved to another file', async ({ skip }) => {
    const directory = await smallDisk(skip)
    await write(directory, entry(1))
    await appendFile(auditFile(directory), 'x'.repeat(5_000))
    const free = fillDisk(directory)
    const log = openAudit(directory)
    log.append(entry(2))
    await expect(log.sync()).rejects.toThrow(full)
    expect((await readdir(directory)).sort()).toEqual([`${sessionId()}.jsonl`, 'filler'].sort())
    free()
    await log.close()
    const words = (await readLog(directory)).map(({ decision }) => decision)
    expect(words).toEqual([undefined, 'retry', 'log_repaired', 'retry'])
  })

  it('begins a new log when there is space again', async ({ skip }) => {
    const directory = await smallDisk(skip)
    const free = fillDisk(directory)
    const log = openAudit(directory)
    log.append(entry(1))
    await expect(log.sync()).rejects.toThrow(full)
    free()
    await log.close()
    expect(await check(directory)).toMatchObject({ lines: 2 })
  })
})

describe('a session on a full disk', () => {
  const message = (number: number) => ({ ...user(text(`message ${number}`)), id: messageId(number) })
  const ids = (count: number) => Array.from({ length: count }, (_, i) => messageId(i + 1))

  /** Returns the ids of its messages. Checks that the file is valid JSON without damage. */
  async function read(directory: string) {
    JSON.parse(await readFile(join(directory, `${sessionId()}.json`), 'utf8'))
    const { session, damage } = await load(directory)
    expect(damage).toEqual([])
    return session.messages.map(({ id }) => id)
  }

  const noRoom = { code: 'invalid', details: { reason: 'ENOSPC' }, message: expect.stringContaining(full) }

  /** Appends messages until the disk is full. Returns the number on disk; one more waits. */
  async function appendUntilFull(log: SessionLog, from: number): Promise<number> {
    for (let number = from; number < 10_000; number++) {
      await log.append(message(number))
      if (log.unsaved === undefined) continue
      expect(log.unsaved).toMatchObject(noRoom)
      return number - 1
    }
    throw new Error('the disk never fills up')
  }

  function create(directory: string): Promise<SessionLog> {
    const session = { id: sessionId(), systemPrompt: 'You are pipe.', createdAt: timestamp }
    return openStore(directory).create(session, { signal })
  }

  it('is valid, and waiting messages are written in order when there is space again', async ({ skip }) => {
    const directory = await smallDisk(skip)
    const log = await create(directory)
    await log.append(message(1))
    const free = fillDisk(directory)
    const count = await appendUntilFull(log, 2)
    expect(await read(directory)).toEqual(ids(count))
    await log.append(message(count + 2))
    await log.sync()
    expect(await read(directory)).toEqual(ids(count))
    expect(log.unsaved).toMatchObject(noRoom)
    free()
    await log.sync()
    expect(await read(directory)).toEqual(ids(count + 2))
    expect(log.unsaved).toBeUndefined()
    await log.append(message(count + 3))
    await log.close()
    expect(await read(directory)).toEqual(ids(count + 3))
  })

  it('keeps the old branch until there is space for the new one', async ({ skip }) => {
    const directory = await smallDisk(skip)
    await save(directory, [message(1), message(2), message(3)])
    const branch = async () => branchOf((await load(directory)).session).map(({ id }) => id)
    const { log } = await openStore(directory).open(sessionId(), { signal })
    const free = fillDisk(directory)
    const long = { ...message(4), content: [text('x'.repeat(5_000))], parentId: messageId(2) }
    await log.append(long, { head: messageId(4) })
    await log.append(message(5), { head: messageId(5) })
    expect(log.unsaved).toMatchObject(noRoom)
    expect(await read(directory)).toEqual(ids(3))
    expect(await branch()).toEqual(ids(3))
    free()
    await log.sync()
    expect(await branch()).toEqual([1, 2, 4, 5].map(messageId))
    await log.update({ head: messageId(3) })
    await log.close()
    expect(await read(directory)).toEqual(ids(5))
    expect(await branch()).toEqual(ids(3))
  })

  it('reports the lost messages on close, keeps the rest and releases the lock', async ({ skip }) => {
    const directory = await smallDisk(skip)
    const log = await create(directory)
    await log.append(message(1))
    fillDisk(directory)
    const count = await appendUntilFull(log, 2)
    await log.append(message(count + 2))
    await expect(log.close()).rejects.toMatchObject({
      code: 'storage',
      message: `the last 2 messages of session session-id could not be saved: cannot write ${directory}/session-id.json: ${full}`,
    })
    expect(await read(directory)).toEqual(ids(count))
    expect((await readdir(directory)).sort()).toEqual(['filler', 'session-id.json'])
  })

  it('is written if there is space just before close', async ({ skip }) => {
    const directory = await smallDisk(skip)
    const log = await create(directory)
    const free = fillDisk(directory)
    await log.append(message(1))
    await log.append(message(2))
    expect(await readdir(directory)).not.toContain('session-id.json')
    free()
    await log.close()
    expect(await read(directory)).toEqual(ids(2))
  })

  it.for([
    ['intact', 0],
    ['cut by a crash', 30],
  ] as const)('continues when there is space again after it is reopened %s', async ([, cut], { skip }) => {
    const directory = await smallDisk(skip)
    const path = await save(directory, [message(1)])
    await truncate(path, (await readFile(path)).length - cut)
    const { log } = await openStore(directory).open(sessionId(), { signal })
    const free = fillDisk(directory)
    await log.append({ ...message(2), content: [text('x'.repeat(5_000))] })
    expect(log.unsaved).toMatchObject(noRoom)
    free()
    await log.append(message(3))
    await log.close()
    expect(await read(directory)).toEqual(ids(3))
  })
})
