import { describe, expect, it } from 'vitest'
import { systemContext, toLog } from '../src/audit.ts'
import { assistant, call, messageId, text, timestamp, toolResult, user } from './support/messages/messages.ts'

describe('the log form', () => {
  it('of the user’s message is its text', () => {
    expect(toLog(user(text('read '), text('the README')))).toEqual([
      { type: 'user', id: messageId(1), content: 'read the README' },
    ])
  })

  it('of a reply separates texts, thoughts and actions, each an entry with the message’s id, in order', () => {
    const reply = assistant(
      { type: 'thinking', thinking: 'private', signature: 's' },
      text('I read it.'),
      call('tc_1'),
      text('And this.'),
      { type: 'tool_call', id: 'tc_2', name: 'grep', arguments: null, argumentsRaw: '{"pat' },
    )
    const id = messageId(2)
    expect(toLog(reply)).toEqual([
      { type: 'assistant_thinking', id, content: 'private' },
      { type: 'assistant_text', id, content: 'I read it.' },
      { type: 'assistant_action', id, tool_id: 'tc_1', tool_name: 'read', tool_args: { path: 'auth.ts' } },
      { type: 'assistant_text', id, content: 'And this.' },
      { type: 'assistant_action', id, tool_id: 'tc_2', tool_name: 'grep', tool_args: '{"pat' },
    ])
  })

  it('of a result has its text, its call and its time', () => {
    expect(toLog(toolResult('tc_1', text('line 1\n'), text('line 2')))).toEqual([
      {
        type: 'tool_result',
        id: messageId(3),
        tool_id: 'tc_1',
        tool_name: 'read',
        success: true,
        result: 'line 1\nline 2',
        executed_at: timestamp,
      },
    ])
  })

  it('of a failed result has its own type', () => {
    expect(toLog({ ...toolResult('tc_1', text('no such file')), isError: true })).toEqual([
      {
        type: 'tool_error',
        id: messageId(3),
        tool_id: 'tc_1',
        tool_name: 'read',
        success: false,
        error: 'no such file',
        executed_at: timestamp,
      },
    ])
  })

  it('of the system prompt is the context', () => {
    expect(systemContext('You are...')).toEqual({ type: 'system_context', content: 'You are...' })
  })

  it('survives JSON, so that an audit can be exported', () => {
    const forms = [user(text('x')), assistant(text('y'), call('a')), toolResult('a', text('z'))].flatMap(
      toLog,
    )
    expect(JSON.parse(JSON.stringify(forms))).toEqual(forms)
  })
})
