import { describe, expect, it } from 'vitest'
import type { Interaction } from '../../src/interaction.ts'
import type { Worktree, Worktrees } from '../../src/machine/worktree.ts'
import type { ToolOutput, ToolResult, ToolRun } from '../../src/tool.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { calls, round, says } from '../support/conversations/agent.ts'
import { openElves } from '../support/conversations/elves.ts'
import { asks } from '../support/conversations/questions.ts'
import { scriptedTools, waits } from '../support/conversations/scripted-tools.ts'
import { drainRun } from '../support/conversations/tool-run.ts'
import { countingIds } from '../support/messages/ids.ts'

const explore = { agent: 'explore', prompt: 'look' }

async function resultOf(run: ToolRun): Promise<string> {
  return textOf((await drainRun(run)).result)
}

function textOf({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('')
}

/** Pulls a run up to an output of this type. */
async function until(run: ToolRun, type: ToolOutput['type']): Promise<ToolOutput> {
  for (;;) {
    const { value, done } = await run.next()
    if (done === true) throw new Error(`it ended: ${textOf(value)}`)
    if (value.type === type) return value
  }
}

describe('a call that starts an elf', () => {
  it('begins with its start and ends with its end, around its events', async () => {
    const { call } = openElves({ rounds: [[round(says('Seen.'))]] })
    const { outputs, result } = await drainRun(call(explore))
    const types = outputs.map(({ type }) => type)
    expect([types.at(0), new Set(types.slice(1, -1)), types.at(-1)]).toEqual([
      'elf_start',
      new Set(['agent']),
      'elf_end',
    ])
    expect(result).toEqual({
      content: [{ type: 'text', text: 'Seen.\n\n[e1 · explore · replay/script · 1 round]' }],
      isError: false,
      details: { elf: 'e1', agent: 'explore', model: 'replay/script', stop_reason: 'end_turn', rounds: 1 },
    })
  })

  it('fails by a result for an unknown agent, and a conversation that cannot be opened', async () => {
    const { call } = openElves({ rounds: [] })
    expect(await resultOf(call({ agent: 'nobody', prompt: 'look' }))).toBe(
      'The elf could not work: there is no agent nobody',
    )
    expect(await resultOf(call(explore))).toBe('The elf could not work: no elf is scripted')
    expect(await resultOf(call({ prompt: 'write' }))).toBe('The elf could not work: there are no folders')
  })

  it('is refused for changes in place in the background', async () => {
    const { call } = openElves({ rounds: [] })
    expect(await resultOf(call({ prompt: 'write', isolation: 'none', background: true }))).toMatch(
      /cannot work in the background/,
    )
  })

  it('ends the elf at the limit of rounds, and says so', async () => {
    const looks = round(calls('call_1', 'look'))
    const executor = scriptedTools({ look: waits(Promise.resolve(), { before: '', text: 'seen' }) })
    const { call } = openElves({ rounds: [[looks, looks]], executor, limits: { maxRounds: 1 } })
    expect(await resultOf(call(explore))).toContain('It ended early: stopped after 1 round, the turn limit.')
  })

  it('ends the elf at the limit of time', async () => {
    const clock = createHandClock()
    const executor = scriptedTools({
      look: waits(deferred().promise, { before: 'on it', text: 'seen' }),
    })
    const rounds = [[round(calls('call_1', 'look'))]]
    const { call } = openElves({ rounds, executor, clock, limits: { maxTimeMs: 600_000 } })
    const run = call(explore)
    for (;;) {
      const output = await until(run, 'agent')
      if (output.type === 'agent' && output.event.type === 'tool_output') break
    }
    clock.advance(600_000)
    expect(await resultOf(run)).toContain('It ended early: stopped at the time limit: 600 s have passed')
  })

  it('counts no time while the elf waits for a person', async () => {
    const clock = createHandClock()
    const rounds = [[round(calls('call_1', 'ask')), round(says('Asked.'))]]
    const executor = scriptedTools({ ask: asks('Which?') })
    const { call } = openElves({ rounds, executor, clock, limits: { maxTimeMs: 600_000 } })
    const run = call(explore)
    const asked = await until(run, 'interaction')
    if (asked.type !== 'interaction') throw new Error('nothing was asked')
    clock.advance(3_600_000)
    const answer = { interactionId: asked.interaction.id, answeredBy: 'user_local', inputValue: 'this' }
    let step = await run.next(answer)
    while (step.done !== true) step = await run.next()
    expect(textOf(step.value)).toMatch(/^Asked\./)
  })

  it('withdraws the question of an elf that is stopped', async () => {
    const rounds = [[round(calls('call_1', 'ask'))]]
    const { call, roster } = openElves({ rounds, executor: scriptedTools({ ask: asks('Which?') }) })
    const run = call(explore)
    const asked = await until(run, 'interaction')
    if (asked.type !== 'interaction') throw new Error('nothing was asked')
    expect(asked.interaction.display.title).toBe('e1 (explore): Which?')
    expect([roster.stop('e1'), asked.withdrawn?.aborted]).toEqual([true, true])
    expect(await resultOf(run)).toContain('It ended early: it was stopped.')
    expect(roster.stop('e1')).toBe(false)
  })
})

describe('an elf in the background', () => {
  const background = { ...explore, background: true }
  const { signal } = new AbortController()

  it('reports its result as a message, unless a call took it', async () => {
    const { call, roster } = openElves({ rounds: [[round(says('One.'))], [round(says('Two.'))]] })
    expect(await resultOf(call(background))).toMatch(/^e1 works in the background\./)
    expect(roster.isBusy).toBe(true)
    for (;;) {
      const news = await roster.next(signal)
      if (news.type !== 'report') continue
      expect(news.message.metadata).toEqual({ elf_report: 'true' })
      expect(news.message.content).toEqual([
        {
          type: 'text',
          text: '[The elf e1 has ended in the background.]\n\nOne.\n\n[e1 · explore · replay/script · 1 round]',
        },
      ])
      break
    }
    expect(roster.isBusy).toBe(false)
    await drainRun(call(background))
    expect(await resultOf(call({ action: 'wait', id: 'e2' }))).toMatch(/^Two\./)
    while (roster.isBusy) expect((await roster.next(signal)).type).toBe('event')
    expect(await resultOf(call({ action: 'wait' }))).toMatch(/^no elf is running in the background/)
  })

  it('still reports a result for which a call no longer waits', async () => {
    const gate = deferred()
    const executor = scriptedTools({ look: waits(gate.promise, { before: '', text: 'seen' }) })
    const { call, roster } = openElves({
      rounds: [[round(calls('c', 'look')), round(says('One.'))]],
      executor,
    })
    await drainRun(call(background))
    const stop = new AbortController()
    const waiting = call({ action: 'wait' }, stop.signal).next()
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    gate.resolve()
    for (;;) if ((await roster.next(signal)).type === 'report') break
  })

  it('asks through its owner, who answers by the id of the question', async () => {
    const rounds = [[round(calls('call_1', 'ask')), round(says('Asked.'))]]
    const { call, roster } = openElves({ rounds, executor: scriptedTools({ ask: asks('Which?') }) })
    await drainRun(call(background))
    for (;;) {
      const news = await roster.next(signal)
      if (news.type === 'question')
        roster.respond({
          interactionId: news.interaction.id,
          answeredBy: 'user_local',
          inputValue: 'this one',
        })
      if (news.type === 'report') break
    }
    const interactionId = countingIds().interaction()
    expect(() => roster.respond({ interactionId, answeredBy: 'user_local' })).toThrow(
      `no elf asks ${interactionId}`,
    )
  })

  it('ends when its owner is closed, even while it asks, and its question stays open', async () => {
    const rounds = [[round(calls('call_1', 'ask'))]]
    const { call, roster, told } = openElves({ rounds, executor: scriptedTools({ ask: asks('Which?') }) })
    await drainRun(call(background))
    for (;;) if ((await roster.next(signal)).type === 'question') break
    await roster.close()
    expect(roster.stop('e1')).toBe(false)
    expect(told.map(({ type }) => type)).toEqual(['elf_end'])
  })

  it('begins later where all places are taken, without holding up its call', async () => {
    const gate = deferred()
    const executor = scriptedTools({ look: waits(gate.promise, { before: '', text: 'seen' }) })
    const elf = [round(calls('c', 'look')), round(says('Seen.'))]
    const { call } = openElves({ rounds: Array(5).fill(elf), executor })
    for (const _ of [1, 2, 3, 4]) await drainRun(call(background))
    expect(await resultOf(call(background))).toMatch(/^e5 works in the background once another elf has ended/)
    gate.resolve()
    expect((await resultOf(call({ action: 'wait' }))).match(/Seen\./g)).toHaveLength(5)
  })
})

describe('the question of an elf in the background', () => {
  const background = { ...explore, background: true }
  const { signal } = new AbortController()

  const folder: Worktree = {
    id: 'one',
    cwd: '/one',
    base: 'base',
    ref: 'refs/one',
    save: async () => true,
    diff: async () => ({ text: '+a', files: [{ path: 'a' }] }),
    remove: async () => undefined,
  }
  const worktrees: Worktrees = {
    create: async () => folder,
    open: async () => folder,
    apply: async () => ({ applied: [], conflicts: [], ref: folder.ref }),
    diff: async (_id, options) => folder.diff(options),
    discard: async () => undefined,
  }

  /** Takes all news up to the report. Returns the questions whose end no event has told. */
  async function openAfter({ roster }: ReturnType<typeof openElves>, act: (question: Interaction) => void) {
    const open = new Set<string>()
    for (;;) {
      const news = await roster.next(signal)
      if (news.type === 'report') return [...open]
      if (news.type === 'question') {
        open.add(news.interaction.id)
        act(news.interaction)
      } else if (news.event.type === 'interaction_responded') open.delete(news.event.response.interactionId)
    }
  }

  it('ends when it is answered, and when its elf is stopped', async () => {
    for (const isAnswered of [true, false]) {
      const rounds = [[round(calls('call_1', 'ask')), round(says('Asked.'))]]
      const elves = openElves({ rounds, executor: scriptedTools({ ask: asks('Which?') }) })
      await drainRun(elves.call(background))
      const { roster } = elves
      const open = await openAfter(elves, ({ id: interactionId }) => {
        if (isAnswered) roster.respond({ interactionId, answeredBy: 'user_local', inputValue: 'this' })
        else roster.stop('e1')
      })
      expect(open).toEqual([])
    }
  })

  it('about its changes ends when it is answered, and when the elf is stopped', async () => {
    for (const isAnswered of [true, false]) {
      const elves = openElves({
        rounds: [[round(says('Done.'))]],
        worktrees: async () => worktrees,
        apply: (_work, context) => asks('Use its changes?').run({}, context),
      })
      await drainRun(elves.call({ prompt: 'write', background: true }))
      const { roster } = elves
      const open = await openAfter(elves, ({ id: interactionId }) => {
        if (isAnswered) roster.respond({ interactionId, answeredBy: 'user_local', inputValue: 'no' })
        else roster.stop('e1')
      })
      expect(open).toEqual([])
    }
  })

  it('about its changes is open when the elf takes no more messages', async () => {
    const { call, roster } = openElves({
      rounds: [[round(says('Done.'))]],
      worktrees: async () => worktrees,
      apply: (_work, context) => asks('Use its changes?').run({}, context),
    })
    const run = call({ prompt: 'write' })
    await until(run, 'interaction')
    expect(roster.send('e1', 'and more')).toMatchObject({ isError: true })
    roster.stop('e1')
    await drainRun(run)
  })
})
