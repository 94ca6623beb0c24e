export const geminiSession = 'b1df3cc8-4937-4a61-8430-7bd94ea00d42'

export const header = {
  sessionId: geminiSession,
  projectHash: 'edda16a164f8eee1ba47b8cd8fbac91fdb0984660f4b4547dfde9cd89b81a258',
  startTime: '2026-02-17T09:00:00.000Z',
  lastUpdated: '2026-02-17T09:00:00.000Z',
  kind: 'main',
}

export const set = (facts: object) => ({ $set: facts })

export function logged(type: string, id: string, content: unknown, more: object = {}) {
  return { id, timestamp: '2026-02-17T09:00:01.000Z', type, content, ...more }
}

export const words = (text: string) => ({ text })

export function asked(id: string, text: string) {
  return logged('user', id, [words(text)])
}

export function said(id: string, text: string, more: object = {}) {
  const tokens = { input: 90, output: 9, cached: 40, thoughts: 4, tool: 0, total: 103 }
  return logged('gemini', id, text, { thoughts: [], tokens, model: 'gemini-2.5-flash', ...more })
}

export function answer(id: string, response: object) {
  return { functionResponse: { id, name: 'read_file', response } }
}

/** A call, with its result once it has one. */
export function call(id: string, args: object, result: readonly object[] = [], status = 'success') {
  return { id, name: 'read_file', args, ...(result.length === 0 ? {} : { result, status }) }
}

const result = [answer('call_1', { output: 'a - b' })]

/** A session with a call, whose message is written twice, and whose result stands twice. */
export const geminiLines: readonly object[] = [
  header,
  set({ messages: [asked('c0', '<session_context>\nThis is the Gemini CLI.\n</session_context>')] }),
  asked('m1', 'why does add fail?'),
  set({ lastUpdated: '2026-02-17T09:00:02.000Z' }),
  said('m2', 'Let me look.', { thoughts: [{ subject: 'Look', description: 'First.' }] }),
  said('m2', 'Let me look.', {
    thoughts: [{ subject: 'Look', description: 'First.' }],
    toolCalls: [call('call_1', { file_path: 'add.js' }, result)],
  }),
  logged('user', 'm3', result),
  logged('info', 'm4', 'Update available'),
  said('m5', 'It subtracts.'),
]
