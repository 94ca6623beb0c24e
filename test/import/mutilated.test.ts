import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import { repairHistory } from '../../src/agent/turn/repair.ts'
import { isPipeError } from '../../src/error.ts'
import { branchOf } from '../../src/history/branch.ts'
import type { ForeignSession } from '../../src/import/read-session.ts'
import { validateMessage } from '../../src/message.ts'
import { validateHistory } from '../../src/provider.ts'
import { codePoint } from '../support/messages/code-point.ts'
import { now } from '../support/messages/messages.ts'
import { quickIt as it, sized, sizedIt } from '../support/thorough.ts'
import { claudeLines } from './claude-lines.ts'
import { codexLines } from './codex-lines.ts'
import { outlineMessage, readForeign } from './foreign.ts'
import { geminiLines } from './gemini-lines.ts'
import { piLines } from './pi-lines.ts'

const weird = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('\u{e0041}', '[['.repeat(300), null, -1e308),
)

/** A line that is damaged in some way: cut, replaced, written twice, or with another value at some place. */
function damaged(line: object): Arbitrary<readonly string[]> {
  const text = JSON.stringify(line)
  const values = Array.from(text.matchAll(/(?<=":)("[^"\\]*"|null|true|false|\d+)/g))
  return fc.oneof(
    fc.constant([]),
    fc.constant([text, text]),
    fc.nat(text.length - 1).map((at) => [text.slice(0, at)]),
    fc.string({ unit: codePoint, maxLength: 20 }).map((junk) => [junk.replaceAll('\n', ' ')]),
    fc.tuple(fc.constantFrom(...values), weird).map(([found, value]) => {
      const end = found.index + found[0].length
      return [text.slice(0, found.index) + JSON.stringify(value) + text.slice(end)]
    }),
  )
}

/** Some lines of a session damaged, and perhaps two others exchanged. */
function mutilated(lines: readonly object[]) {
  const at = fc.nat(lines.length - 1)
  return fc.tuple(fc.array(at, { maxLength: 4 }), at, at).chain(([broken, a, b]) =>
    fc
      .tuple(
        ...lines.map((line, i) => (broken.includes(i) ? damaged(line) : fc.constant([JSON.stringify(line)]))),
      )
      .map((parts) => {
        const moved = [...parts]
        ;[moved[a], moved[b]] = [parts[b] ?? [], parts[a] ?? []]
        return { text: moved.flat().join('\n'), broken }
      }),
  )
}

/** Matches the texts that must be imported if their lines are whole. */
const said = /why does add fail\?|Let me look\.|It subtracts\./

function expectWhole({ messages, ...session }: ForeignSession): void {
  for (const message of messages) validateMessage(message, now)
  const ids = messages.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [at, { parentId }] of messages.entries())
    if (parentId !== undefined && ids.includes(parentId)) expect(ids.indexOf(parentId)).toBeLessThan(at)
  validateHistory(repairHistory(branchOf({ messages, ...session })))
}

it.each([
  ['Claude Code', claudeLines],
  ['Codex', codexLines],
  // A message that is written again replaces itself.
  ['Gemini CLI', geminiLines.toSpliced(4, 1)],
  ['pi', piLines],
])('however lines of %s are mutilated, the others are imported, as a valid history', async (_, lines) => {
  await fc.assert(
    fc.asyncProperty(mutilated(lines), async ({ text, broken }) => {
      const session = await readForeign(text)
      expectWhole(session)
      const outlines = session.messages.map(outlineMessage).join('\n')
      for (const [i, line] of lines.entries()) {
        const text = JSON.stringify(line)
        const words = text.includes('event_msg') ? undefined : said.exec(text)?.[0]
        if (words !== undefined && !broken.includes(i)) expect(outlines).toContain(words)
      }
    }),
    { numRuns: 50 },
  )
})

sizedIt('any bytes are a session or an error for the user', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.json(), fc.string())), async (lines) => {
      try {
        expectWhole(await readForeign(lines))
      } catch (error) {
        expect(isPipeError(error) && error.code).toBe('input')
      }
    }),
    { numRuns: sized(200, 40) },
  )
})
