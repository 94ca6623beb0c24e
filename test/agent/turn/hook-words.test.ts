import { describe, expect, it } from 'vitest'
import type { TurnEnding, TurnHooks } from '../../../src/turn-hooks.ts'
import { brief, openAgent, play } from '../../support/conversations/agent.ts'
import { sent } from '../../support/messages/histories.ts'
import { answers, choose } from '../../support/models/choices.ts'

/** Hooks that have nothing to say. */
const silent: TurnHooks = {
  beginning: (message) => Promise.resolve(message),
  compacted: async () => undefined,
  takeNotices: () => [],
  takeStop: () => undefined,
  ending: async () => undefined,
  compacting: async () => undefined,
}

function open(hooks: Partial<TurnHooks>, ...replies: readonly string[]) {
  const model = choose(
    'a/big',
    replies.map((reply) => answers(reply)),
  )
  return { ...openAgent({ model, hooks: { ...silent, ...hooks } }), requests: model.requests }
}

describe('a hook', () => {
  it('lets a turn go on, and is told that it did', async () => {
    const asked: TurnEnding[] = []
    const agent = open(
      {
        ending: async (end) => {
          asked.push(end)
          return end.timesProlonged > 0 ? undefined : 'write tests'
        },
      },
      'Done.',
      'Now with tests.',
    )
    const { turn } = await play(agent)
    expect(turn).toMatchObject({ rounds: 2, stopReason: 'end_turn' })
    expect(asked).toEqual([
      { said: 'Done.', timesProlonged: 0 },
      { said: 'Now with tests.', timesProlonged: 1 },
    ])
    expect(agent.requests.slice(1).map(sent)).toEqual([['hello', 'Done.', 'write tests']])
    expect(turn.messages.map(({ type, metadata }) => [type, metadata])).toEqual([
      ['user', undefined],
      ['assistant', undefined],
      ['user', { hook_message: 'true' }],
      ['assistant', undefined],
    ])
  })

  it('ends a turn before the next round, and no later turn', async () => {
    const stops = [undefined, 'enough']
    const agent = open({ takeStop: () => stops.shift() }, 'Done.')
    const { turn } = await play(agent)
    expect(turn.error).toMatchObject({ code: 'permission', message: 'a hook ends the turn: enough' })
    expect((await play(agent)).turn).toMatchObject({ stopReason: 'end_turn' })
  })

  it('tells the user something while the turn goes on', async () => {
    const notices = [[], ['look']]
    const agent = open({ takeNotices: () => notices.shift() ?? [] }, 'Done.')
    const { events } = await play(agent)
    expect(events.filter(({ type }) => type === 'notice').map(brief)).toHaveLength(1)
  })
})
