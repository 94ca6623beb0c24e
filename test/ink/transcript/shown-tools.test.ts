import { expect, it } from 'vitest'
import { lookOf as knownLook } from '../../../src/cli/wiring/tools/known-tools.ts'
import type { EndedCall } from '../../../src/ink/transcript/call.ts'
import { callLook } from '../../../src/ink/transcript/call-look.ts'
import { drawEndedCall } from '../../../src/ink/transcript/shown-tools.ts'
import type { JsonValue } from '../../../src/json-value.ts'
import { plain } from '../screen-text.ts'

const look = (name: string) => callLook({ look: knownLook }, name)

const failing = (name: string) =>
  ({ name, look: look(name), arguments: {}, isError: true, details: null }) as const

const drawn = (name: string, text: string, details: JsonValue, args?: JsonValue) =>
  plain(
    drawEndedCall(
      { name, look: look(name), arguments: args ?? {}, isError: false, text, details, durationMs: 3 },
      args === undefined ? 40 : 60,
    ),
  )

it('draws a plan as a checklist and indents wrapped items', () => {
  const todo = [
    { text: 'read', status: 'done' },
    { text: 'write all of the parser and the printer anew', status: 'in_progress' },
    { text: 'test', status: 'pending' },
  ]
  expect(drawn('todo', '1 of 3 done', { todo })).toEqual([
    '  ● todo               1 of 3 done  3 ms',
    '  ✓ read',
    '  ▸ write all of the parser and the',
    '    printer anew',
    '  ○ test',
  ])
  const empty = ['  ● todo               0 of 0 done  3 ms']
  expect(drawn('todo', '0 of 0 done', { todo: ['odd'] })).toEqual(empty)
  expect(drawn('todo', '0 of 0 done', null)).toEqual(empty)
})

it('shows questions with their answers', () => {
  expect(drawn('ask', 'Which? → A\nSure? → Yes', null)).toEqual([
    '  ● ask                             3 ms',
    '    Which? → A',
    '    Sure? → Yes',
  ])
})

it('TERM-236: reports how many invisible characters a call lost', () => {
  expect(drawn('read', 'a\n(2 invisible characters removed)', { invisible_removed: 2 })).toEqual([
    '  ● read                   2 lines  3 ms',
    '    2 invisible characters removed',
  ])
})

it('shows the errors that language servers found after a call', () => {
  const error = (line: number) => ({ line, column: 2, message: `wrong ${line}` })
  const diagnostics = [
    { path: 'a.ts', language: 'typescript', before: 0, after: 7, new: [1, 2, 3, 4, 5, 6, 7].map(error) },
  ]
  expect(drawn('write', 'created a.ts', { diagnostics }, { path: 'a.ts' })).toEqual([
    '  ● write   a.ts                       7 new errors     3 ms',
    ...[1, 2, 3, 4, 5].map((line) => `            a.ts:${line}:2 wrong ${line}`),
    '            … 2 more',
  ])
  expect(drawn('write', 'created a.ts', { diagnostics: 'odd' }, { path: 'a.ts' })).toHaveLength(1)
})

it('shows that a command continues in the background', () => {
  const text = 'begun\n[not done after 1 s: runs in the background as p1, pid 7; see process]'
  expect(drawn('bash', text, { process: 'p1', pid: 7 }, { command: 'make' })).toEqual([
    '  ● bash    make                      goes on as p1     3 ms',
  ])
  expect(drawn('bash', 'a\nb', { exit_code: 0 }, { command: 'ls' })).toEqual([
    '  ● bash    ls                              2 lines     3 ms',
  ])
})

it('shows the action on a process, its id and its input', () => {
  const args = { action: 'write', input: 'yes\n', id: 'p1' }
  expect(drawn('process', '[p1: running; no new output]', { process: 'p1' }, args)).toEqual([
    '  ● process write p1 yes                     1 line     3 ms',
  ])
  expect(drawn('process', 'none', null, { action: 'list' })).toEqual([
    '  ● process list                             1 line     3 ms',
  ])
})

it("shows the last rows of the user's own command, also if it failed", () => {
  expect(drawn('shell', 'a.js\nb.js', { exit_code: 0 }, { command: 'ls' }).slice(1)).toEqual([
    '  a.js',
    '  b.js',
  ])
  const text = Array.from({ length: 25 }, (_, i) => `row ${i}`).join('\n')
  const failed = drawEndedCall({ ...failing('shell'), text }, 60)
  expect(
    plain(failed)
      .slice(1, 3)
      .map((row) => row.trim()),
  ).toEqual(['… 5 lines above   ^O', 'row 5'])
  expect(failed).toHaveLength(22)
})

it('counts all lines of an output of which only the ends were kept', () => {
  const text = `${'row\n'.repeat(2_000)}[… 7000 lines left out …]`
  const details = { lines: 9_000 }
  expect(drawn('bash', text, details, { command: 'make' })).toEqual([
    '  ● bash    make                           9k lines     3 ms',
  ])
  const failed = drawEndedCall({ ...failing('bash'), text: `Error: a\n${text}`, details }, 60)
  expect(plain(failed).at(-1)).toMatch(/Error: a +\^O 9k lines$/)
  const own = drawn('shell', text, details, { command: 'make' })
  expect(own[0]).toMatch(/ 9k lines /)
  expect(own[1]?.trim()).toBe('… 9k lines above   ^O')
})

it('names the key that the user gave to the output of calls', () => {
  const call: EndedCall = { ...failing('bash'), text: 'Error: a\nb' }
  const lastOf = (outputKey: string) => plain(drawEndedCall(call, 60, { outputKey })).at(-1)
  expect(lastOf('F5')).toMatch(/ F5 2 lines$/)
  expect(lastOf('')).toMatch(/ {2}2 lines$/)
})

it.each(['edit', 'bash'])('does not show what %s tells the model about its arguments', (name) => {
  const text = `bad arguments for ${name}: path: Invalid input\nusage: ${name}(path: string)`
  const call: EndedCall = { ...failing(name), text }
  expect(plain(drawEndedCall(call, 90)).slice(1)).toEqual([
    '            the model got the arguments wrong, and was told the right ones',
  ])
})
