import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { closing, lead, preamble } from '../../../src/json/sessions/layout.ts'
import { quickScan } from '../../../src/json/sessions/quick-scan.ts'
import { type Scan, scanLines } from '../../../src/json/sessions/scan.ts'
import { encodeMessage } from '../../../src/wire/message-json.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { anyMessage, anyText } from '../../support/messages/arbitraries.ts'
import { timestamp } from '../../support/messages/messages.ts'
import { sized } from '../../support/thorough.ts'
import { signal } from '../folder.ts'

/** The bytes of a session file, padded as after state that shrank. */
const anyFile = fc
  .tuple(fc.array(anyMessage, { maxLength: 3 }), anyText, anyText, fc.nat({ max: 3 }))
  .map(([messages, system_prompt, title, blanks]) => {
    const lines = messages.map((message, i) => lead(i === 0) + JSON.stringify(encodeMessage(message)))
    const header = preamble({ version: 1, id: 'session-id', system_prompt })
    const tail = closing({ updated_at: timestamp, title })
    return Buffer.from(header + lines.join('') + tail + ' '.repeat(blanks))
  })

const pieces = [
  '\n',
  '],\n',
  ']\n',
  '}\n',
  '{\n',
  '"messages": [\n',
  ' ',
  '\0',
  '\ufeff',
  '\r',
  ',',
  '{},\n',
  '"x": 1,\n',
]

const damage = fc.tuple(
  fc.constantFrom('none', 'cut', 'byte', 'insert', 'drop line', 'repeat line', 'swap lines', 'join lines'),
  fc.nat(),
  fc.constantFrom(...pieces),
)

function damaged(bytes: Buffer, [how, at, piece]: readonly [string, number, string]): Buffer {
  const place = at % (bytes.length + 1)
  const lines = bytes.toString('latin1').split('\n')
  const line = at % lines.length
  const [here = '', next = ''] = lines.slice(line)
  const inLines = (...replaced: readonly string[]) =>
    Buffer.from(lines.toSpliced(line, 2, ...replaced).join('\n'), 'latin1')
  switch (how) {
    case 'cut':
      return bytes.subarray(0, place)
    case 'byte':
      return Buffer.from(bytes.map((byte, i) => (i === place ? at % 256 : byte)))
    case 'insert':
      return Buffer.concat([bytes.subarray(0, place), Buffer.from(piece), bytes.subarray(place)])
    case 'drop line':
      return inLines(next)
    case 'repeat line':
      return inLines(here, here, next)
    case 'swap lines':
      return inLines(next, here)
    case 'join lines':
      return inLines(here + next)
    default:
      return bytes
  }
}

it('reads a file in our layout as the reader of lines does, and declines any damaged one', async () => {
  const path = join(await folderWith(), 'session-id.json')
  const readLines = async (bytes: Buffer): Promise<Scan | undefined> => {
    await writeFile(path, bytes)
    const file = await open(path)
    return scanLines(file, signal).finally(() => file.close())
  }
  let declined = 0
  await fc.assert(
    fc.asyncProperty(anyFile, damage, damage, async (whole, first, second) => {
      expect(quickScan(whole)).toStrictEqual(await readLines(whole))
      const bytes = damaged(damaged(whole, first), second)
      const quick = quickScan(bytes)
      const lines = await readLines(bytes)
      if (quick === undefined) declined++
      else expect(quick).toStrictEqual(lines)
      if (lines !== undefined && lines.damage.length > 0) expect(quick).toBeUndefined()
    }),
    { numRuns: sized(400, 80) },
  )
  expect(declined).toBeGreaterThan(sized(50, 5))
})
