import { beforeEach, expect, it } from 'vitest'
import type { AuditEntry, AuditLog } from '../../src/audit.ts'
import { PipeError } from '../../src/error.ts'
import { readSessionId } from '../../src/id.ts'
import { checkAudit } from '../../src/json/audit/check.ts'
import { auditFormat } from '../../src/json/audit/format.ts'
import { createRedactor } from '../../src/redaction/redaction.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { countingIds } from '../support/messages/ids.ts'
import { thrown } from '../support/thrown.ts'
import { openHere } from './open-here.ts'

const { signal } = new AbortController()
const session = readSessionId('s1')
const entry = (number: number): AuditEntry => ({
  decision: 'retry',
  actor: 'agent_pipe',
  audit: { attempt: number, note: 'key hunter2-hunter2, NUL \0' },
})

describeWithDatabase('the audit log of a task in PostgreSQL', (database) => {
  beforeEach(() => database.clear())

  function open(attempt?: number, requireHeld = () => {}): AuditLog {
    const redact = createRedactor(['hunter2-hunter2'])
    const format = auditFormat({ clock: stillClock(), newId: countingIds(), redact })
    const more = attempt === undefined ? {} : { attempt }
    return openHere(database.url).auditLog({ session, cwd: '/home/ada', format, requireHeld, ...more })
  }

  async function* lines() {
    let number = 0
    for await (const line of openHere(database.url).audits.lines(session, { signal }))
      yield { number: ++number, start: 0, bytes: Buffer.from(line), whole: true }
  }
  const check = () => checkAudit(lines(), { session })

  it('holds what its file would hold, chained over several writers, without secrets', async () => {
    const first = open()
    for (let i = 0; i < 450; i++) first.append(entry(i))
    await first.sync()
    first.append(entry(450))
    first.settle()
    await first.close()
    const second = open()
    second.append(entry(451))
    await second.close()
    const { lines: count, head, fault } = await check()
    expect([count, fault]).toEqual([453, undefined])
    expect(head).toMatch(/^[0-9a-f]{64}$/)
    const rows = await database.query<{ line: string }>('select line from pipe.audit_lines order by seq')
    expect(JSON.parse(rows[0]?.line ?? '')).toMatchObject({
      type: 'audit',
      session_id: 's1',
      cwd: '/home/ada',
    })
    expect(JSON.parse(rows[452]?.line ?? '')).toMatchObject({ seq: 453, audit: { attempt: 451 } })
    expect(rows.filter(({ line }) => line.includes('hunter2'))).toEqual([])
  })

  it('shows any line that was altered or removed', async () => {
    const log = open()
    for (let i = 0; i < 10; i++) log.append(entry(i))
    await log.close()
    await database.query(`update pipe.audit_lines set line = replace(line, '"attempt":4', '"attempt":5')`)
    expect((await check()).fault).toMatchObject({ line: 6, reason: expect.stringMatching(/altered/) })
    await database.query('delete from pipe.audit_lines where seq = 6')
    expect((await check()).fault).toMatchObject({ line: 6, reason: expect.stringMatching(/removed/) })
  })

  it('is refused to a writer once a newer attempt has begun', async () => {
    const log = open(1)
    log.append(entry(1))
    await log.sync()
    await database.query('insert into pipe.writers (session_id, attempt) values ($1, 2)', [session])
    log.append(entry(2))
    expect(await thrown(() => log.sync())).toMatchObject({ code: 'conflict' })
    expect(() => log.settle()).toThrow(/taken it over/)
    const next = open(2)
    next.append(entry(3))
    await next.close()
    expect(await check()).toMatchObject({ lines: 3 })
  })

  it('mixes no lines of two writers: one of them fails', async () => {
    const [one, other] = [open(), open()]
    for (const log of [one, other]) {
      log.append(entry(1))
      await log.sync()
    }
    one.append(entry(2))
    one.append(entry(3))
    expect(await thrown(() => one.sync())).toMatchObject({ code: 'conflict' })
    other.append(entry(4))
    await other.sync()
    expect(await check()).toMatchObject({ lines: 4 })
    expect((await check()).fault).toBeUndefined()
  })

  it('is refused to a writer that has lost its session', async () => {
    const held = { isLost: false }
    const log = open(undefined, () => {
      if (held.isLost) throw new PipeError('conflict', 'lost')
    })
    log.append(entry(1))
    await log.sync()
    held.isLost = true
    log.append(entry(2))
    expect(await thrown(() => log.sync())).toMatchObject({ code: 'conflict', message: 'lost' })
  })

  it('keeps entries that could not be written, and writes them later in order', async () => {
    const log = open()
    log.append(entry(1))
    await log.sync()
    await database.query('alter table pipe.audit_lines rename to gone')
    log.append(entry(2))
    expect(await thrown(() => log.sync())).toMatchObject({ code: 'internal' })
    await database.query('alter table pipe.gone rename to audit_lines')
    log.append(entry(3))
    await log.sync()
    expect(await check()).toMatchObject({ lines: 4 })
  })

  it('is found by the beginning of its session, and known to grow while a process holds that', async () => {
    const { audits, sessions } = openHere(database.url)
    const log = open()
    log.append(entry(1))
    await log.close()
    expect(await audits.find('s', { signal })).toEqual(['s1'])
    expect(await audits.find('t', { signal })).toEqual([])
    const facts = { id: session, systemPrompt: '', createdAt: '2026-02-18T12:00:00.000Z' }
    const writer = await sessions().create(facts, { signal })
    expect(await audits.isGrowing(session, { signal })).toBe(true)
    await writer.close()
    expect(await audits.isGrowing(session, { signal })).toBe(false)
  })
})
