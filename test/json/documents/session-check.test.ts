import fc from 'fast-check'
import { expect } from 'vitest'
import type { Interaction } from '../../../src/interaction.ts'
import { decodeMessage } from '../../../src/json/documents/decode.ts'
import { encodeState } from '../../../src/json/documents/encode-document.ts'
import { envelopeSchema, messageSchema } from '../../../src/json/documents/schema.ts'
import { isDiskEnvelope, isDiskMessage } from '../../../src/json/documents/session-check.generated.ts'
import { encodeMessage } from '../../../src/wire/message-json.ts'
import { anyMessage, anyText, anyUsage } from '../../support/messages/arbitraries.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { messageId, timestamp } from '../../support/messages/messages.ts'
import { quickIt as it, sized, sizedIt } from '../../support/thorough.ts'
import { change, changesWith, onDisk } from '../changed.ts'

/** Values that replace one, among them the wrong and the almost right. */
const replacement = fc.constantFrom(
  ...['null', '0', '-1', '0.5', '1e999', 'true', '""', '"text"', '[]', '[1]', '{}', '{"a":"b"}', '{"a":1}'],
  ...['"user"', '"assistant"', '"tool_result"', '"image"', '"tool_call"', '"constructor"', '[{}]', '[[]]'],
  ...[`{"sha256":"${'a'.repeat(64)}","size":3}`, `{"sha256":"${'A'.repeat(64)}","size":3}`],
  ...[`{"sha256":"${'a'.repeat(64)}","size":-3}`, `{"sha256":"${'a'.repeat(64)}","size":9007199254740993}`],
  ...['{"provider":"x","data":null}', '{"provider":"x"}', '{"provider":"x","data":1,"more":2}'],
  ...['{"input_tokens":1,"output_tokens":2,"raw":null}', '{"input_tokens":1}'],
)

/** Added to an object, known or unknown. */
const added = fc.constantFrom(
  'blob',
  'data',
  'name',
  'id',
  'stars',
  'parent_id',
  'details',
  'metadata',
  'type',
)

const changes = changesWith(added, replacement)

sizedIt('accepts the messages that the schema accepts, and no others', () => {
  let accepted = 0
  let refused = 0
  fc.assert(
    fc.property(anyMessage, changes, (message, made) => {
      const disk = made.reduce(change, onDisk(encodeMessage(message)))
      const parsed = messageSchema.safeParse(disk)
      expect(isDiskMessage(disk)).toBe(parsed.success)
      if (!isDiskMessage(disk) || !parsed.success) return void refused++
      accepted++
      const ids = { id: messageId(1), parentId: undefined }
      const decode = (one: typeof parsed.data) => decodeMessage(one, ids, () => 'AAAA')
      expect(decode(disk)).toStrictEqual(decode(parsed.data))
    }),
    { numRuns: sized(800, 160) },
  )
  expect(Math.min(accepted, refused)).toBeGreaterThan(sized(150, 10))
})

const question: Interaction = {
  id: countingIds().interaction(),
  kind: 'confirm',
  purpose: 'generic',
  display: { title: 'Remove it?', dangers: [{ text: 'rm', start: 0, end: 2 }] },
}

sizedIt('accepts the envelopes that the schema accepts, and no others', () => {
  const state = { title: anyText, model: anyText, usage: anyUsage, costUsd: fc.double({ noNaN: true }) }
  const pending = fc.constant([{ callId: 'c1', interaction: question, subject: 'rm a' }])
  const envelope = fc.record({ ...state, head: fc.constant(messageId(1)), pending }, { requiredKeys: [] })
  fc.assert(
    fc.property(envelope, changes, (fields, made) => {
      const header = { system_prompt: 'You are pipe.', created_at: timestamp, cwd: '/', mood: 'calm' }
      const disk = made.reduce(change, onDisk({ ...header, ...encodeState(fields), updated_at: timestamp }))
      expect(isDiskEnvelope(disk)).toBe(envelopeSchema.safeParse(disk).success)
    }),
    { numRuns: sized(500, 100) },
  )
})

it.each(['image', 'document'])(
  'accepts the bytes of a %s and the name of their file as the schema does',
  (type) => {
    const sha256 = 'a'.repeat(64)
    const blobs = [
      ...[
        { sha256, size: 3 },
        { sha256, size: 3, more: 1 },
        { sha256, size: 0.5 },
        { sha256, size: -1 },
      ],
      ...[{ sha256, size: 2 ** 53 }, { sha256: `${sha256}a`, size: 3 }, { sha256 }, null, undefined],
    ]
    const accepted = blobs.flatMap((blob) =>
      ['AAAA', undefined].map((data) => {
        const content = [{ type, mime_type: 'a/b', data, blob }]
        const disk = onDisk({ type: 'user', content, timestamp })
        expect(isDiskMessage(disk)).toBe(messageSchema.safeParse(disk).success)
        return isDiskMessage(disk)
      }),
    )
    expect(accepted.filter(Boolean)).toHaveLength(5)
  },
)
