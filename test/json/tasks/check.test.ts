import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isDiskTaskEvent } from '../../../src/json/tasks/check.generated.ts'
import { decodeStoredEvent } from '../../../src/json/tasks/decode.ts'
import { taskEventSchema } from '../../../src/json/tasks/schema.ts'
import { encodeStoredEvent } from '../../../src/wire/task-json.ts'
import { bareEvents, fullEvents, stored } from '../../support/tasks/task-events.ts'
import { sized } from '../../support/thorough.ts'
import { change, changesWith, onDisk } from '../changed.ts'

const values = fc.constantFrom(
  ...['null', '0', '-1', '1', '0.5', '1e999', 'true', '""', '"text"', '[]', '[1]', '{}', '{"a":1}', '[{}]'],
  ...['"task_failed"', '"asset"', '"select"', '"normal"', '"constructor"', '9007199254740993'],
  ...['{"kind":"asset","asset_id":"a"}', '[{"kind":"citation","cite_key":"a"}]', '{"attempt":2}'],
)
const fields = fc.constantFrom('options', 'artifact_refs', 'reason', 'parts', 'more', 'mood', 'type', 'code')

it('accepts the events that the schema accepts, and no others', () => {
  const counts = { accepted: 0, refused: 0 }
  const events = fc.constantFrom(...stored(fullEvents()), ...stored(bareEvents()))
  fc.assert(
    fc.property(events, changesWith(fields, values), (event, made) => {
      const disk = made.reduce(change, onDisk(encodeStoredEvent(event)))
      const parsed = taskEventSchema.safeParse(disk)
      expect(isDiskTaskEvent(disk)).toBe(parsed.success)
      if (!isDiskTaskEvent(disk) || !parsed.success) return void counts.refused++
      counts.accepted++
      expect(decodeStoredEvent(disk)).toStrictEqual(decodeStoredEvent(parsed.data))
    }),
    { numRuns: sized(3_000, 600) },
  )
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(sized(500, 50))
})
