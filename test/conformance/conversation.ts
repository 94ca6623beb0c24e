import { describe, expect, it } from 'vitest'
import { openSpending } from '../../src/agent/limits/budget.ts'
import { systemIds } from '../../src/cli/host.ts'
import { PipeError } from '../../src/error.ts'
import type { Interaction } from '../../src/interaction.ts'
import { type Message, textContent, type UserMessage } from '../../src/message.ts'
import type { SessionLog } from '../../src/session.ts'
import { textResult } from '../../src/tool.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { type AgentSetup, calls, openAgent, resultsOf, round, says } from '../support/conversations/agent.ts'
import { scriptElves } from '../support/conversations/elf-news.ts'
import type { OpenConversation } from '../support/conversations/opened.ts'
import { asks } from '../support/conversations/questions.ts'
import { factsOf, nameOf, reading } from '../support/conversations/reader.ts'
import { type ScriptedTool, scriptedTools, waits } from '../support/conversations/scripted-tools.ts'
import { earlier } from '../support/messages/histories.ts'
import { assistant, text, user } from '../support/messages/messages.ts'
import { thrown } from '../support/thrown.ts'
import { describeInterrupts } from './conversation-interrupts.ts'

export interface Lawful {
  /** `ends`: whoever closes it runs its turns, which end. `leaves`: somebody else goes on with them. */
  readonly close: 'ends' | 'leaves'
}

const newId = systemIds()

/** A message of the user, with an id of its own. */
export function say(words: string): UserMessage {
  return { ...user(text(words)), id: newId.message() }
}

/** Returns what the user and the model said, in order. */
export function talkOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.type === 'tool_result' ? [] : [textContent(message)]))
}

/** Holds an implementation of `Conversation` against the cases that all of them must pass. */
export function describeConversation(name: string, open: OpenConversation, lawful: Lawful): void {
  describe(`${name}: a question`, () => {
    it('of a call is asked once, the first of two answered stays, and each has its answer', async () => {
      const executor = scriptedTools({
        ask: {
          run: async function* (...given) {
            yield* asks('First?').run(...given)
            return yield* asks('Second?', { id: newId.interaction() }).run(...given)
          },
        },
      })
      const rounds = [round(calls('tc_1', 'ask')), round(says('Done.'))]
      const { conversation, local } = await open({ rounds, executor })
      const reader = await reading(conversation)
      await conversation.send(say('hello'))
      for (const inputValue of ['one', 'two']) {
        const { id: interactionId } = await reader.question()
        expect((await reading(conversation)).first.calls).toMatchObject([
          { callId: 'tc_1', asks: interactionId },
        ])
        const response = { interactionId, answeredBy: 'user_local', inputValue }
        await conversation.respond(response)
        expect(await thrown(() => conversation.respond(response))).toMatchObject({
          code: expect.stringMatching(/^(conflict|not_found)$/),
        })
      }
      await reader.until('settled')
      const asked = reader.read.filter((one) => nameOf(one) === 'interaction_requested')
      expect([asked.length, resultsOf(local.messages)]).toEqual([2, ['tc_1: two']])
    })

    it('that an earlier run left open is asked again, and the turn goes on', async () => {
      const [executor, rounds] = [
        scriptedTools({ ask: asks('Which way?') }),
        [round(calls('tc_1', 'ask')), round(says('Done.'))],
      ]
      const { conversation, local } = await open({ ...(await left({ executor, rounds })), executor, rounds })
      await conversation.goOn()
      const reader = await reading(conversation)
      const { id: interactionId } = await reader.question()
      await conversation.goOn()
      await conversation.respond({ interactionId, answeredBy: 'user_local', inputValue: 'left' })
      await reader.until('settled')
      expect([resultsOf(local.messages), talkOf(local.messages).at(-1)]).toEqual([['tc_1: left'], 'Done.'])
    })

    it('of an elf in the background is a fact, which any answer reaches and a withdrawal ends', async () => {
      const elves = scriptElves()
      const { conversation, local } = await open({ driver: { elves } })
      const [reader, other] = [await reading(conversation), await reading(conversation)]
      const [which, when] = [elfQuestion('e1: Which?'), elfQuestion('e2: When?')]
      elves.tell({ type: 'question', interaction: which }, { type: 'question', interaction: when })
      for (const one of [reader, other]) await one.untilFits((it) => factsOf([it])[0] === 'asked e2: When?')
      expect([factsOf(reader.read), factsOf(other.read)]).toEqual(
        Array(2).fill(['asked e1: Which?', 'asked e2: When?']),
      )
      expect((await reading(conversation)).first.questions).toEqual([which, when])
      const answer = { interactionId: which.id, answeredBy: 'user_local', inputValue: 'this' }
      await conversation.respond(answer)
      expect(elves.responses).toEqual([answer])
      const [responded, agentId] = ['interaction_responded' as const, newId.agent()]
      const withdrawn = { interactionId: when.id, answeredBy: 'user_local', cancelled: true }
      for (const response of [answer, withdrawn])
        elves.tell({ type: 'event', event: { type: responded, response, agentId, seq: 1 } })
      await reader.until(responded)
      await reader.until(responded)
      expect((await reading(conversation)).first.questions).toEqual([])
      expect(local.isRunning).toBe(false)
    })
  })

  it(`${name} knows its messages and what it and its elves spent, whoever watches it`, async () => {
    const spending = openSpending({})
    const spent = { usage: { inputTokens: 7, outputTokens: 3 }, costUsd: 0.5 }
    const ended = { type: 'round_end', round: 1, stopReason: 'end_turn', ...spent } as const
    const elf: ScriptedTool = {
      run: async function* () {
        spending.budget.count(spent.usage, spent.costUsd)
        yield { type: 'agent', event: { ...ended, agentId: newId.agent(), seq: 1 } }
        return textResult('Seen.')
      },
    }
    const rounds = [round(calls('tc_1', 'elf')), round(says('Done.'))]
    const { conversation, local } = await open({ rounds, spending, executor: scriptedTools({ elf }) })
    const readers = [await reading(conversation), await reading(conversation)]
    await conversation.send(say('hello'))
    for (const reader of readers) await reader.until('settled')
    const { usage, costUsd, messages } = conversation
    expect({ usage, costUsd }).toEqual({ usage: { inputTokens: 27, outputTokens: 13 }, costUsd: 0.5 })
    expect(messages.map(({ id }) => id)).toEqual(local.messages.map(({ id }) => id))
  })

  describe(`${name}: a message`, () => {
    it.each(['round_end', 'turn_end', 'ended', 'settled'])(
      'that is sent at the %s of a turn is not lost, and goes to the model once',
      async (moment) => {
        const { conversation, local } = await open({ rounds: [round(says('One.')), round(says('Two.'))] })
        const reader = await reading(conversation)
        expect(await conversation.send(say('first'))).toBe('started')
        await reader.until(moment)
        await conversation.send(say('second'))
        await expect.poll(() => talkOf(local.messages)).toEqual(['first', 'One.', 'second', 'Two.'])
        await expect.poll(() => local.isRunning).toBe(false)
        expect([local.queue, talkOf(local.messages)]).toEqual([[], ['first', 'One.', 'second', 'Two.']])
      },
    )

    it('that was sent before another is taken before it, though nobody waits between', async () => {
      const rounds = ['One.', 'Two.', 'Three.'].map((words) => round(says(words)))
      const { conversation, local } = await open({ rounds })
      await Promise.all(['a', 'b', 'c'].map((words) => conversation.send(say(words), 'later')))
      await expect.poll(() => talkOf(local.messages)).toEqual(['a', 'One.', 'b', 'Two.', 'c', 'Three.'])
    })

    it('that waits is taken back, and one that was delivered is not found', async () => {
      const gate = deferred()
      const { conversation, local } = await open(waiting(gate.promise))
      const reader = await reading(conversation)
      const [first, steer, later] = [say('first'), say('steer'), say('later')]
      await conversation.send(first)
      await reader.until('tool_output')
      expect([await conversation.send(steer), await conversation.send(later, 'later')]).toEqual([
        ...['steering', 'queued'],
      ])
      for (const { id } of [steer, later]) await conversation.takeBack(id)
      const refused = await thrown(() => conversation.takeBack(first.id))
      expect(refused).toMatchObject({ code: 'not_found' })
      gate.resolve()
      await reader.until('settled')
      expect(talkOf(local.messages)).toEqual(['first', '', 'Seen.'])
      expect(factsOf(reader.read)).toEqual([
        ...['queue steer steer', 'queue steer steer, follow_up later', 'queue follow_up later', 'queue'],
        ...['ended end_turn', 'settled'],
      ])
    })
  })

  it(`${name}: a turn on a full disk ends with what waits in memory`, async () => {
    const error = new PipeError('invalid', 'cannot write s.json: the disk is full')
    const log: SessionLog = {
      id: newId.session(),
      unsaved: error,
      append: async () => undefined,
      update: async () => undefined,
      sync: async () => undefined,
      close: async () => undefined,
    }
    const { conversation } = await open({ log, rounds: [round(says('Done.'))] })
    const reader = await reading(conversation)
    await conversation.send(say('hello'))
    expect(await reader.until('ended')).toMatchObject({
      ending: {
        stopReason: 'end_turn',
        unsaved: { part: 'conversation', error: { code: error.code, message: error.message } },
      },
    })
  })

  describe(`${name}: a watcher`, () => {
    it('reads the same as another, and after each position all that follows, once', async () => {
      const gate = deferred()
      const { conversation } = await open(waiting(gate.promise, round(says('Later.'))))
      const [one, two] = [await reading(conversation), await reading(conversation)]
      await conversation.send(say('first'))
      await one.until('tool_output')
      await conversation.send(say('later'), 'later')
      await conversation.setMode('plan')
      gate.resolve()
      for (const reader of [one, two]) await reader.until('settled')
      const { read } = one
      expect(two.read).toEqual(read)
      expect(factsOf(read)).toEqual([
        ...['queue follow_up later', 'settings replay/script plan', 'ended end_turn', 'queue'],
        ...['ended end_turn', 'settled'],
      ])
      for (const [i, { position }] of read.slice(0, -1).entries()) {
        const back = await reading(conversation, position)
        await back.until('settled')
        expect(back.read).toEqual(read.slice(i + 1))
      }
    })

    it('that lags gets a snapshot, and goes on', async () => {
      const long = Array.from({ length: 120 }, () => 'x'.repeat(100_000)).join(' ')
      const { conversation, local } = await open({
        rounds: [round(says(long)), round(says('Two.'))],
        driver: { limits: { events: 3, characters: 300_000 } },
      })
      const reader = await reading(conversation)
      await conversation.send(say('first'))
      await expect.poll(() => local.isRunning).toBe(false)
      await reader.until('snapshot')
      await reader.until('settled')
      await conversation.send(say('second'))
      await reader.until('settled')
      expect(reader.read.map(nameOf)).toContain('turn_start')
    })

    it('that comes back after what is no longer kept gets a snapshot, and goes on', async () => {
      const { conversation } = await open({
        rounds: [round(says('One two three four.')), round(says('Two.'))],
        driver: { limits: { events: 3, characters: 1_000 } },
      })
      const { position } = await reading(conversation)
      const reader = await reading(conversation)
      await conversation.send(say('first'))
      await reader.until('settled')
      const back = await reading(conversation, position)
      expect(await back.untilFits(() => true)).toMatchObject({
        type: 'snapshot',
        snapshot: { state: 'idle', messages: [{ type: 'user' }, { type: 'assistant' }] },
      })
      await back.until('settled')
      await conversation.send(say('second'))
      await back.until('turn_end')
    })

    it('is told of settings, whoever changed them', async () => {
      const { conversation, local } = await open({})
      const readers = [await reading(conversation), await reading(conversation)]
      expect(await conversation.setModel('replay/other')).toBe('replay/other')
      await conversation.setThinking('high')
      await local.setMode('plan')
      for (const reader of readers) {
        await reader.untilFits((one) => factsOf([one])[0] === 'settings replay/other plan')
        expect(factsOf(reader.read)).toContain('settings replay/other default')
      }
      expect(conversation.settings).toEqual({ model: 'replay/other', thinking: 'high', mode: 'plan' })
    })
  })

  describe(`${name}: the history`, () => {
    const talk = ['One?', 'Two?'].flatMap((words) => [user(text(words)), assistant(text('Yes.'))])
    const setup = {
      messages: earlier(...talk),
      newId: systemIds(),
      systemPrompt: 'Be brief. '.repeat(40),
      rounds: Array.from({ length: 4 }, () => round(says('They agreed.'))),
    }

    it('is summarised now, in a turn of its own', async () => {
      const { conversation } = await open(setup)
      const reader = await reading(conversation)
      expect(await conversation.compact('all')).toBeUndefined()
      await reader.until('compaction')
      await reader.until('settled')
    })

    it('is summarised later, before the next request', async () => {
      const { conversation, local } = await open(setup)
      const reader = await reading(conversation)
      expect(await conversation.compact('all', 'later')).toContain('before the next request')
      expect(local.isRunning).toBe(false)
      await conversation.send(say('And?'))
      await reader.until('compaction')
      await reader.until('settled')
      expect(reader.read.map(nameOf).filter((it) => it === 'ended')).toHaveLength(1)
    })

    it('goes to a message while no turn runs, and every watcher gets a snapshot', async () => {
      const gate = deferred()
      const goTo = async () => ({ text: 'first', report: 'a file was restored' })
      const { conversation } = await open({ ...waiting(gate.promise), driver: { goTo } })
      const reader = await reading(conversation)
      const first = say('first')
      const options = { what: 'conversation', signal: new AbortController().signal } as const
      await conversation.send(first)
      await reader.until('tool_output')
      expect(await thrown(() => conversation.goTo(first.id, options))).toMatchObject({ code: 'conflict' })
      gate.resolve()
      await reader.until('settled')
      expect(await conversation.goTo(first.id, options)).toEqual(await goTo())
      await reader.until('snapshot')
    })

    it('is not gone in once its signal fires', async () => {
      const [begun, stop] = [deferred(), new AbortController()]
      const goTo = (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
        begun.resolve()
        return new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(new PipeError('aborted', 'interrupted'))),
        )
      }
      const { conversation, local } = await open({ driver: { goTo } })
      const going = thrown(() => conversation.goTo(newId.message(), { what: 'both', signal: stop.signal }))
      await begun.promise
      stop.abort()
      expect(await going).toMatchObject({ code: 'aborted' })
      await expect.poll(() => local.isRunning).toBe(false)
    })
  })

  it(`${name}: a close ${lawful.close} the running turn, ends those who watch, and takes nothing more`, async () => {
    const gate = deferred()
    const { conversation, local } = await open(waiting(gate.promise))
    const [reader, witness] = [await reading(conversation), await reading(local)]
    await conversation.send(say('first'))
    await reader.until('tool_output')
    await conversation.close()
    await conversation.close()
    await reader.rest()
    expect(await thrown(() => conversation.send(say('second')))).toMatchObject({ code: 'conflict' })
    gate.resolve()
    await witness.until('ended')
    expect(factsOf(witness.read)).toEqual([lawful.close === 'ends' ? 'ended aborted' : 'ended end_turn'])
  })

  describeInterrupts(name, open)
}

/** A conversation whose first reply calls a tool that waits, and which then says `Seen.` */
export function waiting(until: Promise<void>, ...rounds: readonly ReturnType<typeof round>[]) {
  const executor = scriptedTools({ wait: waits(until, { before: 'on it', text: 'waited' }) })
  return { executor, rounds: [round(calls('tc_1', 'wait')), round(says('Seen.')), ...rounds] }
}

function elfQuestion(title: string): Interaction {
  return { id: newId.interaction(), kind: 'input', purpose: 'generic', display: { title } }
}

/** Runs up to the first question, and returns what a program that is killed there leaves. */
async function left(setup: AgentSetup): Promise<AgentSetup> {
  const agent = openAgent(setup)
  for await (const { type } of agent.engine.submit(say('hello'), new AbortController()))
    if (type === 'interaction_requested') {
      const pending = [...(agent.states.at(-1)?.pending ?? [])]
      return { messages: [...agent.saved], pending, newId: systemIds() }
    }
  throw new Error('nothing was asked')
}
