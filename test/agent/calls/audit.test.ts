import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { InteractionResponse } from '../../../src/interaction.ts'
import { guard } from '../../../src/permission/guard.ts'
import type { Decision, PermissionPolicy } from '../../../src/permission.ts'
import { textResult } from '../../../src/tool.ts'
import {
  type AgentSetup,
  calls,
  failing,
  openAgent,
  play,
  resultsOf,
  round,
  says,
} from '../../support/conversations/agent.ts'
import { breaks, gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'
import { recordingAudit } from '../../support/sessions/recording-audit.ts'

const allowed: Decision = {
  behavior: 'allow',
  source: 'mode',
  rule: 'bypass',
  reason: 'every call is allowed',
}
const denied: Decision = {
  behavior: 'deny',
  source: 'user',
  rule: 'Bash(rm:*)',
  reason: 'Bash(rm:*) forbids it',
}
const asked: Decision = { behavior: 'ask', source: 'builtin', reason: 'bash can change things' }

function policy(decision: Decision): PermissionPolicy {
  return {
    judge: async () => decision,
    allowForSession: () => undefined,
    suggestRules: async () => ['bash'],
    allowRules: () => undefined,
  }
}

const tools = {
  bash: {
    // biome-ignore lint/correctness/useYield: a tool without output
    run: async function* () {
      return textResult('hi', { exit_code: 0, diff: 'long' })
    },
  },
  read: gives('text', { readOnly: true }),
}

interface Setup extends AgentSetup {
  readonly decision?: Decision
  readonly answer?: Omit<InteractionResponse, 'interactionId' | 'answeredBy'>
  readonly onAsk?: 'ask' | 'deny' | 'stop'
}

/** Plays one turn with guarded tools. Returns its audit log and the journal of all writers. */
async function run({ decision = allowed, answer, onAsk = 'ask', ...setup }: Setup) {
  const journal: string[] = []
  const { audit, entries } = recordingAudit(journal)
  const guarded = guard(scriptedTools(tools, journal), { policy: policy(decision), newId: otherIds(), onAsk })
  const agent = openAgent({ executor: guarded, journal, audit, ...setup })
  const { turn } = await play(agent, {
    see: (event) => {
      if (event.type !== 'interaction_requested') return
      const response = { interactionId: event.interaction.id, answeredBy: 'user_ann', ...answer }
      agent.engine.send({ type: 'respond', response })
    },
  })
  await agent.conversation.close()
  return { entries, journal, turn, words: entries.map((entry) => entry.decision) }
}

const echo = [round(says('I will.'), calls('a', 'bash', { command: 'echo hi' })), round(says('Done.'))]
const bare = { usage: { input_tokens: 10, output_tokens: 5 }, stop_reason: 'end_turn' }

describe('a turn without tools', () => {
  it('logs the actor, the messages, and the ends of round and turn', async () => {
    const { audit, entries } = recordingAudit()
    const context = { content: [text('cwd: /x'), text('hello')], metadata: { context: '1' } }
    const message = { ...user(), ...context }
    const { turn } = await play(openAgent({ rounds: [round(says('Hi.'))], audit }), { message })
    const spoken = { provider: 'replay', model: 'script' }
    expect(entries).toEqual([
      {
        decision: 'user_message',
        actor: 'user_local',
        message: { type: 'user', id: message.id, content: 'hello' },
        audit: { context_blocks: 1, media: 0 },
      },
      {
        decision: 'assistant_text',
        actor: 'agent_pipe',
        message: { type: 'assistant_text', id: turn.messages[1]?.id, content: 'Hi.' },
        audit: spoken,
      },
      { decision: 'round_ended', actor: 'agent_pipe', audit: { round: 1, ...spoken, ...bare } },
      { decision: 'turn_ended', actor: 'agent_pipe', audit: { rounds: 1, ...bare } },
    ])
  })
})

it('logs the system prompt before the first turn, unless an earlier run has', async () => {
  const words = async (isPromptAudited: boolean) => {
    const { audit, entries } = recordingAudit()
    const agent = openAgent({ rounds: [round(says('Hi.')), round(says('Ho.'))], audit, isPromptAudited })
    await play(agent)
    await play(agent)
    return entries.filter(({ decision }) => decision === 'system_context')
  }
  const message = { type: 'system_context', content: 'Be brief.' }
  expect(await words(false)).toEqual([
    { decision: 'system_context', actor: 'agent_pipe', message, audit: {} },
  ])
  expect(await words(true)).toEqual([])
})

it('logs thoughts apart from the answer', async () => {
  const { audit, entries } = recordingAudit()
  const rounds = [round({ type: 'thinking', thinking: 'Hm.' }, says('Hi.'))]
  await play(openAgent({ rounds, audit }))
  expect(entries.map(({ decision, message }) => [decision, message?.type]).slice(1, 3)).toEqual([
    ['assistant_thinking', 'assistant_thinking'],
    ['assistant_text', 'assistant_text'],
  ])
})

describe('a call', () => {
  it('runs after its request and permission are on disk, the session first', async () => {
    const { journal } = await run({ rounds: echo })
    expect(journal).toEqual([
      ...['append user', 'sync', 'audit user_message', 'request'],
      ...['append assistant', 'audit assistant_text', 'audit tool_call_requested', 'sync'],
      ...['audit permission_granted', 'audit sync', 'run bash', 'end bash'],
      ...['append tool_result', 'audit tool_executed', 'audit round_ended', 'request'],
      ...['append assistant', 'audit assistant_text', 'audit round_ended', 'sync'],
      ...['audit turn_ended', 'audit sync', 'audit close', 'close'],
    ])
  })

  it('among several of a round also runs after its permission is on disk', async () => {
    const both = round(calls('a', 'bash'), calls('b', 'bash'))
    const { journal } = await run({ rounds: [both, round(says('Done.'))] })
    const acts = journal.filter((line) => /^run|permission|audit sync/.test(line))
    const act = ['audit permission_granted', 'audit sync', 'run bash']
    expect(acts).toEqual([...act, ...act, 'audit sync'])
  })

  it('is logged with its permission, the rule and its result', async () => {
    const { entries, turn } = await run({ rounds: echo })
    const [, , result] = turn.messages
    expect(entries.slice(2, 5)).toEqual([
      {
        decision: 'tool_call_requested',
        actor: 'agent_pipe',
        message: {
          type: 'assistant_action',
          id: turn.messages[1]?.id,
          tool_id: 'a',
          tool_name: 'bash',
          tool_args: { command: 'echo hi' },
        },
        audit: { call_id: 'a', tool: 'bash', provider: 'replay', model: 'script' },
      },
      {
        decision: 'permission_granted',
        actor: 'agent_pipe',
        audit: {
          call_id: 'a',
          tool: 'bash',
          by: 'mode',
          judged: 'allow',
          source: 'mode',
          rule: 'bypass',
          reason: 'every call is allowed',
        },
      },
      {
        decision: 'tool_executed',
        actor: 'agent_pipe',
        message: {
          type: 'tool_result',
          id: result?.id,
          tool_id: 'a',
          tool_name: 'bash',
          success: true,
          result: 'hi',
          executed_at: result?.timestamp,
        },
        audit: { call_id: 'a', tool: 'bash', is_error: false, duration_ms: 0, exit_code: 0, media: 0 },
      },
    ])
  })

  it('is denied and does not run if a rule forbids it', async () => {
    const { entries, words } = await run({ rounds: echo, decision: denied })
    expect(words.slice(2, 5)).toEqual(['tool_call_requested', 'permission_denied', 'tool_not_executed'])
    expect(entries[3]).toMatchObject({ actor: 'agent_pipe', audit: { by: 'rule', rule: 'Bash(rm:*)' } })
  })

  it.each([
    ['allows', { selectedOptionId: 'allow_session' }, 'permission_granted', 'tool_executed'],
    ['refuses', { selectedOptionId: 'deny', comment: 'no' }, 'permission_denied', 'tool_not_executed'],
  ])(
    'that a user %s is logged with the question, the answer and its author',
    async (_, answer, verdict, end) => {
      const { entries, words } = await run({ rounds: echo, decision: asked, answer })
      expect(words.slice(2, 7)).toEqual([
        'tool_call_requested',
        'permission_asked',
        'question_answered',
        verdict,
        end,
      ])
      expect(entries[3]).toMatchObject({ actor: 'agent_pipe', audit: { title: 'Use bash?' } })
      const told = { selected_option_id: answer.selectedOptionId }
      expect(entries[4]).toMatchObject({ actor: 'user_ann', audit: told })
      expect(entries[5]).toMatchObject({ actor: 'user_ann', audit: { by: 'person', judged: 'ask', ...told } })
    },
  )

  it('does not run if its question is cancelled', async () => {
    const { words } = await run({ rounds: echo, decision: asked, answer: { cancelled: true } })
    expect(words.slice(3, 6)).toEqual(['permission_asked', 'question_cancelled', 'permission_denied'])
    expect(words[6]).toBe('tool_not_executed')
  })

  it('does not run if an abort cancels its question', async () => {
    const abort = new AbortController()
    const { audit, entries } = recordingAudit()
    const executor = guard(scriptedTools(tools), { policy: policy(asked), newId: otherIds(), onAsk: 'ask' })
    await play(openAgent({ rounds: echo, executor, audit }), {
      signal: abort.signal,
      see: ({ type }) => {
        if (type === 'interaction_requested') queueMicrotask(() => abort.abort())
      },
    })
    const words = entries.map(({ decision }) => decision)
    expect(words.slice(3)).toEqual([
      'permission_asked',
      'question_cancelled',
      'tool_not_executed',
      'round_ended',
      'turn_ended',
    ])
  })

  it('is denied if the answer stops the turn, which ends with the reason', async () => {
    const { entries, words } = await run({ rounds: echo, decision: asked, onAsk: 'stop' })
    expect(words.slice(3)).toEqual(['permission_denied', 'tool_not_executed', 'turn_ended'])
    expect(entries.at(-1)?.audit).toMatchObject({ stop_reason: 'error', error: { code: 'permission' } })
  })

  it('is logged as interrupted if its tool crashes, as it may have run', async () => {
    const { audit, entries } = recordingAudit()
    const executor = scriptedTools({ bash: breaks(new PipeError('tool', 'no bash here')) })
    await play(openAgent({ rounds: echo, executor, audit }))
    expect(entries.slice(-2).map(({ decision, audit: facts }) => [decision, facts])).toMatchObject([
      ['tool_interrupted', { call_id: 'a', tool: 'bash' }],
      ['turn_ended', { stop_reason: 'error', error: { code: 'tool', message: 'no bash here' } }],
    ])
  })
})

it('logs the result of a call that ended before another one failed', async () => {
  const { audit, entries } = recordingAudit()
  const broken = breaks(new PipeError('tool', 'out of order'), { readOnly: true })
  const executor = scriptedTools({ read: gives('text', { readOnly: true }), broken })
  const agent = openAgent({ executor, audit, rounds: [round(calls('a', 'read'), calls('b', 'broken'))] })
  expect((await play(agent)).turn.error).toMatchObject({ code: 'tool' })
  const ends = entries.flatMap(({ decision, audit: { call_id } }) =>
    decision.startsWith('tool_') && decision !== 'tool_call_requested' ? [[decision, call_id]] : [],
  )
  expect(ends).toEqual([
    ['tool_executed', 'a'],
    ['tool_interrupted', 'b'],
  ])
})

it('logs a retry', async () => {
  const { entries } = await run({
    rounds: [failing(round(says('Hi.')), { code: 'overloaded', message: 'busy', after: 0 })],
  })
  expect(entries[1]).toMatchObject({ decision: 'retry', audit: { attempt: 1, reason: 'busy' } })
})

it('logs a change of the model', () => {
  const { audit, entries } = recordingAudit()
  const { engine } = openAgent({ audit })
  const provider = { name: 'other', stream: () => expect.unreachable() }
  engine.send({ type: 'set_model', choice: { provider, model: 'm', thinking: 'high' } })
  expect(entries).toEqual([
    { decision: 'model_set', actor: 'user_local', audit: { model: 'other/m', thinking: 'high' } },
  ])
})

it('logs the end of an abandoned turn', async () => {
  const { audit, entries } = recordingAudit()
  const { engine } = openAgent({ rounds: echo, executor: scriptedTools(tools), audit })
  for await (const { type } of engine.submit(user(text('go')), { signal: new AbortController().signal })) {
    if (type === 'tool_start') break
  }
  expect(entries.slice(-2)).toMatchObject([
    { decision: 'tool_interrupted', audit: { call_id: 'a' } },
    { decision: 'turn_ended', audit: { stop_reason: 'aborted', rounds: 1 } },
  ])
})

describe('a failure to write the audit log', () => {
  it.each(['user_message', 'tool_call_requested', 'permission_granted', 'tool_executed', 'turn_ended'])(
    'ends the turn: at %s',
    async (word) => {
      const ran: string[] = []
      const { audit } = recordingAudit([], ({ decision }) => decision === word)
      const executor = guard(scriptedTools(tools, ran), {
        policy: policy(allowed),
        newId: otherIds(),
        onAsk: 'stop',
      })
      const { turn } = await play(openAgent({ rounds: echo, executor, audit }))
      expect(turn).toMatchObject({ stopReason: 'error', error: { code: 'internal' } })
      expect(ran.length > 0).toBe(word === 'tool_executed' || word === 'turn_ended')
    },
  )

  it('loses nothing: later, the waiting entries precede those of the next turn', async () => {
    const ran: string[] = []
    let isFull = true
    const { audit, entries } = recordingAudit(
      [],
      ({ decision }) => isFull && decision === 'permission_granted',
    )
    const executor = guard(scriptedTools(tools, ran), {
      policy: policy(allowed),
      newId: otherIds(),
      onAsk: 'stop',
    })
    const agent = openAgent({ rounds: [...echo, round(says('Again.'))], executor, audit })
    expect((await play(agent)).turn).toMatchObject({ error: { code: 'internal' } })
    const before = ['user_message', 'assistant_text', 'tool_call_requested']
    expect(entries.map(({ decision }) => decision)).toEqual(before)
    isFull = false
    const { turn } = await play(agent, { message: user(text('and now?')) })
    expect([turn.stopReason, ran]).toEqual(['end_turn', []])
    expect(entries.map(({ decision }) => decision)).toEqual([
      ...before,
      ...['permission_granted', 'tool_not_executed', 'turn_ended'],
      ...['user_message', 'assistant_text', 'round_ended', 'turn_ended'],
    ])
  })
})

describe('a full disk', () => {
  const fullDisk = { reason: 'ENOSPC' }

  it('at the permission of a call leaves it unrun and tells the model, and the turn goes on', async () => {
    const ran: string[] = []
    const { audit } = recordingAudit([], ({ decision }) => decision === 'permission_granted', fullDisk)
    const executor = guard(scriptedTools(tools, ran), {
      policy: policy(allowed),
      newId: otherIds(),
      onAsk: 'stop',
    })
    const { turn } = await play(openAgent({ rounds: echo, executor, audit }))
    expect([turn.stopReason, turn.error, ran]).toEqual(['end_turn', undefined, []])
    expect(resultsOf(turn.messages)).toEqual([
      'a failed: Nothing was run: what a call may do must be in the audit log first, and that is not possible now: cannot write the log: the disk is full. Other calls fail too until there is room. Tell the user.',
    ])
  })

  it('that a tool runs into ends the turn, as the call may have run', async () => {
    const full = new PipeError('tool', 'cannot write a.txt: the disk is full', { details: fullDisk })
    const { audit } = recordingAudit()
    const executor = scriptedTools({ bash: breaks(full) })
    const { turn } = await play(openAgent({ rounds: echo, executor, audit }))
    expect(turn).toMatchObject({ stopReason: 'error', error: full })
  })
})
