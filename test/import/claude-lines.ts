/** An id that contains its number. */
export function uuid(number: number): string {
  return `a0000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

export const claudeSession = '0a1b2c3d-1111-4222-8333-444455556666'

function line(type: string, id: number, parent: number | null, more: object) {
  return {
    parentUuid: parent === null ? null : uuid(parent),
    isSidechain: false,
    userType: 'external',
    cwd: '/home/ann/calc',
    sessionId: claudeSession,
    version: '2.1.20',
    gitBranch: 'main',
    type,
    uuid: uuid(id),
    timestamp: `2026-02-17T11:${String(id % 60).padStart(2, '0')}:00.000Z`,
    ...more,
  }
}

/** A line of the user's: a prompt, or blocks. */
export function asked(id: number, parent: number | null, content: unknown, more: object = {}) {
  return line('user', id, parent, { message: { role: 'user', content }, ...more })
}

/** A line of a reply, with one block. */
export function said(id: number, parent: number | null, reply: string, block: object, more: object = {}) {
  const message = {
    id: reply,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content: [block],
    stop_reason: null,
    usage: {
      input_tokens: 4,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 2000,
      output_tokens: 7,
    },
    ...more,
  }
  return line('assistant', id, parent, { message, requestId: `req_${reply}` })
}

export function resulted(id: number, parent: number, call: string, content: unknown, more: object = {}) {
  const block = { tool_use_id: call, type: 'tool_result', content, ...more }
  return asked(id, parent, [block], {
    toolUseResult: { stdout: 'a copy' },
    sourceToolAssistantUUID: uuid(parent),
  })
}

export function other(type: string, id: number, parent: number | null, more: object) {
  return line(type, id, parent, more)
}

export const words = (text: string) => ({ type: 'text', text })
const thought = (thinking: string) => ({ type: 'thinking', thinking, signature: `of ${thinking}` })
export const used = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input })

/** A session with two parallel calls, whose lines branch, and lines that pipe cannot express. */
export const claudeLines: readonly object[] = [
  { type: 'summary', summary: 'A title of another session', leafUuid: uuid(999) },
  { type: 'summary', summary: 'Adding numbers', leafUuid: uuid(11) },
  {
    type: 'file-history-snapshot',
    messageId: uuid(1),
    snapshot: { trackedFileBackups: {} },
    isSnapshotUpdate: false,
  },
  asked(1, null, 'why does add fail?\n<system-reminder>Todo list is empty.</system-reminder>'),
  other('attachment', 2, 1, { attachment: { type: 'todo_reminder', content: [] } }),
  said(3, 2, 'msg_1', thought('Look first.')),
  said(4, 3, 'msg_1', words('Let me look.')),
  said(5, 4, 'msg_1', used('toolu_1', 'Read', { file_path: '/home/ann/calc/add.js' })),
  said(6, 5, 'msg_1', used('toolu_2', 'Bash', { command: 'npm test' }), { stop_reason: 'tool_use' }),
  other('progress', 7, 6, { data: { type: 'bash_progress', output: '…' }, toolUseID: 'toolu_2' }),
  resulted(8, 5, 'toolu_1', [words('export const add = (a, b) => a - b')]),
  resulted(9, 6, 'toolu_2', '1 failed', { is_error: true }),
  asked(20, null, 'look it up', { isSidechain: true, agentId: 'de30ae5d' }),
  said(10, 9, 'msg_2', words('It subtracts.'), { stop_reason: 'end_turn' }),
  other('system', 11, 10, { subtype: 'turn_duration', durationMs: 5000 }),
]
