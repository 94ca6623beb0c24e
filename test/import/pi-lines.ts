export const piSession = '5f0c1e8a-2222-4333-8444-555566667777'

export const header = {
  type: 'session',
  version: 3,
  id: piSession,
  timestamp: '2026-02-17T09:00:00.000Z',
  cwd: '/home/ann/calc',
}

export function entry(type: string, id: string, parentId: string | null, more: object) {
  return { type, id, parentId, timestamp: '2026-02-17T09:00:01.000Z', ...more }
}

export function message(id: string, parentId: string | null, of: object) {
  return entry('message', id, parentId, { message: { timestamp: 1_771_318_801_000, ...of } })
}

export const user = (content: unknown) => ({ role: 'user', content })

export function assistant(content: readonly object[], more: object = {}) {
  return {
    role: 'assistant',
    content,
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    usage: {
      input: 4,
      output: 7,
      cacheRead: 2000,
      cacheWrite: 100,
      totalTokens: 2111,
      cost: { total: 0.01 },
    },
    stopReason: 'stop',
    ...more,
  }
}

export const words = (text: string) => ({ type: 'text', text })

/** A session with a call, a command of the user's, and a branch that was left. */
export const piLines: readonly object[] = [
  header,
  entry('model_change', 'e0', null, { provider: 'anthropic', modelId: 'claude-sonnet-4-5' }),
  message('e1', 'e0', user('why does add fail?')),
  message(
    'e2',
    'e1',
    assistant(
      [
        { type: 'thinking', thinking: 'Look first.', thinkingSignature: 'sig' },
        words('Let me look.'),
        { type: 'toolCall', id: 'toolu_1', name: 'read', arguments: { path: 'add.js' } },
      ],
      { stopReason: 'toolUse' },
    ),
  ),
  message('e3', 'e2', {
    role: 'toolResult',
    toolCallId: 'toolu_1',
    toolName: 'read',
    content: [words('a - b')],
    isError: false,
  }),
  message('e4', 'e3', assistant([words('It adds.')])),
  entry('label', 'e5', 'e4', { targetId: 'e4', label: 'wrong' }),
  entry('branch_summary', 'e6', 'e3', { fromId: 'e4', summary: 'A wrong answer.' }),
  message('e7', 'e6', {
    role: 'bashExecution',
    command: 'npm test',
    output: '1 failed',
    exitCode: 1,
    cancelled: false,
    truncated: false,
  }),
  message('e8', 'e7', {
    role: 'bashExecution',
    command: 'env',
    output: 'SECRET=1',
    excludeFromContext: true,
  }),
  message('e9', 'e8', assistant([words('It subtracts.')])),
  entry('session_info', 'e10', 'e9', { name: 'Adding numbers' }),
]
