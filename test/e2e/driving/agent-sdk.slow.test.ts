import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { readAll, type SdkMessage, withSdk } from './agent-sdk-setup.ts'
import { promptOf } from './sdk-prompt.ts'

const open = withSdk()

const resultOf = (messages: readonly SdkMessage[]) => messages.filter(({ type }) => type === 'result')

describe('a program that was written for the Agent SDK of Claude Code', () => {
  it('runs a query with tools', async (context) => {
    const { ask, put, server, cwd } = await open(context)
    await put('a.txt', 'hello')
    server.reply(use(['read', { path: 'a.txt' }]), say('It says hello.'))
    const { messages, error } = await readAll(ask('read a.txt'))
    expect([error, messages.map(({ type }) => type)]).toEqual([
      undefined,
      ['system', 'assistant', 'user', 'assistant', 'result'],
    ])
    expect(messages[0]).toMatchObject({ subtype: 'init', cwd, permissionMode: 'default' })
    expect(messages.at(-1)).toMatchObject({ subtype: 'success', result: 'It says hello.', num_turns: 2 })
  })

  it('answers for the user: with other arguments, with a no, with the end of the turn', async (context) => {
    const { ask, server, cwd } = await open(context)
    const touch = use(['bash', { command: 'touch a' }])
    const asked: unknown[] = []
    const answer = async (reply: object) => {
      const canUseTool = async (name: string, input: unknown) => {
        asked.push([name, input])
        return reply
      }
      return readAll(ask('go', { canUseTool }))
    }
    server.reply(touch, say('Done.'))
    const allowed = await answer({ behavior: 'allow', updatedInput: { command: 'touch b' } })
    expect(resultOf(allowed.messages)).toMatchObject([{ subtype: 'success', permission_denials: [] }])
    expect([existsSync(join(cwd, 'a')), existsSync(join(cwd, 'b'))]).toEqual([false, true])

    server.reply(touch, say('I see.'))
    const denied = await answer({ behavior: 'deny', message: 'never on Sundays' })
    expect(resultOf(denied.messages)).toMatchObject([
      { subtype: 'success', permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'touch a' } }] },
    ])
    expect(lastText(server.requests.at(-1)?.body ?? { model: '', stream: true, messages: [] })).toContain(
      'never on Sundays',
    )

    server.reply(touch)
    const ended = await answer({ behavior: 'deny', message: 'stop', interrupt: true })
    expect([ended.error, resultOf(ended.messages)]).toMatchObject([
      undefined,
      [{ subtype: 'error_during_execution', is_error: true }],
    ])
    expect(asked).toEqual(Array.from({ length: 3 }, () => ['Bash', { command: 'touch a' }]))
  })

  it('is asked by its hooks, which can change and refuse calls', async (context) => {
    const { ask, server, cwd } = await open(context)
    server.reply(use(['bash', { command: 'ls' }]), use(['bash', { command: 'pwd' }]), say('Done.'))
    const seen: unknown[] = []
    const hook = async (input: { tool_input: { command: string } }, id: string) => {
      seen.push([input.tool_input, typeof id])
      const permissionDecision = input.tool_input.command === 'ls' ? 'deny' : 'allow'
      const hookSpecificOutput = {
        hookEventName: 'PreToolUse',
        permissionDecision,
        permissionDecisionReason: 'as I like',
        ...(permissionDecision === 'allow' && { updatedInput: { command: 'touch hooked' } }),
      }
      return { hookSpecificOutput }
    }
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] }
    const { messages } = await readAll(ask('go', { hooks, allowedTools: ['Bash(touch:*)'] }))
    expect(seen).toEqual([
      [{ command: 'ls' }, 'string'],
      [{ command: 'pwd' }, 'string'],
    ])
    expect(JSON.stringify(messages)).toContain('as I like')
    expect([existsSync(join(cwd, 'hooked')), resultOf(messages)]).toMatchObject([true, [{ result: 'Done.' }]])
  })

  it('gets an answer that fits its schema', async (context) => {
    const { ask, server } = await open(context)
    server.reply(say('three'), say('{"age": 3}'))
    const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
    const { messages } = await readAll(ask('how old?', { outputFormat: { type: 'json_schema', schema } }))
    expect(resultOf(messages)).toMatchObject([{ subtype: 'success', structured_output: { age: 3 } }])
  })

  it('is told when no answer fits', async (context) => {
    const { ask, server } = await open(context)
    server.reply(say('one'), say('two'), say('three'))
    const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
    const { messages, error } = await readAll(
      ask('how old?', { outputFormat: { type: 'json_schema', schema } }),
    )
    expect(resultOf(messages)).toMatchObject([{ subtype: 'error_max_structured_output_retries' }])
    expect(error).toContain('asked 3 times')
  })

  it('resumes a session', async (context) => {
    const { ask, server } = await open(context)
    server.reply(say('One.'), say('Two.'))
    const first = await readAll(ask('the secret is 42'))
    const resume = first.messages[0]?.['session_id']
    const second = await readAll(ask('what was it?', { resume }))
    expect(second.messages[0]?.['session_id']).toBe(resume)
    expect(JSON.stringify(server.requests[1]?.body)).toContain('the secret is 42')
  })

  it('sends several messages, and changes model and mode between them', async (context) => {
    const { ask, server, cwd } = await open(context)
    server.reply(say('One.'), use(['write', { path: 'new.txt', content: 'x' }]), say('Two.'))
    const { prompt, go } = promptOf(['first', 'second'])
    const query = ask(prompt)
    const { messages, error } = await readAll(query, async ({ type }) => {
      if (type !== 'result') return
      await query.setModel('fake/model-2')
      await query.setPermissionMode('acceptEdits')
      go()
    })
    expect([error, resultOf(messages)]).toMatchObject([undefined, [{ result: 'One.' }, { result: 'Two.' }]])
    expect(server.requests.map(({ body }) => body.model)).toEqual(['model-1', 'model-2', 'model-2'])
    expect(existsSync(join(cwd, 'new.txt'))).toBe(true)
    const inits = messages.filter(({ subtype }) => subtype === 'init')
    expect(inits).toMatchObject([
      { model: 'fake/model-1', permissionMode: 'default' },
      { model: 'fake/model-2', permissionMode: 'acceptEdits' },
    ])
  })

  it('interrupts a turn and goes on', async (context) => {
    const { ask, server } = await open(context)
    server.reply({ sse: '', ending: 'hang' }, say('Two.'))
    const { prompt, go } = promptOf(['first', 'second'])
    const query = ask(prompt)
    const reading = readAll(query, ({ type }) => {
      if (type === 'result') go()
    })
    await expect.poll(() => server.requests.length).toBe(1)
    await query.interrupt()
    const { messages, error } = await reading
    expect([error, resultOf(messages)]).toMatchObject([
      undefined,
      [{ subtype: 'error_during_execution' }, { subtype: 'success', result: 'Two.' }],
    ])
  })

  it('sees the pieces of replies', async (context) => {
    const { ask, server } = await open(context)
    server.reply(say('Hello there.'))
    const { messages } = await readAll(ask('hi', { includePartialMessages: true }))
    const pieces = messages.filter(({ type }) => type === 'stream_event').map(({ event }) => event)
    expect(pieces).toMatchObject([
      { type: 'message_start' },
      { type: 'content_block_start', index: 0 },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: expect.stringMatching(/^Hello/) } },
      ...pieces.slice(3, -3),
      { type: 'content_block_stop' },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ])
  })

  it('is told that the turn limit was reached', async (context) => {
    const { ask, server } = await open(context)
    server.reply(use(['bash', { command: 'ls' }]))
    const { messages, error } = await readAll(ask('go', { maxTurns: 1 }))
    expect(resultOf(messages)).toMatchObject([{ subtype: 'error_max_turns', num_turns: 1 }])
    expect(error).toContain('stopped after 1 round')
  })

  it('asks what there is to use', async (context) => {
    const { ask, put, server } = await open(context)
    await put('.pipe/commands/fix.md', '---\ndescription: Fix it\n---\nFix $ARGUMENTS')
    server.reply(say('One.'))
    const { prompt, go } = promptOf(['first'])
    const query = ask(prompt, { systemPrompt: 'Be brief.', maxThinkingTokens: 0 })
    const answers = Promise.all([query.supportedModels(), query.supportedCommands(), query.mcpServerStatus()])
    const { error } = await readAll(query, async ({ type }) => {
      if (type !== 'result') return
      await query.setMaxThinkingTokens(4_000)
      go()
    })
    expect(error).toBeUndefined()
    expect(await answers).toMatchObject([
      [{ value: 'fake/model-1' }],
      expect.arrayContaining([expect.objectContaining({ name: 'compact' })]),
      [],
    ])
    expect(JSON.stringify(server.requests[0]?.body.messages[0])).toContain('Be brief.')
  })
})
