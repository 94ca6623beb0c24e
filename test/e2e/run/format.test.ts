import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { readLines, type StreamLine } from '../../support/programs/stream-lines.ts'
import { openWorld } from '../../support/programs/world.ts'

describe('json', () => {
  it.each([['-o', 'json'], ['--json'], ['--output-format', 'json'], ['--outputFormat=json']])(
    'is one object with %s',
    async (...flags) => {
      const { pipe, server, sessions } = await openWorld()
      server.reply(say('Hello.'))
      const run = await pipe([...flags, 'hi'])
      expectRun(run, { stdout: expect.stringMatching(/^\{.*\}\n$/) })
      const [session] = await sessions()
      expect(JSON.parse(run.stdout)).toEqual({
        type: 'result',
        is_error: false,
        exit_code: 0,
        stop_reason: 'end_turn',
        result: 'Hello.',
        session_id: session?.id,
        turns: 1,
        rounds: 1,
        usage: { input_tokens: 10, output_tokens: 5 },
        cost_usd: 0,
        model: 'fake/model-1',
        duration_ms: expect.any(Number),
        permission_denials: [],
      })
    },
  )

  it('reports a failure in the result and on stderr', async () => {
    const { pipe, server } = await openWorld()
    server.reply({ status: 401, body: '{"error":{"message":"no such key"}}' })
    const run = await pipe(['--json', 'hi'])
    expectRun(run, {
      code: 41,
      stdout: expect.any(String),
      stderr: expect.stringMatching(/^pipe: [^\n]*\n$/),
    })
    expect(JSON.parse(run.stdout)).toMatchObject({
      is_error: true,
      exit_code: 41,
      stop_reason: 'error',
      result: '',
      turns: 1,
      rounds: 1,
      error: {
        code: 'auth',
        message: expect.stringMatching(/no such key; .*pipe auth set fake$/),
        details: { status: '401', provider: 'fake' },
      },
    })
  })
})

it.each([['json'], ['stream-json']])('%s also reports why a run could not begin', async (format) => {
  const { pipe, configure } = await openWorld()
  await configure('{"modle": "a/b"}')
  const run = await pipe(['-o', format, 'hi'])
  expectRun(run, { code: 52, stdout: expect.stringMatching(/^[^\n]*\n$/), stderr: complaint('modle') })
  expect(JSON.parse(run.stdout)).toMatchObject({
    type: 'result',
    is_error: true,
    exit_code: 52,
    error: { code: 'config', message: expect.stringContaining('there is no setting called "modle"') },
  })
})

it.each([
  [['--json', '--no-such-flag', 'hi'], 'unknown flag --no-such-flag'],
  [['-ojson', '-r', 'nobody', 'hi'], 'no session is called nobody'],
  [['-qo', 'stream-json', '-C', '/nowhere', 'hi'], 'there is no such folder'],
  [['-m', 'auth', '-o', 'json', '--no-such-flag'], 'unknown flag --no-such-flag'],
  [['--json', '--no-such-flag', 'explain', 'config'], 'unknown flag --no-such-flag'],
  [['-p', '--json', '--no-such-flag', 'config'], 'unknown flag --no-such-flag'],
  [['-r', '-o', 'json', '--no-such-flag'], 'unknown flag --no-such-flag'],
  [['--resume=', '-o', 'json', 'hi'], 'not a session id'],
  [['-m', '--json', 'hi'], '-m needs a value'],
])('%j also report why a line is no run', async (args, words) => {
  const { pipe } = await openWorld()
  const run = await pipe(args)
  const { exit_code: code, ...result } = JSON.parse(run.stdout)
  expectRun(run, { code, stdout: expect.stringMatching(/^[^\n]*\n$/), stderr: complaint(words) })
  expect(result).toMatchObject({ is_error: true, error: { message: expect.stringContaining(words) } })
})

it.each([
  [['-o', 'json', 'sessions', 'nothing']],
  [['--protocol', 'claude', '-o', 'json', '--no-such-flag', 'hi']],
  [['--no-such-flag', '--', '--json']],
  [['-q', 'sessions', '--json', '--no-such-flag']],
])('%j writes no result of a run', async (args) => {
  const { pipe } = await openWorld()
  expectRun(await pipe(args), { code: 2, stdout: '', stderr: expect.any(String) })
})

describe('stream-json', () => {
  /** A conversation of two rounds: two parallel reads, then an answer. */
  async function stream() {
    const { pipe, put, server, cwd } = await openWorld()
    await put('a.txt', 'a\n')
    server.reply(
      {
        blocks: [
          { type: 'thinking', thinking: 'I should read both.' },
          { type: 'text', text: 'Reading both files now.' },
          { type: 'tool_call', name: 'read', arguments: { path: 'a.txt' } },
          { type: 'tool_call', name: 'read', arguments: { path: 'b.txt' } },
        ],
      },
      say('One is there, the other is not.'),
    )
    const run = await pipe(['-o', 'stream-json', 'read both'])
    expectRun(run, { stdout: expect.any(String) })
    return { lines: readLines(run.stdout), cwd }
  }

  it('begins with its header and ends with its result', async () => {
    const { lines, cwd } = await stream()
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(lines[0]).toEqual({ type: 'stream', version: 1, session_id: id, model: 'fake/model-1', cwd })
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      exit_code: 0,
      turns: 1,
      rounds: 2,
      session_id: lines[0]?.['session_id'],
    })
  })

  it('numbers the events of its agent without a gap', async () => {
    const { lines } = await stream()
    const events = lines.slice(1, -1)
    expect(events.map((line) => line['seq'])).toEqual(events.map((_, i) => i + 1))
    expect(new Set(events.map((line) => line['agent_id'])).size).toBe(1)
  })

  it('puts the type first in every line', async () => {
    const { lines } = await stream()
    expect(new Set(lines.map((line) => Object.keys(line)[0]))).toEqual(new Set(['type']))
  })

  it('has deltas that add up to the message that follows them', async () => {
    const { lines } = await stream()
    const messages = lines.filter(
      ({ type, message }) => type === 'message' && roleOf(message) === 'assistant',
    )
    expect(messages.map(({ message }) => message)).toMatchObject([
      {
        content: [
          { type: 'thinking', thinking: 'I should read both.' },
          { type: 'text', text: 'Reading both files now.' },
          { type: 'tool_call', arguments: { path: 'a.txt' } },
          { type: 'tool_call', arguments: { path: 'b.txt' } },
        ],
      },
      { content: [{ type: 'text', text: 'One is there, the other is not.' }] },
    ])
    expect(joined(lines, 'thinking_delta')).toBe('I should read both.')
    expect(joined(lines, 'text_delta')).toBe('Reading both files now.One is there, the other is not.')
    expect(joined(lines, 'tool_call_delta')).toBe('{"path":"a.txt"}{"path":"b.txt"}')
  })

  it('nests calls in rounds in a turn, each with its own end', async () => {
    const { lines } = await stream()
    const open: string[] = []
    for (const line of lines) {
      const [, what = '', edge = ''] = /^(turn|round|tool|tool_call)_(start|begin|end)$/.exec(line.type) ?? []
      const name = `${what} ${line['round'] ?? line['call_id'] ?? line['id'] ?? idOf(line['call'])}`
      if (edge === 'start' || edge === 'begin') open.push(name)
      if (edge === 'end') expect(open.splice(open.lastIndexOf(name), 1)).toEqual([name])
    }
    expect(open).toEqual([])
    expect(outer(lines)).toEqual([
      'stream',
      'turn_start',
      'round_start',
      'message',
      'tool_start',
      'tool_start',
      'tool_end',
      'tool_end',
      'message',
      'message',
      'round_end',
      'round_start',
      'message',
      'round_end',
      'turn_end',
      'result',
    ])
  })

  it('reports the states of its agent in cyclic order', async () => {
    const { lines } = await stream()
    const circle = ['idle>thinking', 'thinking>toolcall', 'toolcall>reflecting', 'reflecting>idle']
    const states = lines.filter(({ type }) => type === 'state')
    expect(states.map(({ from, to }) => `${from}>${to}`)).toEqual([...circle, ...circle])
  })
})

function joined(lines: readonly StreamLine[], type: string): string {
  return lines.map((line) => (line.type === type ? line['delta'] : '')).join('')
}

/** Returns the line types without deltas, partial calls and states. */
function outer(lines: readonly StreamLine[]): readonly string[] {
  return lines.map(({ type }) => type).filter((type) => !/delta$|^tool_call_|^state$/.test(type))
}

function roleOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined
}

function idOf(call: unknown): unknown {
  return typeof call === 'object' && call !== null && 'id' in call ? call.id : undefined
}
