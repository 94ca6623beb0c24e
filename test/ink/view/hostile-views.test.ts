import { describe, expect, it } from 'vitest'
import { lookOf } from '../../../src/cli/wiring/tools/known-tools.ts'
import type { FrontendApi, OutputFile } from '../../../src/frontend/conversation-view.ts'
import type { ContextUse } from '../../../src/history/context-use.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { columnsOf } from '../../../src/ink/rows/columns.ts'
import { lineText, paint } from '../../../src/ink/rows/line.ts'
import { themes } from '../../../src/ink/rows/theme.ts'
import { beginElf } from '../../../src/ink/shown-elf.ts'
import type { Entry, Screen } from '../../../src/ink/state.ts'
import type { EndedCall } from '../../../src/ink/transcript/call.ts'
import { drawEntry } from '../../../src/ink/transcript/entry.ts'
import { ByteSource, bytesOf } from '../../../src/ink/view/byte-source.ts'
import { contextView } from '../../../src/ink/view/context-view.ts'
import { costView } from '../../../src/ink/view/cost-view.ts'
import { diffView } from '../../../src/ink/view/diff-view.ts'
import { helpView } from '../../../src/ink/view/help-view.ts'
import { outputView } from '../../../src/ink/view/output-view.ts'
import { thoughtsView } from '../../../src/ink/view/thoughts-view.ts'
import { openView, type View } from '../../../src/ink/view/view.ts'
import { drawView } from '../../../src/ink/view/view-draw.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { assistant, messageId, text, user } from '../../support/messages/messages.ts'
import { emptyScreen } from '../conversation.ts'

/** Sets the clipboard and the title, clears the screen, moves back, begins a row, reverses text. */
const evil =
  'a\u001b]52;c;eA==\u0007b\u001b]0;t\u001b\\c\u001b[2Jd\u009b2Je\rf\bg\nh\u202ei\u001bPq\u001b\\j\u001b[999Ck'
/** One row of plain text and colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
const harmless = /^(?:\u001b\[[\d;]*m|[^\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069])*$/u

const newId = countingIds()
const sizes = [
  { columns: 100, rows: 400 },
  { columns: 40, rows: 400 },
]

const call: EndedCall = {
  name: evil,
  look: {},
  arguments: { path: evil, command: evil },
  text: evil,
  isError: false,
  durationMs: 1_000,
}
const edit: EndedCall = { ...call, name: 'edit', look: lookOf('edit'), details: { diff: diffOf(evil) } }

function diffOf(words: string): string {
  return `--- a/${words}\n+++ b/${words}\n@@ -1 +1 @@ ${words}\n-${words}\n+${words}\n`
}

const api: FrontendApi = {
  compose: () => user(text(evil)),
  complaint: () => undefined,
  branch: () => evil,
  readMode: () => undefined,
  prompts: () => [{ name: evil, description: evil, source: evil, text: evil }],
}

const use: ContextUse = {
  model: evil,
  tokens: 10,
  isCounted: true,
  window: 100,
  limit: 90,
  autoCompact: true,
  parts: [{ kind: 'tool_results', tokens: 10, largest: [{ name: evil, tokens: 5 }] }],
}

const elf = beginElf(
  {
    type: 'elf_start',
    callId: 'call_1',
    elfId: newId.agent(),
    name: evil,
    agent: evil,
    model: `test/${evil}`,
    prompt: evil,
  },
  0,
)

function hostileScreen(size: Screen['size']): Screen {
  const blank = emptyScreen(size)
  return {
    ...blank,
    elves: [elf],
    recent: { calls: [call, edit], thoughts: [evil], answers: [evil] },
    queued: [{ id: messageId(1), kind: 'next', text: evil, written: { text: evil, pastes: [] } }],
    routeReason: evil,
    status: { ...blank.status, model: `test/${evil}`, branch: evil, agent: evil, server: evil, lost: evil },
  }
}

const reply = { ...assistant(text(evil)), model: evil, usage: { inputTokens: 1, outputTokens: 1 } }

const views: readonly (readonly [string, (screen: Screen) => View | undefined])[] = [
  ['the keys and commands', (screen) => helpView(api, screen)],
  ['the context', () => contextView(use)],
  ['the cost', (screen) => costView(screen, [reply])],
  ['a diff', () => diffView(evil, diffOf(evil), undefined)],
  ['an output', ({ recent }) => outputView({ ...shown, calls: recent.calls, index: 0 })],
  ['an edit', ({ recent }) => outputView({ ...shown, calls: recent.calls, index: 1 })],
  ['a file', ({ recent }) => outputView({ ...shown, file: fileOf(evil), calls: recent.calls, index: 0 })],
  ['the thoughts', (screen) => thoughtsView(screen)],
  [
    'a search that found nothing',
    () => ({
      ...openView({ type: 'help', title: evil, source: none }),
      facts: evil,
      note: evil,
      typed: evil,
    }),
  ],
]
const shown = { file: undefined, syntax: undefined, hasPager: true }
const none = new ByteSource(bytesOf(''))

function fileOf(words: string): OutputFile {
  return { ...bytesOf(words), close: () => undefined }
}

const entries: readonly Entry[] = [
  { type: 'header', version: evil, folder: evil, branch: evil, instructions: [evil] },
  { type: 'user', text: evil },
  { type: 'thinking', text: evil, beginning: evil, durationMs: 5_000 },
  { type: 'tool', ...call },
  { type: 'tool', ...call, isError: true },
  { type: 'tool', ...edit },
  { type: 'reads', calls: [{ ...call, name: 'read', look: lookOf('read') }] },
  { type: 'plan', items: [{ text: evil, status: 'done' }] },
  { type: 'note', level: 'error', text: evil },
]

describe.each(sizes)('with hostile text in every field, at $columns columns', (size) => {
  it.each(views)('%s are rows of plain text', (_, open) => {
    const screen = hostileScreen(size)
    const view = open(screen)
    if (view === undefined) throw new Error('There is no view.')
    const rows = drawView(screen, view)
    expect(rows.map((row) => paint(row, themes.dark)).filter((row) => !harmless.test(row))).toEqual([])
    expect(rows.map((row) => columnsOf(lineText(row))).filter((width) => width > size.columns)).toEqual([])
  })

  it.each(entries)('an entry of the transcript is rows of plain text: $type', (entry) => {
    const rows = drawEntry(entry, size.columns, undefined, { outputKey: evil })
    expect(rows.map((row) => paint(row, themes.dark)).filter((row) => !harmless.test(row))).toEqual([])
  })

  it('the rows below the transcript are plain text', () => {
    const rows = drawLive(hostileScreen(size)).map((row) => paint(row, themes.dark))
    expect(rows.filter((row) => !harmless.test(row))).toEqual([])
  })
})

it('a command of a project is shown without the sequences in its description', () => {
  const screen = emptyScreen()
  const rows = drawView(screen, helpView({ ...api, prompts: () => [own] }, screen))
  expect(rows.map(lineText).join('\n')).toMatch(/\/deploy +ships it \(of this project\)/)
})

const own = {
  name: 'deploy',
  description: '\u001b]52;c;eA==\u0007ships\u001b[31m it',
  text: 'x',
  source: 'of this project',
}
