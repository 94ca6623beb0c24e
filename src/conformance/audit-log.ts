import { strict as assert } from 'node:assert'
import type { AuditEntry, AuditLog } from '../audit.ts'
import type { JsonObject } from '../json-value.ts'
import { type ConformanceCase, casesOn, throwsCode } from './suite.ts'

/** One empty log for one case. */
export interface AuditLogSubject {
  readonly log: AuditLog
  /** Opens the same log anew, once the first is closed. */
  reopen(): Promise<AuditLog>
  /** Reads the facts of all entries that are stored, in order. */
  read(): Promise<readonly Pick<AuditEntry, 'decision' | 'actor' | 'audit'>[]>
  close?(): Promise<void>
}

/** The promises of every audit log. `create` returns an empty one. */
export function auditLogConformance(create: () => Promise<AuditLogSubject>): readonly ConformanceCase[] {
  const about = casesOn(async () => {
    const subject = await create()
    const close = async () => {
      await subject.log.close()
      await subject.close?.()
    }
    return { ...subject, close }
  })
  return [
    about('stores entries in their order', async ({ log, read }) => {
      const entries = [
        entry({ n: 1 }),
        entry({ text: 'Löwe 🦁 "\n' }),
        entry({ list: [1, null, { a: true }] }),
      ]
      for (const one of entries) log.append(one)
      await log.sync()
      assert.deepEqual((await read()).map(factsOf), entries)
      assert.equal(log.unsaved, undefined)
    }),
    about('names its last line, which each entry changes', async ({ log }) => {
      assert.equal(log.head, undefined)
      const heads = new Set<string | undefined>()
      for (const n of [1, 2, 2]) {
        log.append(entry({ n }))
        await log.sync()
        heads.add(log.head)
      }
      assert.equal(heads.size, 3)
      assert.ok(!heads.has(undefined))
    }),
    about('stores what waits when it is closed, and goes on when it is opened anew', async (subject) => {
      const { log, reopen, read } = subject
      log.append(entry({ n: 1 }))
      await Promise.all([log.close(), log.close()])
      const again = await reopen()
      again.append(entry({ n: 2 }))
      await again.close()
      assert.deepEqual((await read()).map(factsOf), [entry({ n: 1 }), entry({ n: 2 })])
    }),
    about('takes no entry after its end', async ({ log }) => {
      await log.close()
      await throwsCode('conflict', () => log.append(entry({ n: 1 })))
    }),
  ]
}

function entry(audit: JsonObject): AuditEntry {
  return { decision: 'feedback', actor: 'user_local', audit }
}

function factsOf({ decision, actor, audit }: Pick<AuditEntry, 'decision' | 'actor' | 'audit'>) {
  return { decision, actor, audit }
}
