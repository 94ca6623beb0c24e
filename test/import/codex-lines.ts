export const codexSession = '019a2d7a-41c4-78b1-b7cc-a45d62a89cd5'

export function typed(type: string, payload: object, second = 0) {
  return { timestamp: `2026-02-17T10:59:${String(second).padStart(2, '0')}.317Z`, type, payload }
}

export const item = (payload: object, second = 0) => typed('response_item', payload, second)
export const event = (payload: object, second = 0) => typed('event_msg', payload, second)

export function message(role: string, text: string) {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return { type: 'message', role, content: [{ type, text }] }
}

export const meta = typed('session_meta', {
  id: codexSession,
  timestamp: '2026-02-17T10:59:00.308Z',
  cwd: '/home/ann/calc',
  originator: 'codex_cli_rs',
  cli_version: '0.128.0',
  source: 'cli',
  model_provider: 'openai',
  base_instructions: { text: 'You are Codex.' },
})

/** A session of today's format, with two calls of one reply and lines that pipe cannot express. */
export const codexLines: readonly object[] = [
  meta,
  item(message('developer', '<permissions instructions>…</permissions instructions>')),
  item(
    message('user', '# AGENTS.md instructions for /home/ann/calc\n\n<INSTRUCTIONS>Be brief.</INSTRUCTIONS>'),
  ),
  item(message('user', '<environment_context>\n  <cwd>/home/ann/calc</cwd>\n</environment_context>')),
  typed('turn_context', {
    cwd: '/home/ann/calc',
    approval_policy: 'never',
    model: 'gpt-5-codex',
    effort: 'high',
  }),
  item(message('user', 'why does add fail?'), 1),
  event({ type: 'user_message', message: 'why does add fail?', kind: 'plain' }, 1),
  item(
    {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Look first.' }],
      encrypted_content: 'gAAA',
    },
    2,
  ),
  item(message('assistant', 'Let me look.'), 3),
  item(
    { type: 'function_call', name: 'shell', arguments: '{"command":["cat","add.js"]}', call_id: 'call_1' },
    4,
  ),
  item(
    {
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: '*** Begin Patch',
      call_id: 'call_2',
      status: 'completed',
    },
    5,
  ),
  event(
    {
      type: 'token_count',
      info: {
        last_token_usage: {
          input_tokens: 90,
          cached_input_tokens: 40,
          output_tokens: 9,
          reasoning_output_tokens: 4,
          total_tokens: 99,
        },
      },
    },
    5,
  ),
  item(
    {
      type: 'function_call_output',
      call_id: 'call_1',
      output: '{"output":"a - b","metadata":{"exit_code":0,"duration_seconds":0.1}}',
    },
    6,
  ),
  item(
    {
      type: 'custom_tool_call_output',
      call_id: 'call_2',
      output: 'Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file',
    },
    7,
  ),
  item({ type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'add' } }, 8),
  item(message('assistant', 'It subtracts.'), 9),
  event({ type: 'agent_message', message: 'It subtracts.' }, 9),
]
