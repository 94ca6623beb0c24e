import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { readLines } from '../../support/programs/stream-lines.ts'
import { openWorld } from '../../support/programs/world.ts'
import { answer, drive, drivenFlags, request, user } from './driving-setup.ts'

const id = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('--protocol claude', () => {
  it.each([
    ['the rules of the suggestion', 'userSettings', 'make build', ['Bash(make build)']],
    ['its own rules', 'userSettings', 'make:*', undefined],
    ['this session', 'session', 'make build', undefined],
  ])(
    'suggests what "always" allows, and saves no more than %s',
    async (_, destination, ruleContent, saved) => {
      const world = await openWorld()
      const run = drive(world, ['--protocol', 'claude', '--permission-prompt-tool', 'stdio'])
      world.server.reply(
        use(['bash', { command: 'make build' }]),
        use(['bash', { command: 'make build' }]),
        say('Done.'),
      )
      await run.send(user('go'))
      await run.until(/can_use_tool/)
      const [asked] = run.lines().filter(({ type }) => type === 'control_request')
      const rule = { type: 'addRules', behavior: 'allow', destination: 'userSettings' }
      expect(asked).toMatchObject({
        request: {
          tool_name: 'Bash',
          permission_suggestions: [{ ...rule, rules: [{ toolName: 'Bash', ruleContent: 'make build' }] }],
        },
      })
      const chosen = { ...rule, destination, rules: [{ toolName: 'Bash', ruleContent }] }
      await run.send(answer(asked?.['request_id'], { behavior: 'allow', updatedPermissions: [chosen] }))
      expect(await run.end()).toEqual({ code: 0, stderr: '' })
      expect(run.lines().filter(({ type }) => type === 'control_request')).toHaveLength(1)
      const { stdout } = await world.pipe(['config', 'get', 'permissions.allow', '--json'])
      expect(stdout === '' ? undefined : JSON.parse(stdout).value).toEqual(saved)
    },
  )

  it.each([
    ['sets the mode that comes with a yes, for the session', 'acceptEdits', 1, ''],
    [
      'sets no mode that a file of the project forbids',
      'bypassPermissions',
      2,
      complaint(/the mode was not set: .*settings\.json forbids the mode bypass/),
    ],
    [
      'sets no mode that does not exist',
      'yolo',
      2,
      complaint('the mode was not set: there is no mode "yolo"'),
    ],
  ])('%s', async (_, mode, questions, stderr) => {
    const world = await openWorld()
    await world.put('.claude/settings.json', '{"permissions": {"disableBypassPermissionsMode": "disable"}}')
    const run = drive(world, ['--protocol', 'claude', '--permission-prompt-tool', 'stdio'])
    world.server.reply(
      use(['write', { path: 'a.txt', content: 'a' }]),
      use(['write', { path: 'b.txt', content: 'b' }]),
      say('Done.'),
    )
    const asked = () => run.lines().filter(({ type }) => type === 'control_request')
    await run.send(user('go'))
    await run.until(/can_use_tool/)
    const chosen = { type: 'setMode', mode, destination: 'session' }
    await run.send(answer(asked()[0]?.['request_id'], { behavior: 'allow', updatedPermissions: [chosen] }))
    if (questions === 2) {
      await run.until(/can_use_tool[\s\S]*can_use_tool/)
      await run.send(answer(asked()[1]?.['request_id'], { behavior: 'allow' }))
    }
    expect(await run.end()).toEqual({ code: 0, stderr })
    expect(asked()).toHaveLength(questions)
    expect(await readdir(world.cwd)).toEqual(expect.arrayContaining(['a.txt', 'b.txt']))
  })

  it('asks nothing about an edit of a file that the model has not read, or must not read', async () => {
    const world = await openWorld()
    for (const name of ['a.txt', 'secret.txt']) await world.put(name, 'old')
    const edits = ['a.txt', 'secret.txt'].map((path) =>
      use(['edit', { path, old_text: 'old', new_text: 'new' }]),
    )
    const flags = ['--permission-prompt-tool', 'stdio', '--disallowed-tools', 'Read(secret.txt)']
    const run = drive(world, ['--protocol', 'claude', ...flags])
    world.server.reply(...edits, say('Done.'))
    await run.send(user('go'))
    await run.until(/"result"/)
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(run.lines().filter(({ type }) => type === 'control_request')).toEqual([])
    const [, first, second] = world.server.requests.map(({ body }) => lastText(body))
    expect(first).toBe('tool: a.txt was not changed: it has not been read yet; read it first')
    expect(second).toContain('Permission denied: Read(secret.txt) forbids it')
  })

  it('lists a call that was refused together with its turn', async () => {
    const world = await openWorld()
    const run = drive(world, ['--protocol', 'claude', '--permission-prompt-tool', 'stdio'])
    world.server.reply(use(['bash', { command: 'make build' }]))
    await run.send(user('go'))
    await run.until(/can_use_tool/)
    const [asked] = run.lines().filter(({ type }) => type === 'control_request')
    await run.send(answer(asked?.['request_id'], { behavior: 'deny', message: 'stop', interrupt: true }))
    await run.end()
    expect(run.lines().at(-1)).toMatchObject({
      subtype: 'error_during_execution',
      permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'make build' } }],
    })
  })

  it('writes the result alone with -o json', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Four.'))
    const run = await pipe(['--protocol', 'claude', '-p', '2+2?', '--output-format', 'json'])
    expect([run.code, run.stderr]).toEqual([0, ''])
    expect(JSON.parse(run.stdout)).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: false,
      num_turns: 1,
      result: 'Four.',
      session_id: id,
      total_cost_usd: 0,
      modelUsage: { 'fake/model-1': { inputTokens: expect.any(Number) } },
      permission_denials: [],
    })
  })

  it.each([
    ['--verbose', ['system', 'assistant', 'result']],
    ['--debug', 'result'],
    ['--debug=api', 'result'],
    ['--verbose --debug', ['system', 'assistant', 'result']],
    ['--debug -v', ['system', 'assistant', 'result']],
  ])('writes with -o json %s what that agent writes with it', async (flag, types) => {
    const { pipe, server } = await openWorld()
    server.reply(say('Four.'))
    const run = await pipe(['--protocol', 'claude', '-p', '2+2?', '-o', 'json', ...flag.split(' ')])
    const written = JSON.parse(run.stdout)
    expect(Array.isArray(written) ? written.map(({ type }) => type) : written.type).toEqual(types)
    expect([run.code, run.stderr]).toEqual([0, ''])
  })

  it('answers /cost and /context itself', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Four.'))
    await pipe(['2+2?'])
    const peer = ['--protocol', 'claude', '-c', '-p', '-o', 'stream-json', '--verbose']
    for (const [command, text] of [
      ['/cost', /^fake\/fake-1 +1 /m],
      ['/context', /your messages/],
    ] as const) {
      const run = await pipe([...peer, command])
      expect([run.code, run.stderr]).toEqual([0, ''])
      const content = expect.stringMatching(text)
      expect(readLines(run.stdout)).toMatchObject([
        { type: 'system', subtype: 'init', slash_commands: expect.arrayContaining([command.slice(1)]) },
        { type: 'system', subtype: 'local_command_output', content },
        { type: 'result', subtype: 'success', is_error: false, num_turns: 0, result: content },
      ])
    }
    expect((await pipe(['-c', '/cost'])).stdout).toMatch(/^total +1 /m)
    const handed = JSON.parse((await pipe(['-c', '-o', 'pipe', '/cost'])).stdout)
    expect(handed.answer).toMatch(/^total +1 /m)
    expect([handed.error, handed.conversation.length]).toEqual([undefined, 2])
    expect(server.requests).toHaveLength(1)
  })

  it('sends /init as its text, and refuses what only the screen does', async () => {
    const { pipe, put, server } = await openWorld()
    for (const answer of ['Written.', 'Two files changed.', 'Hello.']) server.reply(say(answer))
    await pipe(['-p', '/init focus on the tests'])
    expect(JSON.stringify(server.requests[0]?.body)).toMatch(/write an `AGENTS\.md`.*focus on the tests/)
    const refused = await pipe(['-p', '/status'])
    expect([refused.code, refused.stderr]).toEqual([
      42,
      'pipe: /status works only on the screen: start pipe in a terminal and type it there\n',
    ])
    await put('../home/commands/status.md', 'What has changed?')
    expect((await pipe(['-p', '/status'])).stdout).toBe('Two files changed.\n')
    const input = [user('/clear'), user('hi')].map((line) => `${JSON.stringify(line)}\n`).join('')
    const run = await pipe([...drivenFlags, '--protocol', 'claude'], { input })
    expect(readLines(run.stdout).filter(({ type }) => type === 'result')).toMatchObject([
      {
        subtype: 'error_during_execution',
        errors: [expect.stringContaining('/clear works only on the screen')],
      },
      { subtype: 'success', result: 'Hello.' },
    ])
    expect(server.requests).toHaveLength(3)
  })

  it('answers /cost behind the messages that came before it', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Four.'))
    const input = [user('2+2?'), user('/cost')].map((line) => `${JSON.stringify(line)}\n`).join('')
    const run = await pipe([...drivenFlags, '--protocol', 'claude'], { input })
    const results = readLines(run.stdout).filter(({ type }) => type === 'result')
    expect(results).toMatchObject([{ result: 'Four.' }, { result: expect.stringMatching(/^total +1 /m) }])
    expect([run.code, server.requests.length]).toEqual([0, 1])
  })

  it.each([['-c'], ['-c', '--fork-session', '--session-id', '00000000-0000-4000-8000-00000000000a']])(
    'begins a session with %s where there is none',
    async (...flags) => {
      const { pipe, server, sessions } = await openWorld()
      server.reply(say('First.'))
      const run = await pipe(['--protocol', 'claude', ...flags, '-p', 'hi', '-o', 'json'])
      expect([run.code, run.stderr]).toEqual([0, ''])
      const { session_id: session } = JSON.parse(run.stdout)
      expect(session).toMatch(flags[3] === undefined ? /^[0-9a-f-]{36}$/ : flags[3])
      expect(await sessions()).toHaveLength(1)
    },
  )

  it('writes each message with -o stream-json, tools and arguments in its words', async () => {
    const { pipe, put, server, cwd } = await openWorld()
    await put('a.txt', 'hello')
    await put('CLAUDE.md', 'Be brief.')
    server.reply(use(['read', { path: 'a.txt' }]), say('Read.'))
    const run = await pipe(['--protocol', 'claude', '-p', 'read a.txt', '-o', 'stream-json', '--verbose'])
    const lines = readLines(run.stdout)
    expect([run.code, run.stderr]).toEqual([0, ''])
    expect(lines.map(({ type }) => type)).toEqual(['system', 'assistant', 'user', 'assistant', 'result'])
    expect(lines[0]).toMatchObject({
      subtype: 'init',
      cwd,
      model: 'fake/model-1',
      tools: expect.arrayContaining(['Read', 'Bash']),
    })
    expect(lines[1]).toMatchObject({
      message: {
        role: 'assistant',
        stop_reason: 'tool_use',
        content: [{ type: 'tool_use', name: 'Read', input: { file_path: `${cwd}/a.txt` } }],
      },
    })
    expect(lines[2]).toMatchObject({
      message: { content: [{ type: 'tool_result', is_error: false }] },
      parent_tool_use_id: null,
    })
    expect(new Set(lines.map((line) => line['session_id'])).size).toBe(1)
  })

  it('names the limit that ended a run', async () => {
    const { pipe, server } = await openWorld()
    server.reply(use(['bash', { command: 'ls' }]))
    const run = await pipe(['--protocol', 'claude', '-o', 'json', '--max-turns', '1', 'go'])
    expect(JSON.parse(run.stdout)).toMatchObject({
      subtype: 'error_max_turns',
      is_error: true,
      errors: ['stopped after 1 round, the turn limit'],
    })
    expect([run.code, run.stderr]).toEqual([53, complaint('stopped after 1 round, the turn limit')])
  })

  it('is taken by itself where the flags are those of an Agent SDK', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Hi.'))
    const lines = [request('a', 'initialize', { systemPrompt: [''] }), user('hi', { uuid: 'mine' })]
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const flags = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']
    const run = await pipe([...flags, '--replay-user-messages', '--setting-sources='], { input })
    const types = readLines(run.stdout).map(({ type }) => type)
    expect(types).toEqual(['control_response', 'system', 'user', 'assistant', 'result'])
    expect(readLines(run.stdout)[2]).toMatchObject({ isReplay: true, uuid: 'mine' })
  })

  it('holds an answer to the schema of the first request', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('{"age": 3}'))
    const jsonSchema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
    const lines = [request('a', 'initialize', { jsonSchema }), user('how old?')]
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const run = await pipe([...drivenFlags, '--protocol', 'claude'], { input })
    expect(readLines(run.stdout).at(-1)).toMatchObject({ subtype: 'success', structured_output: { age: 3 } })
  })

  it('keeps our own lines with --protocol pipe', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Hi.'))
    const input = `${JSON.stringify(user('hi'))}\n`
    const run = await pipe([...drivenFlags, '--verbose', '--protocol', 'pipe'], { input })
    expect(readLines(run.stdout)[0]).toMatchObject({ type: 'stream', version: 1 })
  })

  it('reports a run that cannot start', async () => {
    const { pipe, configure } = await openWorld()
    await configure({})
    const input = `${JSON.stringify(request('a', 'initialize'))}\n`
    const run = await pipe([...drivenFlags, '--protocol', 'claude', '-m', 'nowhere/x'], { input })
    expect(readLines(run.stdout)).toMatchObject([
      { type: 'control_response', response: { subtype: 'error', request_id: 'a' } },
      { type: 'result', subtype: 'error_during_execution', errors: [expect.stringContaining('nowhere')] },
    ])
    expect(run.code).not.toBe(0)
  })

  it('takes text as it is', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Plain.'))
    expectRun(await pipe(['--protocol', 'claude', '-p', 'go']), { stdout: 'Plain.\n' })
  })
})
