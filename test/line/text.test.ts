import { describe, expect, it } from 'vitest'
import { lookOf } from '../../src/cli/wiring/tools/known-tools.ts'
import { isJsonObject } from '../../src/json-value.ts'
import { RunResult } from '../../src/line/run-result.ts'
import { textReporter } from '../../src/line/text.ts'
import type { ScriptRound } from '../../src/replay/script.ts'
import { errorResult, textResult } from '../../src/tool.ts'
import { calls, failing, openAgent, play, round, says } from '../support/conversations/agent.ts'
import { capture } from '../support/conversations/host.ts'
import { gives, scriptedTools } from '../support/conversations/scripted-tools.ts'

const busy = { code: 'overloaded', message: 'too much\x1b[31m to do', after: 1 } as const

const tools = scriptedTools({
  bash: gives('ran'),
  edit: {
    run: async function* () {
      yield { type: 'checkpoint', notes: ['cannot be undone\x1b', 'left out'] }
      return textResult('edited')
    },
  },
  write: {
    // biome-ignore lint/correctness/useYield: a tool without output
    run: async function* (args) {
      return errorResult('1\n2\n\n[exit code 1]', isJsonObject(args) ? args : {})
    },
  },
  read: {
    // biome-ignore lint/correctness/useYield: a tool without output
    run: async function* () {
      return errorResult('no such\x1b file\nnear: x')
    },
  },
})

interface Scene {
  readonly terminal: { readonly stdout: boolean; readonly stderr: boolean }
  readonly chatty: boolean
  readonly sessionId?: string
}

/** Runs and returns both outputs, and the screen that both write to. */
async function written(rounds: readonly ScriptRound[], { terminal, chatty, sessionId }: Scene) {
  const screen: string[] = []
  const [stdout, stderr] = [capture(terminal.stdout, screen), capture(terminal.stderr, screen)]
  const reporter = textReporter({ stdout, stderr }, { chatty, quiet: false, look: lookOf })
  const result = new RunResult()
  reporter.begin({ sessionId, model: 'replay/script', cwd: '/here' })
  await play(openAgent({ rounds, executor: tools }), {
    see: (event) => {
      result.add(event)
      void reporter.event(event)
    },
  })
  const outcome = { exitCode: 0 }
  reporter.end(result, outcome, result.toJson(outcome, { sessionId, durationMs: 0 }))
  return { stdout: stdout.text(), stderr: stderr.text(), screen: screen.join('') }
}

const piped: Scene = { terminal: { stdout: false, stderr: false }, chatty: false }
const atTerminal: Scene = { terminal: { stdout: true, stderr: true }, chatty: true, sessionId: 'abc' }

const work = [
  round(
    says('I look.'),
    calls('tc_1', 'bash', { command: 'ls\x1b[2J -l' }),
    calls('tc_2', 'read', { path: 'x' }),
  ),
  round(says('Two lines\nof answer.')),
]

describe('a run into a pipe', () => {
  it('writes the answer of the last round and nothing else', async () => {
    expect(await written(work, piped)).toEqual({
      stdout: 'Two lines\nof answer.\n',
      stderr: '',
      screen: 'Two lines\nof answer.\n',
    })
  })

  it('ends the answer with one line feed, and changes no other byte', async () => {
    const answer = 'a\x1b[31m\r\n\tb\u202e\n'
    expect((await written([round(says(answer))], piped)).stdout).toBe(answer)
    expect((await written([round(says('no line end'))], piped)).stdout).toBe('no line end\n')
  })

  it('writes nothing without an answer', async () => {
    expect((await written([{ ...round(says('Half')), stopReason: 'error' }], piped)).stdout).toBe('')
    expect((await written([{ ...round(), stopReason: 'refusal' }], piped)).stdout).toBe('')
  })

  it('omits discarded text', async () => {
    expect((await written([failing(round(says('one two')), busy)], piped)).stdout).toBe('one two\n')
  })

  it('reports activity and the resume command on stderr', async () => {
    const scene: Scene = { ...atTerminal, terminal: { stdout: false, stderr: true } }
    expect(await written(work, scene)).toMatchObject({
      stdout: 'Two lines\nof answer.\n',
      stderr:
        '• bash ls\\x1b[2J -l\n  ✓ 0 ms\n• read x\n  ✗ 0 ms no such file\npipe: resume with: pipe -r abc\n',
    })
  })
})

describe('a run at a terminal', () => {
  it('streams every round, and starts notes on a new line', async () => {
    expect((await written(work, atTerminal)).screen).toBe(
      'I look.\n• bash ls\\x1b[2J -l\n  ✓ 0 ms\n• read x\n  ✗ 0 ms no such file\n' +
        'Two lines\nof answer.\npipe: resume with: pipe -r abc\n',
    )
  })

  it('writes each delta at once, without control sequences', async () => {
    const { stdout, stderr } = await written([round(says('one \x1b]0;what a title\x07two\n'))], {
      ...atTerminal,
      chatty: false,
    })
    expect([stdout, stderr]).toEqual(['one two\n', ''])
  })

  it('keeps an unfinished sequence from swallowing the next block or a note', async () => {
    const rounds = [
      round(says('a\x1b]0;b'), says('c\x07d\x1b]0;e'), calls('tc_1', 'bash', { command: 'ls' })),
      round(says('f\x07\n')),
    ]
    const { screen } = await written(rounds, atTerminal)
    expect(screen).toBe('abcde\n• bash ls\n  ✓ 0 ms\nf\npipe: resume with: pipe -r abc\n')
  })

  it('reports what cannot be undone', async () => {
    const rounds = [round(calls('tc_1', 'edit', { path: 'a.txt' })), round(says('Done.'))]
    expect((await written(rounds, atTerminal)).screen).toBe(
      '• edit a.txt\npipe: cannot be undone\npipe: left out\n  ✓ 0 ms\nDone.\npipe: resume with: pipe -r abc\n',
    )
  })

  it('starts a new line on a retry', async () => {
    const rounds = [failing(round(says('one two')), busy)]
    expect((await written(rounds, atTerminal)).screen).toBe(
      'one\npipe: too much to do; trying again in 500 ms\none two\npipe: resume with: pipe -r abc\n',
    )
    expect((await written(rounds, { ...atTerminal, chatty: false })).screen).toBe('one\none two\n')
  })

  it.each([
    [{ exit_code: 1 }, 'exit code 1'],
    [{ exit_code: null, signal: 'SIGKILL' }, 'ended by SIGKILL'],
    [{ exit_code: null, signal: 'SIGTERM', timed_out: true }, 'timed out'],
    [{ exit_code: 0 }, '1'],
  ])('reports how a command failed, not what it printed: %j', async (details, reason) => {
    const rounds = [round(calls('tc_1', 'write', details)), round(says('No.'))]
    const { stderr } = await written(rounds, atTerminal)
    expect(stderr).toBe(`• write\n  ✗ 0 ms ${reason}\npipe: resume with: pipe -r abc\n`)
  })

  it('names no session if none is saved', async () => {
    const { sessionId: _, ...scene } = atTerminal
    expect((await written([round(says('Yes.'))], scene)).screen).toBe('Yes.\n')
  })
})

it.each([true, false])('prints an answer of pipe itself, on a terminal: %s', (isTerminal) => {
  const [stdout, stderr] = [capture(isTerminal, []), capture(isTerminal, [])]
  const reporter = textReporter({ stdout, stderr }, { chatty: false, quiet: false, look: lookOf })
  const result = new RunResult()
  result.say('total 1')
  reporter.end(result, { exitCode: 0 }, {})
  expect([stdout.text(), stderr.text()]).toEqual(['total 1\n', ''])
})
