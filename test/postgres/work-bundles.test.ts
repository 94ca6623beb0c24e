import { createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { taskId } from '../support/tasks/task-events.ts'
import { openHere } from './open-here.ts'

const { signal } = new AbortController()
const hash = (bytes: Uint8Array | undefined) => bytes && createHash('sha256').update(bytes).digest('hex')

describeWithDatabase('bundles of tasks in PostgreSQL', (database) => {
  it('are replaced as a whole, and removed', async () => {
    const { bundles } = openHere(database.url)
    const other = openHere(database.url).bundles
    const large = randomBytes(9_000_000)
    expect(await bundles.get(taskId(1), { signal })).toBeUndefined()
    await bundles.put(taskId(1), large, { signal })
    await bundles.put(taskId(2), Buffer.from('two'), { signal })
    expect(hash(await other.get(taskId(1), { signal }))).toBe(hash(large))
    await bundles.put(taskId(1), Buffer.from('one'), { signal })
    expect(String(await other.get(taskId(1), { signal }))).toBe('one')
    await bundles.put(taskId(1), Buffer.alloc(0), { signal })
    expect(await other.get(taskId(1), { signal })).toEqual(Buffer.alloc(0))
    await bundles.remove(taskId(1), { signal })
    expect(await other.get(taskId(1), { signal })).toBeUndefined()
    expect(String(await other.get(taskId(2), { signal }))).toBe('two')
  })
})
