import { describe, expect, it } from 'vitest'
import type { PageEntry } from '../../../src/hono/page/session/page-entry.ts'
import { answerHere, reduceLine } from '../../../src/hono/page/session/reduce.ts'
import { lastSheets } from '../../../src/hono/page/session/sheet.ts'
import { emptyView, type SessionView } from '../../../src/hono/page/session/view-state.ts'
import { cleanFields } from '../../../src/hono/page/wire/clean.ts'
import { markedRanges } from '../../../src/hono/page/wire/page-question.ts'
import { isJsonObject, type JsonObject, parseJson, textField } from '../../../src/json-value.ts'
import { encodeMessage } from '../../../src/wire/message-json.ts'
import { assistant, call, text, toolResult, user } from '../../support/messages/messages.ts'

/** Passes a value through JSON, as it arrives. */
function json(value: object): JsonObject {
  const read = parseJson(JSON.stringify(value))
  if (!isJsonObject(read)) throw new Error('no object')
  return read
}

function view(...lines: readonly object[]): SessionView {
  return lines.map(json).map(cleanFields).reduce(reduceLine, emptyView)
}

/** Lists the entries, each in a few words. */
function outline({ transcript }: SessionView): readonly string[] {
  return lastSheets(transcript, Number.POSITIVE_INFINITY)
    .flatMap(({ entries }) => entries)
    .map(describeEntry)
}

function describeEntry(entry: PageEntry): string {
  switch (entry.type) {
    case 'call':
      return `${entry.outcome}: ${entry.name} ${entry.target} → ${entry.output}`
    case 'media':
      return `media: ${entry.media.map(({ label }) => label).join()}`
    default:
      return `${entry.type}: ${entry.text}`
  }
}

const question = {
  id: 'ui_123456789012',
  kind: 'select',
  purpose: 'confirm_risky_action',
  display: { title: 'Allow bash?', content: { command: 'rm x' }, content_kind: 'json' },
  options: [
    { id: 'allow', label: 'Yes' },
    { id: 'deny', label: 'No', style: 'danger', is_default: true },
  ],
}

const asks = { type: 'interaction_requested', interaction: question, call_id: 'c1' }
const answered = (fields: object = {}) => ({
  type: 'interaction_responded',
  response: { interaction_id: question.id, answered_by: 'user_a', selected_option_id: 'allow', ...fields },
})

const start = { type: 'turn_start', message: encodeMessage(user(text('Do it.'))) }
const reply = { type: 'message', message: encodeMessage(assistant(text('I read.'), call('c1'))) }
const runs = { type: 'tool_start', call_id: 'c1', name: 'read', arguments: { path: 'auth.ts' } }
const ends = {
  type: 'tool_end',
  call_id: 'c1',
  is_error: false,
  content: [{ type: 'text', text: 'whole' }],
  duration_ms: 1_200,
}
const result = { type: 'message', message: encodeMessage(toolResult('c1', text('whole'))) }
const over = { type: 'turn_end', stop_reason: 'end_turn', cost_usd: 0.25 }

describe('the view of a session', () => {
  it('is the same after the events of a turn and after the snapshot behind it', () => {
    const followed = view(
      { type: 'snapshot', state: 'idle', messages: [] },
      start,
      reply,
      runs,
      ends,
      result,
      over,
    )
    const messages = [start.message, reply.message, result.message]
    const read = view({ type: 'snapshot', state: 'idle', messages, cost_usd: 0.25 })
    const told = ['prompt: Do it.', 'reply: I read.', 'done: read auth.ts → whole']
    expect([outline(followed), outline(read)]).toEqual([told, told])
    expect(followed).toMatchObject({ isRunning: false, calls: [], costUsd: 0.25 })
    expect(read).toMatchObject({ isRunning: false, calls: [], costUsd: 0.25 })
  })

  it('streams a reply, and replaces it by its message', () => {
    const delta = (words: string) => ({ type: 'text_delta', id: 'b1', delta: words })
    const streaming = view(start, delta('I '), delta('read.'))
    expect([streaming.isRunning, streaming.reply.open?.text]).toEqual([true, 'I read.'])
    const said = json(reply)
    expect(reduceLine(streaming, said).reply.open).toBeUndefined()
  })

  it('follows a call from its first letter to its end, with the end of its output', () => {
    const begun = view(start, { type: 'tool_call_begin', id: 'c1', name: 'read' })
    expect(begun.calls).toMatchObject([{ name: 'read', state: 'writing', target: '' }])
    const output = (chunk: string) => ({ type: 'tool_output', call_id: 'c1', stream: 'stdout', chunk })
    const running = view(start, reply, runs, output('x'.repeat(10_000)), output('end'))
    expect(running.calls).toMatchObject([{ state: 'running', target: 'auth.ts' }])
    expect(running.calls[0]?.output).toMatch(/^x{3997}end$/)
  })

  it('keeps what was cut off: a snapshot of a turn that runs has its open calls, of one that is over none', () => {
    const messages = [start.message, reply.message]
    const calls = [{ call_id: 'c1', name: 'read', arguments: { path: 'auth.ts' } }]
    const running = view({ type: 'snapshot', state: 'toolcall', messages, calls, questions: [] })
    expect(running).toMatchObject({ isRunning: true, calls: [{ id: 'c1', state: 'running' }] })
    const stopped = view({ type: 'snapshot', state: 'idle', messages, calls: [], questions: [] })
    expect([stopped.calls, outline(stopped).at(-1)]).toEqual([[], 'interrupted: read auth.ts → '])
  })

  it('knows from a snapshot which call a question is about', () => {
    const calls = [
      { call_id: 'c1', name: 'read', arguments: { path: 'auth.ts' } },
      { call_id: 'c2', name: 'bash', arguments: { command: 'make' }, asks: 'int_2' },
    ]
    const questions = [{ id: 'int_2', kind: 'confirm', display: { title: 'Run this command?' } }]
    const asked = view({ type: 'snapshot', state: 'toolcall', messages: [start.message], calls, questions })
    expect(asked.questions).toMatchObject([{ id: 'int_2', callId: 'c2' }])
  })

  it('drops what a retry discards, and says why', () => {
    const retried = view(
      start,
      { type: 'text_delta', id: 'b1', delta: 'void' },
      { type: 'retry', attempt: 1, reason: 'overloaded', wait_ms: 1, discarded: ['b1'] },
    )
    expect([retried.reply.open, outline(retried).at(-1)]).toEqual([
      undefined,
      'note: overloaded; trying again',
    ])
  })

  it('shows a question until it is answered, and tells who answers elsewhere', () => {
    const asked = view(start, asks)
    expect(asked.questions).toMatchObject([{ id: question.id, isPermission: true, title: 'Allow bash?' }])
    const elsewhere = view(start, asks, answered())
    expect([elsewhere.questions, outline(elsewhere).at(-1)]).toEqual([
      [],
      'note: Allow bash? Answered elsewhere.',
    ])
    const withdrawn = view(start, asks, answered({ cancelled: true }))
    expect(outline(withdrawn).at(-1)).toBe('note: Allow bash? No answer is needed any more.')
    const here = reduceLine(answerHere(asked, question.id), json(answered()))
    expect([here.questions, outline(here).at(-1)]).toEqual([[], 'prompt: Do it.'])
  })

  it('shows waiting messages until they are delivered', () => {
    const queue = [{ id: start.message.id, text: 'Do it.', kind: 'follow_up' }]
    const waiting = view({ type: 'queue', queue })
    expect(waiting.queue).toEqual([{ id: start.message.id, text: 'Do it.', isLater: true }])
    expect(reduceLine(waiting, json(start)).queue).toEqual([])
  })

  it('keeps the events of elves apart, and joins what they did to their call', () => {
    const elf = (line: object) => ({ ...line, agent_id: 'e-1' })
    const begin = {
      type: 'elf_start',
      call_id: 'c1',
      elf_id: 'e-1',
      name: 'e1',
      agent: 'explore',
      prompt: 'Find',
    }
    const working = view(start, reply, runs, begin, elf(start), elf({ ...runs, name: 'grep' }), elf(asks))
    expect(working).toMatchObject({ questions: [], elves: [{ name: 'e1', calls: 1, doing: 'asks you' }] })
    expect(outline(working)).toEqual(['prompt: Do it.', 'reply: I read.'])
    const done = [{ type: 'elf_end', elf_id: 'e-1', name: 'e1', stop_reason: 'end_turn' }, ends]
    const ended = done.map(json).reduce(reduceLine, working)
    const [last] = lastSheets(ended.transcript, 1)
    expect(last?.entries.at(-1)).toMatchObject({ type: 'call', elf: { name: 'e1', state: 'done', calls: 1 } })
  })

  it.each([
    ['unknown', undefined, 'done'],
    ['length', undefined, 'done'],
    ['end_turn', 'the budget is spent', 'failed'],
    ['error', undefined, 'failed'],
    ['refusal', undefined, 'failed'],
    ['aborted', 'interrupted', 'stopped'],
  ])('says of an elf that ended with %s and the reason %s that it is %s', (stop_reason, reason, state) => {
    const begin = {
      type: 'elf_start',
      call_id: 'c1',
      elf_id: 'e-1',
      name: 'e1',
      agent: 'explore',
      prompt: 'x',
    }
    const { elves } = view(begin, { type: 'elf_end', elf_id: 'e-1', name: 'e1', stop_reason, reason })
    expect(elves).toMatchObject([{ state, reason: reason ?? '' }])
  })

  it('names a diff, a plan and pictures, of which only harmless ones have a source', () => {
    const details = { diff: '@@ -1 +1 @@\n-a\n+b\n', todo: [{ text: 'Look', status: 'done' }] }
    const image = { type: 'image', mime_type: 'image/png', data: 'AAAA' }
    const forged = { type: 'image', mime_type: 'image/svg+xml', data: 'AAAA' }
    const { transcript } = view(start, reply, runs, { ...ends, content: [image, forged], details })
    expect(lastSheets(transcript, 1)[0]?.entries.at(-1)).toMatchObject({
      diff: details.diff,
      plan: [{ text: 'Look', status: 'done' }],
      media: [{ source: 'data:image/png;base64,AAAA' }, { source: undefined }],
    })
  })

  it('says why a call was not carried out', () => {
    const denied = (reason: string) => {
      const told = { ...ends, is_error: true, details: { permission: 'denied', reason } }
      return lastSheets(view(start, reply, runs, told).transcript, 1)[0]?.entries.at(-1)
    }
    expect(denied('the user said no: not now')).toMatchObject({
      outcome: 'failed',
      denial: { fact: 'you said no', words: '“not now”' },
    })
    expect(denied('a rule forbids it')).toMatchObject({
      denial: { fact: 'not allowed', words: 'a rule forbids it' },
    })
  })

  it('knows which call a question is about', () => {
    expect(view(start, reply, runs, { ...asks, call_id: 'c1' }).questions).toMatchObject([{ callId: 'c1' }])
  })

  it('adds an entry by copying the last sheet only', () => {
    const long = view(...Array.from({ length: 100 }, () => ({ type: 'saved' })))
    const longer = reduceLine(long, json({ type: 'saved' }))
    expect(longer.transcript?.number).toBe(3)
    expect(longer.transcript?.before).toBe(long.transcript?.before)
  })

  it('ignores lines that it does not know', () => {
    const known = view(start)
    expect(reduceLine(known, { type: 'of a later version' })).toBe(known)
    expect(reduceLine(known, {})).toBe(known)
  })
})

describe('foreign text', () => {
  it('is cleaned once as it arrives: nothing acts, hides or reorders', () => {
    const shown = view({
      type: 'message',
      message: encodeMessage(assistant(text('\u001b[31mred\u001b[0m a\u202eb \u0007'))),
    })
    expect(outline(shown)).toEqual(['reply: red a\\u202eb '])
  })

  it('moves the places of dangers along with a command whose hidden characters are shown', () => {
    const command = '\u001b[8m; rm -rf /'
    const display = {
      title: 'Allow?',
      content: { command },
      dangers: [{ text: 'deletes /', start: 6, end: 14 }],
    }
    const [asked] = view({ ...asks, interaction: { ...question, display } }).questions
    const shown = textField(asked?.content, 'command') ?? ''
    const marked = markedRanges(asked?.dangers ?? []).map(({ start, end }) => shown.slice(start, end))
    expect({ shown, marked }).toEqual({ shown: '\\x1b[8m; rm -rf /', marked: ['rm -rf /'] })
  })

  it('tells the new errors of a call beside it', () => {
    const found = { line: 12, column: 3, message: 'Cannot find name.' }
    const diagnostics = [{ path: 'a.ts', new: Array.from({ length: 7 }, () => found) }]
    const shown = view(reply, runs, { ...ends, details: { diagnostics } })
    const { entries = [] } = shown.transcript ?? {}
    expect(entries.find(({ type }) => type === 'call')).toMatchObject({
      errors: {
        count: '7 new errors',
        lines: [...Array.from({ length: 5 }, () => 'a.ts:12:3 Cannot find name.'), '… 2 more'],
      },
    })
  })

  it('loses nothing in a question', () => {
    const content = { command: `echo \u001b[8mhidden\u001b[0m${' '.repeat(60)}; rm -rf /` }
    const asked = view({ ...asks, interaction: { ...question, display: { title: 'Allow?', content } } })
    expect(asked.questions[0]?.content).toEqual({
      command: 'echo \\x1b[8mhidden\\x1b[0m⟨60 blanks⟩; rm -rf /',
    })
  })
})
