import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

interface Exported {
  readonly id: string
  readonly timestamp: string
  readonly message: Record<string, unknown> | null
  readonly decision: string
  readonly audit: Record<string, unknown>
}

async function exported({ pipe }: Pick<World, 'pipe'>, ...args: readonly string[]) {
  const run = await pipe(['audit', 'export', '--json', ...args])
  expectRun(run, { stdout: expect.any(String) })
  const { entries }: { readonly entries: readonly Exported[] } = JSON.parse(run.stdout)
  return entries
}

/** A world after a run that executed a command and wrote a file. */
async function worked() {
  const world = await openWorld()
  world.server.reply(
    { blocks: [{ type: 'text', text: 'I will.' }, ...calls('echo hi >b.txt')] },
    use(['write', { path: 'a.txt', content: 'one' }]),
    say('Done.'),
  )
  expectRun(await world.pipe(['--yolo', 'go']), { stdout: 'Done.\n' })
  const [session] = await world.sessions()
  if (session === undefined) throw new Error('nothing was saved')
  return { ...world, id: session.id, file: join(world.home, 'audit', `${session.id}.jsonl`) }
}

/** Removes `count` lines from the end of a file. */
async function cutLines(file: string, count: number): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  await writeFile(
    file,
    lines
      .slice(0, -count)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

function calls(command: string) {
  return [{ type: 'tool_call', name: 'bash', arguments: { command } } as const]
}

describe('the audit log', () => {
  it('exports the log form of each message of a session', async () => {
    const world = await worked()
    const entries = await exported(world)
    expect(entries.map(({ decision, message }) => `${decision}: ${message?.['type'] ?? '-'}`)).toEqual([
      'mode_set: -',
      'system_context: system_context',
      'user_message: user',
      'assistant_text: assistant_text',
      'tool_call_requested: assistant_action',
      'permission_granted: assistant_action',
      'checkpoint: -',
      'tool_executed: tool_result',
      'round_ended: -',
      'tool_call_requested: assistant_action',
      'permission_granted: assistant_action',
      'tool_executed: tool_result',
      'round_ended: -',
      'assistant_text: assistant_text',
      'round_ended: -',
      'checkpoint: -',
      'turn_ended: -',
    ])
    expect(Object.keys(entries[0] ?? {})).toEqual(['id', 'timestamp', 'message', 'decision', 'audit'])
    expect(entries[2]?.message).toMatchObject({ type: 'user', content: 'go' })
    expect(entries[5]).toMatchObject({
      message: { tool_name: 'bash', tool_args: { command: 'echo hi >b.txt' } },
      audit: { by: 'mode', rule: 'bypass' },
    })
    expect(entries[11]?.audit).toMatchObject({
      tool: 'write',
      files: [{ path: 'a.txt', before: null, after: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    })
    expect(entries[7]?.audit).toMatchObject({ exit_code: 0, duration_ms: expect.any(Number) })
  })

  it('is shown as lines with control characters escaped', async () => {
    const { pipe, server, id } = await worked()
    server.reply(say('a\u001b[2Jb\nc'))
    await pipe(['-c', 'again'])
    const { stdout } = await pipe(['audit', 'show', id.slice(0, 13)])
    const line = (word: string, rest: string) =>
      expect.stringMatching(`^[-\\d]{10} [:\\d]{8}  ${word} +${rest}`)
    const lines = stdout.trimEnd().split('\n')
    expect(lines[4]).toEqual(line('tool_call_requested', 'agent_pipe: bash echo hi >b.txt$'))
    expect(lines[5]).toEqual(line('permission_granted', 'agent_pipe: .*rule=bypass'))
    expect(lines.at(-3)).toEqual(line('assistant_text', 'agent_pipe: a\\\\x1b\\[2Jb ⏎ c$'))
  })

  it('is written privately and without secrets under --no-session', async () => {
    const { pipe, server, home } = await openWorld()
    server.reply(use(['bash', { command: 'echo $PART-$OTHER' }]), say('It is hunter2-hunter2.'))
    const env = { MY_TOKEN: 'hunter2-hunter2', PART: 'hunter2', OTHER: 'hunter2' }
    expectRun(await pipe(['--no-session', '--yolo', 'use password=wxyz'], { env }), {
      stdout: 'It is hunter2-hunter2.\n',
    })
    const folder = join(home, 'audit')
    const [name = ''] = await readdir(folder)
    const modes = [folder, join(folder, name)].map(async (path) => (await stat(path)).mode & 0o777)
    expect(await Promise.all(modes)).toEqual([0o700, 0o600])
    const text = await readFile(join(folder, name), 'utf8')
    expect(text.match(/\[redacted\]/g)).toHaveLength(3)
    expect(text).not.toMatch(/hunter2-hunter2|wxyz/)
  })

  it('records a denied call', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch x' }]), say('No.'))
    await world.pipe(['go'])
    const entries = await exported(world)
    expect(entries.slice(2, 5).map(({ decision }) => decision)).toEqual([
      'tool_call_requested',
      'permission_denied',
      'tool_not_executed',
    ])
    expect(entries[3]?.audit).toMatchObject({ by: 'builtin', judged: 'ask' })
  })

  slowIt('continues with its session', async () => {
    const { pipe, server, id } = await worked()
    server.reply(say('Fine.'))
    await pipe(['-r', id, 'well?'])
    expectRun(await pipe(['audit', 'verify']), {
      stdout: expect.stringMatching(`^${id}: 22 lines, unchanged\nhead [0-9a-f]{64}\n$`),
    })
  })
})

quickDescribe('a decision', () => {
  it('is on disk before its call runs, one call at a time', async () => {
    const world = await openWorld()
    const command = `grep -c '"decision":"permission_granted"' ${join(world.home, 'audit')}/*.jsonl`
    world.server.reply(use(['bash', { command }], ['bash', { command }]), say('Seen.'))
    expectRun(await world.pipe(['--yolo', 'go']), { stdout: 'Seen.\n' })
    const results = world.server.requests[1]?.body.messages.slice(-2)
    expect(results?.map(({ content }) => content)).toEqual(['1', '2'])
  })

  it('by a mode or by trust for one run is an entry before the first message', async () => {
    const world = await openWorld()
    world.server.reply(say('one'), say('two'))
    await world.pipe(['--permission-mode', 'accept-edits', '--trust', 'go'])
    expect((await exported(world)).slice(0, 4)).toMatchObject([
      {
        decision: 'mode_set',
        audit: { actor: 'user_local', to: 'accept-edits', source: '--permission-mode' },
      },
      {
        decision: 'trust_granted',
        audit: { actor: 'user_local', folder: world.cwd, source: '--trust', for: 'this run' },
      },
      { decision: 'system_context' },
      { decision: 'user_message' },
    ])
    await world.pipe(['-c', 'go'])
    const words = (await exported(world)).map(({ decision }) => decision)
    expect(words.filter((word) => word === 'mode_set' || word === 'trust_granted')).toHaveLength(2)
  })

  it('by pipe trust about a folder is in a separate log', async () => {
    const world = await openWorld()
    const { pipe, cwd, home } = world
    await world.put('.pipe/config.json', JSON.stringify({ permissions: { allow: ['Bash(make)'] } }))
    expectRun(await pipe(['audit', 'show', 'trust']), { code: 42, stdout: '', stderr: complaint('trust') })
    await pipe(['trust'])
    await pipe(['trust', 'remove'])
    expect((await exported(world, 'trust')).map(({ decision, audit }) => [decision, audit])).toEqual([
      ['trust_granted', { actor: 'user_local', folder: cwd, allowed: ['Bash(make)'] }],
      ['trust_removed', { actor: 'user_local', folder: cwd }],
    ])
    expectRun(await pipe(['audit', 'verify', 'trust']), {
      stdout: expect.stringMatching(/^trust: 3 lines, unchanged\nhead [0-9a-f]{64}\n$/),
    })
    expectRun(await pipe(['audit', 'show']), {
      code: 42,
      stdout: '',
      stderr: complaint('no audit log about'),
    })
    expect(await readdir(join(home, 'audit/folders'))).toEqual(['trust.jsonl'])
  })

  it('can be reported to the operator of the server with the ids of request and reply', async () => {
    const world = await openWorld()
    const sse = replyEvents([{ type: 'text', text: 'Hi.' }]).join('')
    world.server.reply({ sse, headers: { 'x-request-id': 'req_7' } })
    await world.pipe(['go'])
    const ended = (await exported(world)).find(({ decision }) => decision === 'round_ended')
    expect(ended?.audit).toMatchObject({ request_id: 'req_7', response_id: expect.any(String) })
  })
})

describe('pipe audit verify', () => {
  it('names an altered line', async () => {
    const { pipe, file } = await worked()
    await writeFile(file, (await readFile(file, 'utf8')).replace('echo hi', 'echo ho'))
    expectRun(await pipe(['audit', 'verify']), {
      code: 50,
      stdout: '',
      stderr: complaint(`${file}, line 6: it was altered`),
    })
    const run = await pipe(['audit', 'verify', '--json'])
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, lines: 5, fault: { line: 6 } })
  })

  slowIt('detects lines cut off at the end when given the head', async () => {
    const { pipe, file } = await worked()
    const { head } = JSON.parse((await pipe(['audit', 'verify', '--json'])).stdout)
    expectRun(await pipe(['audit', 'verify', '--head', head]), { stdout: expect.stringContaining(head) })
    await cutLines(file, 1)
    expectRun(await pipe(['audit', 'verify', '--head', head]), {
      code: 50,
      stdout: '',
      stderr: complaint('line 18: no line up to here has the given hash'),
    })
    expectRun(await pipe(['audit', 'verify', '--head', 'x']), {
      code: 2,
      stdout: '',
      stderr: complaint('--head'),
    })
  })

  slowIt('detects a missing turn end, and a missing turn that the session still has', async () => {
    const { pipe, server, id, file } = await worked()
    server.reply(say('Fine.'))
    await pipe(['-r', id, 'well?'])
    const verified = async (reason: string) =>
      expectRun(await pipe(['audit', 'verify']), { code: 50, stdout: '', stderr: complaint(reason) })
    await cutLines(file, 1)
    await verified('line 22: the last turn has no end')
    await cutLines(file, 3)
    await verified('line 19: the session continues to message')
  })

  slowIt('accepts a log whose run is active, and reports where a run was killed', async () => {
    const { pipe, start, server } = await openWorld()
    const asked = deferred()
    server.reply(() => asked.resolve())
    const run = start(['go'])
    await asked.promise
    await expect.poll(() => pipe(['audit', 'verify'])).toMatchObject({ code: 0 })
    run.kill('SIGKILL')
    await run.ended
    expectRun(await pipe(['audit', 'verify']), {
      code: 50,
      stdout: '',
      stderr: complaint('line 4: the last turn has no end: pipe was killed during it, or lines were cut off'),
    })
    server.reply(say('Hi.'))
    await pipe(['-c', 'again'])
    expectRun(await pipe(['audit', 'verify']), { stdout: expect.any(String) })
  })

  it('reports that there is no log', async () => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['audit', 'verify']), {
      code: 42,
      stdout: '',
      stderr: complaint('no audit log about'),
    })
    expectRun(await pipe(['audit', 'show', 'abcdef']), { code: 42, stdout: '', stderr: complaint('abcdef') })
  })
})

describe('feedback on a message', () => {
  it('is an entry, and reaches the model with the next prompt', async () => {
    const world = await worked()
    const { pipe, server, id } = world
    const spoken = (await exported(world)).findLast(({ decision }) => decision === 'assistant_text')
    const messageId = String(spoken?.message?.['id'])
    expectRun(await pipe(['audit', 'feedback', messageId, 'please', 'reconsider']), {
      stdout: `the model gets it with the next message of the session: pipe -r ${id}\n`,
    })
    server.reply(say('I did.'), say('Yes.'))
    await pipe(['-c', 'and now?'])
    await pipe(['-c', 'again?'])
    const [told = '', after = ''] = server.requests.slice(-2).map(({ body }) => lastText(body))
    expect(told).toContain('The user has feedback on what you said, "Done.": please reconsider')
    expect(after).not.toContain('feedback')
    const entry = (await exported(world)).find(({ decision }) => decision === 'feedback')
    expect(entry).toMatchObject({
      message: { type: 'assistant_text', id: messageId, content: 'Done.' },
      audit: { actor: 'user_local', message_id: messageId, feedback: 'please reconsider' },
    })
    expectRun(await pipe(['audit', 'verify']), { stdout: expect.any(String) })
  })

  slowIt('is refused if this folder has no such message', async () => {
    const { pipe } = await worked()
    expectRun(await pipe(['audit', 'feedback', 'abcdef0', 'no']), {
      code: 42,
      stdout: '',
      stderr: complaint('no message abcdef0 in the sessions of'),
    })
  })
})

it('redact_sessions removes secrets from a session, but not from what the model receives', async () => {
  const { pipe, server, home, configure, sessions } = await openWorld()
  const settings: object = JSON.parse(await readFile(join(home, 'config.json'), 'utf8'))
  await configure({ ...settings, redact_sessions: true })
  server.reply(say('It is hunter2.'))
  await pipe(['use password=hunter2'])
  const [session] = await sessions()
  expect(JSON.stringify(session)).toContain('password=[redacted]')
  expect(session?.['title']).toBe('use password=[redacted]')
  expect(server.requests.map(({ body }) => lastText(body))).toEqual([
    expect.stringContaining('password=hunter2'),
  ])
})

it('nothing that is stored or exported holds the key in the variable of a server, whatever its name', async () => {
  const { shell, server, home, configure, env, sessions } = await openWorld()
  const fake = { dialect: 'openai-chat', base_url: server.baseUrl, api_key_env: 'ACME_LLM' }
  await configure({ model: 'fake/m', redact_sessions: true, providers: { fake } })
  server.reply(use(['bash', { command: 'echo plain-words-987' }]), say('It said plain-words-987.'))
  const withKey = { env: { ...env, ACME_LLM: 'plain-words-987' } }
  expectRun(await shell('pipe --yolo "say plain-words-987"', withKey), {
    stdout: 'It said plain-words-987.\n',
  })
  expect((await shell(`grep -rl plain-words ${home}`, withKey)).stdout).toBe('')
  await configure({ model: 'fake/m', providers: { fake } })
  server.reply(say('Yes, plain-words-987.'))
  await shell('pipe -c "and plain-words-987?"', withKey)
  const [session] = await sessions()
  const exported = await shell(`pipe sessions export ${session?.['id']}`, withKey)
  expect(exported.stdout).toContain('and [redacted]?')
  expect(exported.stdout).not.toContain('plain-words')
})
