import { describe, expect, it } from 'vitest'
import type { Driver } from '../../../src/agent/conversation/driver.ts'
import type { LogLimits } from '../../../src/agent/conversation/event-log.ts'
import type { Watched } from '../../../src/conversation.ts'
import { PipeError } from '../../../src/error.ts'
import type { AgentEvent } from '../../../src/event.ts'
import { type Message, textContent } from '../../../src/message.ts'
import type { Provider } from '../../../src/provider.ts'
import { openStream } from '../../../src/stream.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import {
  type AgentSetup,
  calls,
  openAgent,
  resultsOf,
  round,
  says,
} from '../../support/conversations/agent.ts'
import { driven } from '../../support/conversations/driven.ts'
import { asks } from '../../support/conversations/questions.ts'
import { gives, scriptedTools, waits } from '../../support/conversations/scripted-tools.ts'
import { earlier } from '../../support/messages/histories.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { assistant, call, messageId, text, timestamp, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'
import { untyped } from '../../support/untyped.ts'

const hello = user(text('hello'))
const never = new Promise<void>(() => undefined)

/** Shares a conversation whose model speaks these rounds. */
function share(setup: AgentSetup & { readonly keep?: LogLimits }): Driver {
  const { keep, ...agent } = setup
  const { conversation } = openAgent(agent)
  return driven(conversation, { limits: keep })
}

type Watcher = AsyncIterator<Watched, undefined>

/** Reads until a watched item fits, and returns all items up to there. */
async function readUntil(watcher: Watcher, fits: (watched: Watched) => boolean) {
  const read: Watched[] = []
  for (;;) {
    const step = await watcher.next()
    if (step.done === true) throw new Error('the watching ended')
    read.push(step.value)
    if (fits(step.value)) return read
  }
}

function isEvent(type: AgentEvent['type']) {
  return (watched: Watched) => watched.type === 'event' && watched.event.type === type
}

/** Reads one item, which must be a snapshot. */
async function readSnapshot(watcher: Watcher) {
  const { value } = await watcher.next()
  if (value?.type !== 'snapshot') throw new Error(`expected a snapshot, not ${value?.type}`)
  return { position: value.position, ...value.snapshot }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** A provider whose first reply fails after its words, and whose second one never ends. */
function haltingProvider(words: readonly string[]): Provider {
  const speaker = { id: messageId(5), timestamp, provider: 'halting', model: 'script' }
  let tries = 0
  return {
    name: 'halting',
    stream: (_, { signal }) => {
      const delta = words[tries++] ?? ''
      const isLast = tries === words.length
      return openStream(
        async function* (closed) {
          yield { type: 'text_delta', id: `block_${delta}`, delta }
          if (!isLast) throw new PipeError('overloaded', 'too much to do')
          return untilAborted(closed)
        },
        speaker,
        signal,
      )
    },
  }
}

function numbers(read: readonly Watched[]): readonly number[] {
  return read.map(({ position }) => Number(position.split('-').at(-1)))
}

function answers(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.type === 'assistant' ? [textContent(message)] : []))
}

describe('a shared conversation', () => {
  it('runs turns without anyone who watches', async () => {
    const shared = share({ rounds: [round(says('Hi.')), round(says('Bye.'))] })
    expect(await shared.run(hello)).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
    await shared.run(user(text('and now?')))
    expect(answers(shared.messages)).toEqual(['Hi.', 'Bye.'])
  })

  it('lets one turn run at a time, and none after it is closed', async () => {
    const tools = scriptedTools({ wait: waits(never, { before: 'on it', text: '' }) })
    const shared = share({ rounds: [round(calls('tc_1', 'wait'))], executor: tools })
    const running = shared.run(hello)
    expect(await thrown(() => shared.run(hello))).toMatchObject({ code: 'conflict' })
    await shared.close()
    expect(await running).toMatchObject({ stopReason: 'aborted' })
    expect(await thrown(() => shared.run(hello))).toMatchObject({ code: 'conflict' })
  })

  it('ends a turn when its signal fires', async () => {
    const tools = scriptedTools({ wait: waits(never, { before: 'on it', text: '' }) })
    const shared = share({ rounds: [round(calls('tc_1', 'wait'))], executor: tools })
    const stop = new AbortController()
    const watcher = shared.watch()
    const running = shared.run(hello, { signal: stop.signal })
    await readUntil(watcher, isEvent('tool_output'))
    stop.abort()
    expect(await running).toMatchObject({ stopReason: 'aborted' })
  })

  it('runs a steering message that comes too late as the next turn', async () => {
    const shared = share({ rounds: [round(says('One.')), round(says('Two.'))] })
    const watcher = shared.watch()
    const running = shared.run(hello)
    await readUntil(watcher, isEvent('round_end'))
    shared.command({ type: 'steer', message: { ...user(text('more')), id: messageId(7) } })
    await running
    expect(answers(shared.messages)).toEqual(['One.', 'Two.'])
  })
})

describe('the reader of a turn', () => {
  it('takes each event in order, and the turn waits for it', async () => {
    const conversation = share({ rounds: [round(says('Hello.'))] })
    const order: string[] = []
    const onEvent = async ({ type }: AgentEvent) => {
      order.push(type)
      await Promise.resolve()
      order.push(`${type} taken`)
    }
    await conversation.run(hello, { onEvent })
    expect(order.slice(0, 2)).toEqual(['turn_start', 'turn_start taken'])
    expect(order.filter((_, i) => i % 2 === 1)).toEqual(
      order.filter((_, i) => i % 2 === 0).map((type) => `${type} taken`),
    )
    expect(order).toContain('turn_end taken')
  })

  it('that fails interrupts the turn, which throws the failure', async () => {
    const conversation = share({ rounds: [round(says('Hello.'))] })
    const failure = new Error('the reader went away')
    const onEvent = () => {
      throw failure
    }
    expect(await thrown(() => conversation.run(hello, { onEvent }))).toBe(failure)
  })
})

describe('a closed conversation', () => {
  it('takes no more commands', async () => {
    const shared = share({ rounds: [] })
    await shared.close()
    expect(await thrown(() => shared.command({ type: 'steer', message: hello }))).toMatchObject({
      code: 'conflict',
    })
  })
})

describe('a watcher', () => {
  it('begins with a snapshot and then reads every event, numbered without gaps', async () => {
    const shared = share({ rounds: [round(says('Hi.'))] })
    const watcher = shared.watch()
    await shared.run(hello)
    const [first, ...rest] = await readUntil(watcher, isEvent('turn_end'))
    expect(first).toMatchObject({ type: 'snapshot', snapshot: { state: 'idle' } })
    expect(numbers(rest)).toEqual(rest.map((_, i) => i + 1))
    expect(rest[0]).toMatchObject({ event: { type: 'turn_start' } })
  })

  it('continues where another one stopped', async () => {
    const shared = share({ rounds: [round(says('One.')), round(says('Two.'))] })
    const first = shared.watch()
    await shared.run(hello)
    const after = (await readUntil(first, isEvent('turn_end'))).at(-1)?.position ?? ''
    await shared.run(user(text('more')))
    const next = await readUntil(shared.watch({ after }), isEvent('turn_start'))
    expect(next.map(({ type }) => type)).toEqual(['ended', 'settled', 'event'])
  })

  it.each([
    ['of another run', 'b0000000-0000-4000-8000-000000000000-3'],
    ['that is no position', 'last'],
  ])('gets a snapshot after a position %s', async (_, after) => {
    const shared = share({ rounds: [round(says('Hi.'))] })
    await shared.run(hello)
    const { messages, questions } = await readSnapshot(shared.watch({ after }))
    expect([answers(messages), questions]).toEqual([['Hi.'], []])
  })

  it('gets a snapshot instead of events that are no longer kept', async () => {
    const shared = share({ rounds: [round(says('Hi.'))], keep: { events: 3, characters: 1_000 } })
    const early = shared.watch()
    await early.next()
    await shared.run(hello)
    const { position, messages } = await readSnapshot(early)
    expect([answers(messages), shared.state]).toEqual([['Hi.'], 'idle'])
    const kept = shared.watch({
      after: position.replace(/(\d+)(\.\d+)?$/, (_, last) => String(Number(last) - 3)),
    })
    expect(numbers(await readUntil(kept, isEvent('turn_end')))).toHaveLength(3)
  })

  it('keeps no more characters than the limit, and always the last event', async () => {
    const long = 'word '.repeat(2_000)
    const tools = scriptedTools({ wait: waits(never, { before: long, text: '' }) })
    const keep = { events: 100, characters: 100 }
    const shared = share({ rounds: [round(says('Hi.'), calls('tc_1', 'wait'))], executor: tools, keep })
    const watcher = shared.watch()
    const running = shared.run(hello)
    const read = await readUntil(watcher, isEvent('tool_output'))
    const { position } = read.at(-1) ?? { position: '' }
    const before = position.replace(/\d+$/, (last) => String(Number(last) - 1))
    expect(await shared.watch({ after: before }).next()).toMatchObject({ value: { type: 'event', position } })
    const earlier = position.replace(/\d+$/, (last) => String(Number(last) - 2))
    expect(await shared.watch({ after: earlier }).next()).toMatchObject({ value: { type: 'snapshot' } })
    await shared.close()
    await running
  })

  it('that comes in the middle of a turn sees the running calls', async () => {
    const tools = scriptedTools({ wait: waits(never, { before: 'on it', text: '' }), read: gives('text') })
    const shared = share({
      rounds: [round(calls('tc_1', 'read'), calls('tc_2', 'wait', { for: 'ever' }))],
      executor: tools,
    })
    const watcher = shared.watch()
    const running = shared.run(hello)
    await readUntil(watcher, isEvent('tool_output'))
    const { calls: open, state } = await readSnapshot(shared.watch())
    expect([open, state]).toEqual([
      [{ callId: 'tc_2', name: 'wait', arguments: { for: 'ever' } }],
      'toolcall',
    ])
    await shared.close()
    await running
  })

  it('that comes in the middle of a reply sees the text so far, without what a retry discarded', async () => {
    const events: AgentEvent[] = []
    const shared = share({ provider: haltingProvider(['Half', 'Whole']) })
    const watcher = shared.watch()
    const running = shared.run(hello)
    await readUntil(watcher, (watched) => {
      if (watched.type === 'event') events.push(watched.event)
      return (
        watched.type === 'event' && watched.event.type === 'text_delta' && watched.event.delta === 'Whole'
      )
    })
    expect(events.map(({ type }) => type)).toContain('retry')
    expect((await readSnapshot(shared.watch())).reply).toEqual([{ type: 'text', text: 'Whole' }])
    await shared.close()
    await running
  })

  it('delays nobody, and ends when the conversation is closed', async () => {
    const shared = share({ rounds: [round(says('Hi.'))] })
    const slow = shared.watch()
    await shared.run(hello)
    await shared.close()
    const read: Watched[] = []
    for await (const watched of slow) read.push(watched)
    const types = read.map((one) => (one.type === 'event' ? one.event.type : one.type))
    expect([types[0], ...types.slice(-3)]).toEqual(['snapshot', 'turn_end', 'ended', 'settled'])
    expect(await slow.next()).toEqual({ done: true, value: undefined })
  })

  it.each(['return', 'signal'] as const)('that waits is ended by its %s', async (way) => {
    const shared = share({ rounds: [] })
    const stop = new AbortController()
    const watcher = shared.watch({ signal: stop.signal })
    await watcher.next()
    const pending = watcher.next()
    if (way === 'return') await watcher.return?.()
    else stop.abort()
    expect(await pending).toEqual({ done: true, value: undefined })
  })

  it('ends all its reads when it returns', async () => {
    const watcher = share({ rounds: [] }).watch()
    await watcher.next()
    const pending = [watcher.next(), watcher.next()]
    await watcher.return?.()
    const ended = { done: true, value: undefined }
    expect(await Promise.all(pending)).toEqual([ended, ended])
  })

  it('gets a snapshot after a turn that broke off with an exception', async () => {
    const provider: Provider = {
      name: 'broken',
      stream: () => {
        throw new Error('a bug')
      },
    }
    const shared = share({ provider })
    const watcher = shared.watch()
    expect(await thrown(() => shared.run(hello))).toMatchObject({ message: 'a bug' })
    const read = await readUntil(
      watcher,
      ({ type, position }) => type === 'snapshot' && !position.endsWith('-0'),
    )
    expect(read).toHaveLength(2)
    expect(read[1]).toMatchObject({ snapshot: { state: 'idle', messages: [hello] } })
    await shared.close()
    const ended = { type: 'ended', ending: { error: { code: 'internal', cause: { message: 'a bug' } } } }
    expect((await watcher.next()).value).toMatchObject(ended)
    expect((await watcher.next()).value).toMatchObject({ type: 'settled' })
    expect(await watcher.next()).toEqual({ done: true, value: undefined })
  })
})

describe('a question', () => {
  const options = [
    { id: 'left', label: 'Left' },
    { id: 'right', label: 'Right' },
  ]
  const asking = () =>
    share({
      rounds: [round(calls('tc_1', 'ask')), round(says('Done.'))],
      executor: scriptedTools({ ask: asks('Which way?', { kind: 'select', options }) }),
    })

  it('is answered by the handler of the turn', async () => {
    const shared = asking()
    const asked: string[] = []
    await shared.run(hello, {
      onQuestion: ({ display }) => {
        asked.push(display.title)
        return { selectedOptionId: 'right' }
      },
    })
    expect([asked, resultsOf(shared.messages)]).toEqual([['Which way?'], ['tc_1: right']])
  })

  it('is answered by a watcher, and the handler is told', async () => {
    const shared = asking()
    const withdrawn = deferred()
    const watcher = shared.watch()
    const running = shared.run(hello, {
      onQuestion: (_, { signal }) => {
        signal.addEventListener('abort', () => withdrawn.resolve())
        return new Promise(() => undefined)
      },
    })
    await readUntil(watcher, isEvent('interaction_requested'))
    const { questions } = await readSnapshot(shared.watch())
    const [question] = questions
    if (question === undefined) throw new Error('no question is open')
    const response = { interactionId: question.id, answeredBy: 'user_ann', selectedOptionId: 'left' }
    shared.command({ type: 'respond', response })
    await withdrawn.promise
    await running
    expect(resultsOf(shared.messages)).toEqual(['tc_1: left'])
    expect((await readSnapshot(shared.watch())).questions).toEqual([])
  })

  it('that is answered twice takes the first answer', async () => {
    const shared = asking()
    const turn = await shared.run(hello, {
      onQuestion: ({ id }) => {
        const response = { interactionId: id, answeredBy: 'user_ann', selectedOptionId: 'left' }
        shared.command({ type: 'respond', response })
        return { selectedOptionId: 'right' }
      },
    })
    expect([turn.stopReason, resultsOf(shared.messages)]).toEqual(['end_turn', ['tc_1: left']])
  })

  it('whose handler fails interrupts the turn, which throws the failure', async () => {
    const shared = asking()
    const failure = new Error('the phone is off')
    const run = () =>
      shared.run(hello, {
        onQuestion: () => {
          throw failure
        },
      })
    expect(await thrown(run)).toBe(failure)
    expect(shared.state).toBe('idle')
  })

  it.each([undefined, 'left', {}, { optionId: 'left' }])('takes %j for no answer', async (answer) => {
    const shared = asking()
    const error = await thrown(() => shared.run(hello, { onQuestion: () => untyped(answer) }))
    expect(error).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('no answer to "Which way?": it needs'),
    })
    expect(resultsOf(shared.messages)).not.toContain('tc_1: left')
  })

  it('without an answer delays neither an interruption nor the close', async () => {
    const shared = asking()
    const watcher = shared.watch()
    const running = shared.run(hello, { onQuestion: () => new Promise(() => undefined) })
    await readUntil(watcher, isEvent('interaction_requested'))
    await shared.close()
    expect(await running).toMatchObject({ stopReason: 'aborted' })
  })
})

it('compacts at once if resumed after the command', async () => {
  const talk = ['One?', 'Two?'].flatMap((words) => [user(text(words)), assistant(text('Yes.'))])
  const rounds = [round(says('They agreed.'))]
  const systemPrompt = 'Be brief. '.repeat(40)
  const conversation = share({ rounds, messages: earlier(...talk), newId: otherIds(), systemPrompt })
  conversation.command({ type: 'compact', keep: 'all' })
  const { rounds: asked, messages } = await conversation.resume()
  expect([asked, messages.map(({ metadata }) => metadata)]).toEqual([
    0,
    [{ compacted_through: expect.any(String), context: '0', keep: 'all', summarised_by: 'replay/script' }],
  ])
})

describe('an interrupt', () => {
  it('in the same tick as a run stops it before the model has said anything, and no later one', async () => {
    const { conversation, saved } = openAgent({
      rounds: [round(says('One.')), round(says('Two.'))],
    })
    const shared = driven(conversation, { sessionId: undefined })
    const running = shared.run(hello)
    shared.command({ type: 'interrupt' })
    expect(await running).toMatchObject({ stopReason: 'aborted' })
    expect(saved.map(({ type }) => type)).toEqual(['user'])
    expect(await shared.run(user(text('again')))).toMatchObject({ stopReason: 'end_turn' })
    shared.command({ type: 'interrupt' })
    expect(await shared.run(user(text('once more')))).toMatchObject({ stopReason: 'end_turn' })
    await shared.close()
  })

  it('in the same tick as a resumption stops it, and the question is over', async () => {
    const id = otherIds().interaction()
    const display = { title: 'Which way?' }
    const interaction = { id, kind: 'input', purpose: 'generic', display } as const
    const pending = [{ callId: 'tc_1', subject: 'other', interaction }]
    const messages = [hello, assistant(call('tc_1', 'ask'))]
    const { conversation, requests } = openAgent({
      rounds: [round(says('Done.'))],
      executor: scriptedTools({ ask: asks('Which way?') }),
      messages,
      pending,
    })
    const shared = driven(conversation, { sessionId: undefined })
    const running = shared.resume()
    shared.command({ type: 'interrupt' })
    expect([(await running).stopReason, requests]).toEqual(['aborted', []])
    await shared.close()
  })
})
