import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../src/audit.ts'
import type { AuditCheck, CheckOptions } from '../../../src/json/audit/check.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { messageId } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'
import { signal } from '../folder.ts'
import { sessionId } from '../session-id.ts'
import { auditFile, checkFile, entry, openAudit } from './audit.ts'

const count = 1_000

/** Writes a log of a thousand lines to an empty folder. Returns the lines without newlines. */
async function thousandLines(directory: string): Promise<readonly string[]> {
  const log = openAudit(directory)
  for (let i = 1; i < count; i++) log.append(entry(i))
  await log.close()
  return (await readFile(auditFile(directory), 'utf8')).trimEnd().split('\n')
}

describe('the check of a log of a thousand lines', () => {
  let directory = ''
  let lines: readonly string[] = []
  const head = () => hashOf(lines.at(-1) ?? '')

  async function check(bytes: string | Buffer, expected?: string): Promise<AuditCheck> {
    await writeFile(auditFile(directory), bytes)
    const more = expected === undefined ? {} : { head: expected }
    return checkFile({ directory, session: sessionId(), signal, ...more })
  }

  const whole = (all: readonly string[]) => all.map((line) => `${line}\n`).join('')
  const anyLine = fc.integer({ min: 0, max: count - 1 })

  beforeAll(async () => {
    const empty = await mkdtemp(join(tmpdir(), 'pipe-json-'))
    try {
      lines = await thousandLines(empty)
    } finally {
      await rm(empty, { recursive: true })
    }
  })

  async function holds<T>(property: fc.IAsyncProperty<T>): Promise<void> {
    directory = await folderWith()
    await fc.assert(property, { numRuns: 60 })
  }

  it('finds no fault in an intact log', async () => {
    directory = await folderWith()
    expect(await check(whole(lines))).toEqual({ lines: count, head: head() })
    expect(await check(whole(lines), hashOf(lines[500] ?? ''))).toEqual({ lines: count, head: head() })
  })

  it('names the line of any changed byte', async () => {
    await holds(
      fc.asyncProperty(anyLine, fc.nat(), async (at, where) => {
        const bytes = Buffer.from(whole(lines))
        const start = Buffer.byteLength(whole(lines.slice(0, at)))
        const position = start + (where % ((lines[at]?.length ?? 0) + 1))
        bytes[position] = (bytes[position] ?? 0) ^ 1
        expect((await check(bytes)).fault?.line).toBe(at + 1)
      }),
    )
  })

  it('names the position of any dropped line', async () => {
    await holds(
      fc.asyncProperty(fc.integer({ min: 0, max: count - 2 }), async (at) => {
        expect((await check(whole(lines.toSpliced(at, 1)))).fault?.line).toBe(at + 1)
      }),
    )
  })

  it('names the first of any two swapped lines', async () => {
    await holds(
      fc.asyncProperty(anyLine, anyLine, async (a, b) => {
        fc.pre(a !== b)
        const swapped = lines.with(a, lines[b] ?? '').with(b, lines[a] ?? '')
        expect((await check(whole(swapped))).fault?.line).toBe(Math.min(a, b) + 1)
      }),
    )
  })

  it('names the line within which the log was cut', async () => {
    await holds(
      fc.asyncProperty(anyLine, fc.nat(), async (at, where) => {
        const line = lines[at] ?? ''
        const cut = whole(lines.slice(0, at)) + line.slice(0, 1 + (where % line.length))
        expect((await check(cut)).fault).toEqual({ line: at + 1, reason: 'it is cut' })
      }),
    )
  })

  it('detects complete lines cut off at the end only with the head', async () => {
    await holds(
      fc.asyncProperty(fc.integer({ min: 1, max: count - 1 }), async (at) => {
        const cut = whole(lines.slice(0, at))
        expect(await check(cut)).toEqual({ lines: at, head: hashOf(lines[at - 1] ?? '') })
        expect((await check(cut, head())).fault?.line).toBe(at + 1)
      }),
    )
  })
})

describe('a log', () => {
  it('is refused if it is empty, of another session, or missing', async () => {
    const directory = await folderWith()
    const options = { directory, session: sessionId(), signal }
    expect(await thrown(() => checkFile(options))).toMatchObject({ code: 'not_found' })
    await writeFile(auditFile(directory), '')
    expect((await checkFile(options)).fault).toEqual({ line: 1, reason: 'the log is empty' })
    const [header = ''] = await thousandLines(await folderWith())
    const other = header.replace(sessionId(), 'another')
    await writeFile(auditFile(directory), `${other}\n`)
    expect((await checkFile(options)).fault?.line).toBe(1)
  })
})

describe('the end of a log', () => {
  const user: AuditEntry = {
    decision: 'user_message',
    actor: 'user_local',
    message: { type: 'user', id: messageId(1), content: 'go' },
    audit: {},
  }
  const gave: AuditEntry = { decision: 'tool_interrupted', actor: 'agent_pipe', audit: { call_id: 'tc_1' } }
  const ended: AuditEntry = { decision: 'turn_ended', actor: 'agent_pipe', audit: {} }
  const said = 'the last turn has no end: pipe was killed during it, or lines were cut off'

  /** Checks a log with these entries. */
  async function faultOf(entries: readonly AuditEntry[], more: Partial<CheckOptions> = {}) {
    const directory = await folderWith()
    const log = openAudit(directory)
    for (const one of entries) log.append(one)
    await log.close()
    return (await checkFile({ directory, session: sessionId(), signal, ...more })).fault
  }

  it('is missing if the last turn has no end, unless a run still writes', async () => {
    expect(await faultOf([user, gave])).toEqual({ line: 4, reason: said })
    expect(await faultOf([user, gave], { isGrowing: true })).toBeUndefined()
    expect(await faultOf([user, ended, user])).toEqual({ line: 5, reason: said })
    expect(await faultOf([user, user, ended, entry(1)])).toBeUndefined()
  })

  it('is missing if the session is longer', async () => {
    const other = messageId(2)
    const reason = `the session continues to message ${other}: pipe was killed, or lines were cut off`
    expect(await faultOf([user, ended], { lastMessage: { id: other } })).toEqual({ line: 4, reason })
    expect(await faultOf([user, ended], { lastMessage: { id: other }, isGrowing: true })).toBeUndefined()
    expect(await faultOf([user, ended], { lastMessage: { id: messageId(1) } })).toBeUndefined()
    expect(await faultOf([user, gave, ended], { lastMessage: { id: other, callId: 'tc_1' } })).toBeUndefined()
    expect((await faultOf([user, ended], { lastMessage: { id: other, callId: 'tc_1' } }))?.reason).toBe(
      reason,
    )
  })
})

function hashOf(line: string): string {
  return /"hash":"([0-9a-f]{64})"}$/.exec(line)?.[1] ?? ''
}
