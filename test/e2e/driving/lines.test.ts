import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { readLines } from '../../support/programs/stream-lines.ts'
import { openWorld } from '../../support/programs/world.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'
import { answer, drive, driveIn, drivenFlags, request, user } from './driving-setup.ts'

const ofType = (lines: readonly { readonly type: string }[], type: string) =>
  lines.filter((line) => line.type === type)

describe('a program that drives pipe', () => {
  it('sends a message a line, and gets the events and the result of each', async () => {
    const world = await openWorld()
    world.server.reply(say('One.'), say('Two.'))
    const input = [user('first'), user([{ type: 'text', text: 'second' }])].map((line) =>
      JSON.stringify(line),
    )
    const run = await world.pipe(drivenFlags, { input: `${input.join('\n')}\n` })
    expect([run.code, run.stderr]).toEqual([0, ''])
    const lines = readLines(run.stdout)
    expect(ofType(lines, 'stream')).toHaveLength(1)
    expect(ofType(lines, 'result')).toMatchObject([{ result: 'One.' }, { result: 'Two.' }])
    expect(world.server.requests.map(({ body }) => body.messages.at(-1)?.content)).toMatchObject([
      expect.stringContaining('first'),
      'second',
    ])
    expect(await world.sessions()).toHaveLength(1)
  })

  it('is told of a line that cannot be read, and goes on', async () => {
    const world = await openWorld()
    world.server.reply(say('Fine.'))
    const input = ['{"type": "user"', '{"type":"wish"}', '', JSON.stringify(user('go'))].join('\n')
    const run = await world.pipe(drivenFlags, { input })
    const lines = readLines(run.stdout)
    expect(ofType(lines, 'control_response')).toEqual([
      {
        type: 'control_response',
        response: { subtype: 'error', request_id: '', error: 'line 1: it is not a JSON object' },
      },
      {
        type: 'control_response',
        response: {
          subtype: 'error',
          request_id: '',
          error: 'line 2: there is no type "wish": it is user, control_request or control_response',
        },
      },
    ])
    expect([run.code, ofType(lines, 'result')]).toMatchObject([0, [{ result: 'Fine.' }]])
  })

  it('gets a result of a message that cannot be sent, behind those before it', async () => {
    const run = await driveIn()
    run.world.server.reply(say('Fine.'), say('Good.'))
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    for (const content of ['go', [image], 'on']) await run.send(user(content))
    const { code } = await run.end()
    expect(ofType(run.lines(), 'result')).toMatchObject([
      { result: 'Fine.' },
      {
        is_error: true,
        error: { code: 'input', message: expect.stringMatching(/^line 2: .*fetches no addr/) },
      },
      { result: 'Good.' },
    ])
    expect([code, run.world.server.requests.length]).toEqual([0, 2])
  })

  it('gets answers to its requests, and an error for one that pipe does not have', async () => {
    const run = await driveIn()
    await run.send(request('a', 'initialize'))
    await run.send(request('b', 'teleport'))
    await run.send(request('c', 'set_model', { model: 'nowhere/nothing' }))
    await run.send(request('d', 'set_permission_mode', { mode: 'acceptEdits' }))
    await run.send(request('e', 'mcp_status'))
    for (const id of ['a', 'b', 'c', 'd', 'e']) await run.until(new RegExp(`"request_id":"${id}"`))
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    const answers = new Map(
      ofType(run.lines(), 'control_response').map((line) => {
        const { response } = line as unknown as { response: { request_id: string } }
        return [response.request_id, response]
      }),
    )
    expect(answers.get('a')).toMatchObject({
      subtype: 'success',
      response: { models: [{ value: 'fake/model-1' }] },
    })
    expect(answers.get('b')).toMatchObject({
      subtype: 'error',
      error: expect.stringContaining('pipe has no control request "teleport"'),
    })
    expect(answers.get('c')).toMatchObject({ subtype: 'error' })
    expect(answers.get('d')).toMatchObject({ response: { mode: 'accept-edits' } })
    expect(answers.get('e')).toMatchObject({ response: { mcpServers: [] } })
  })

  it('answers for the user, with other arguments if it likes', async () => {
    const run = await driveIn(['--permission-prompt-tool', 'stdio'])
    run.world.server.reply(use(['bash', { command: 'touch a' }]), say('Done.'))
    await run.send(user('go'))
    await run.until(/can_use_tool/)
    const [asked] = ofType(run.lines(), 'control_request')
    expect(asked).toMatchObject({
      request: { subtype: 'can_use_tool', tool_name: 'bash', input: { command: 'touch a' } },
    })
    const { request_id: id } = asked as unknown as { request_id: string }
    await run.send(answer(id, { behavior: 'allow', updatedInput: { command: 'echo changed' } }))
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(JSON.stringify(run.world.server.requests[1]?.body)).toContain('changed')
  })

  it('answers questions of the model by their words', async () => {
    const run = await driveIn(['--permission-prompt-tool', 'stdio'])
    const questions = [
      { question: 'Which way?', kind: 'select', options: ['left', 'right'] },
      { question: 'How far?', kind: 'input' },
    ]
    run.world.server.reply(use(['ask', { questions }]), say('Done.'))
    await run.send(user('go'))
    await run.until(/can_use_tool/)
    const [asked] = ofType(run.lines(), 'control_request') as unknown as { request_id: string }[]
    expect(asked).toMatchObject({
      request: {
        tool_name: 'ask',
        input: {
          questions: [
            { question: 'Which way?', options: [{ label: 'left' }, { label: 'right' }] },
            { question: 'How far?', options: [] },
          ],
        },
      },
    })
    const answers = { 'Which way?': 'right', 'How far?': '3 miles' }
    await run.send(answer(asked?.request_id, { behavior: 'allow', updatedInput: { questions, answers } }))
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(run.world.server.requests.map(({ body }) => lastText(body)).at(-1)).toBe(
      'tool: Which way? → right\nHow far? → 3 miles',
    )
  })

  it('may change a call only to one that the rules do not deny', async () => {
    const run = await driveIn(['--permission-prompt-tool', 'stdio', '--disallowed-tools', 'Bash(curl:*)'])
    run.world.server.reply(use(['bash', { command: 'touch a' }]), say('Done.'))
    await run.send(user('go'))
    await run.until(/can_use_tool/)
    const [asked] = ofType(run.lines(), 'control_request') as unknown as { request_id: string }[]
    await run.send(
      answer(asked?.request_id, { behavior: 'allow', updatedInput: { command: 'curl http://localhost:1' } }),
    )
    await run.end()
    expect(ofType(run.lines(), 'result')).toMatchObject([{ permission_denials: [{ name: 'bash' }] }])
  })

  it('is taken for a no where its answer never comes', async () => {
    const run = await driveIn(['--permission-prompt-tool', 'stdio'])
    run.world.server.reply(use(['bash', { command: 'touch a' }]), say('Done.'))
    await run.send(user('go'))
    await run.until(/can_use_tool/)
    expect(await run.end()).toMatchObject({ code: 0 })
    expect(ofType(run.lines(), 'result')).toMatchObject([
      { result: 'Done.', permission_denials: [{ name: 'bash' }] },
    ])
  })

  it('ends a turn by an interrupt, and begins another', async () => {
    const run = await driveIn()
    run.world.server.reply({ sse: '', ending: 'hang' }, say('Two.'))
    await run.send(user('one'))
    await expect.poll(() => run.world.server.requests.length).toBe(1)
    await run.send(request('i', 'interrupt'))
    await run.until(/"type":"result"/)
    await run.send(user('two'))
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(ofType(run.lines(), 'result')).toMatchObject([
      { is_error: true, error: { code: 'aborted' } },
      { is_error: false, result: 'Two.' },
    ])
  })

  it('is asked before a call by its own hooks', async () => {
    const run = await driveIn()
    run.world.server.reply(use(['bash', { command: 'ls' }]), say('Done.'))
    const hooks = { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['h1'] }] }
    await run.send(request('a', 'initialize', { hooks }))
    await run.send(user('go'))
    await run.until(/hook_callback/)
    const [asked] = ofType(run.lines(), 'control_request') as unknown as { request_id: string }[]
    expect(asked).toMatchObject({
      request: { callback_id: 'h1', input: { hook_event_name: 'PreToolUse', tool_input: { command: 'ls' } } },
    })
    const hookSpecificOutput = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'not now',
    }
    await run.send(answer(asked?.request_id, { hookSpecificOutput }))
    await run.end()
    expect(JSON.stringify(run.world.server.requests[1]?.body)).toContain('not now')
  })
})

describe('the flags of a run that a program drives', () => {
  it.each([
    [
      ['--permission-prompt-tool', 'stdio', 'go'],
      '--permission-prompt-tool stdio needs --input-format stream-json (see pipe --help)',
    ],
    [['--resume-session-at', 'x', 'go'], '--resume-session-at needs -r or -c (see pipe --help)'],
    [['--input-format', 'stream-json'], '--input-format stream-json needs -o stream-json (see pipe --help)'],
    [
      [...drivenFlags, 'go'],
      '--input-format stream-json takes prompts on stdin, not on the command line (see pipe --help)',
    ],
    [
      [...drivenFlags, '--permission-prompt-tool', 'mcp'],
      '--permission-prompt-tool takes a tool of an MCP server, mcp__SERVER__TOOL, or stdio, not "mcp" (see pipe --help)',
    ],
  ])('refuses %j', async (flags, reason) => {
    const { pipe } = await openWorld()
    expectRun(await pipe(flags, { input: '' }), { code: 2, stdout: '', stderr: complaint(reason) })
  })

  it('does nothing without a line', async () => {
    const { pipe } = await openWorld()
    expectRun(await pipe(drivenFlags, { input: '' }), { stdout: '' })
  })

  it('gets one result of each message that a spent budget refuses', async () => {
    const world = await openWorld()
    world.server.reply(say('One.'))
    const run = drive(world, ['--max-tokens', '1'])
    for (const word of ['one', 'two', 'three']) await run.send(user(word))
    expect(await run.end()).toEqual({ code: 47, stderr: complaint('stopped at the token limit') })
    expect(run.lines().filter(({ type }) => type === 'result')).toMatchObject([
      { result: 'One.', turns: 1 },
      { result: '', turns: 0, exit_code: 47 },
      { result: '', turns: 0, exit_code: 47 },
    ])
    expect(world.server.requests).toHaveLength(1)
  })

  it('gets the result of a message that a hook refuses behind those sent before it', async () => {
    const world = await openWorld()
    const { server, put, configure } = world
    await put('guard.sh', 'grep -q BLOCK && { echo "not this" >&2; exit 2; }; exit 0')
    await configure({
      model: 'fake/model-1',
      providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `sh ${world.cwd}/guard.sh` }] }] },
    })
    const isRefused = deferred<void>()
    server.reply(async (_request, response) => {
      await isRefused.promise
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(replyEvents([{ type: 'text', text: 'One.' }]).join(''))
    })
    const run = drive(world)
    await run.send(user('one'))
    await expect.poll(() => server.requests.length).toBe(1)
    await run.send(user('BLOCK two'))
    // Answered behind the message that came before it.
    await run.send(request('i', 'initialize'))
    await run.until(/"request_id":"i"/)
    isRefused.resolve()
    expect(await run.end()).toMatchObject({ code: 45 })
    expect(run.lines().filter(({ type }) => type === 'result')).toMatchObject([
      { result: 'One.', exit_code: 0 },
      { result: '', exit_code: 45 },
    ])
  })

  it('ends with the code of a turn that failed', async () => {
    const world = await openWorld()
    const run = drive(world, ['--max-turns', '1'])
    world.server.reply(use(['bash', { command: 'ls' }]))
    await run.send(user('go'))
    expect(await run.end()).toEqual({ code: 53, stderr: complaint('stopped after 1 round, the turn limit') })
  })
})
