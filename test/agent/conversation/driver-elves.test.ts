import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/event.ts'
import type { Interaction } from '../../../src/interaction.ts'
import { asElfReport, type Message, textContent } from '../../../src/message.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { calls, openAgent, round, says } from '../../support/conversations/agent.ts'
import { driven } from '../../support/conversations/driven.ts'
import { scriptElves } from '../../support/conversations/elf-news.ts'
import { scriptedTools, waits } from '../../support/conversations/scripted-tools.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'

const hello = user(text('hello'))
const report = asElfReport({
  ...user(text('[The elf e1 has ended in the background.]')),
  id: otherIds().message(),
})
const question: Interaction = {
  id: otherIds().interaction(),
  kind: 'input',
  purpose: 'generic',
  display: { title: 'e1 (explore): Which?' },
}

function textsOf(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => `${message.type}: ${textContent(message)}`)
}

describe('a shared conversation with elves in the background', () => {
  it('begins a turn with a result between two runs, and the next run waits for it', async () => {
    const elves = scriptElves()
    const gate = deferred()
    const { conversation } = openAgent({
      rounds: [round(says('One.')), round(calls('tc_1', 'wait')), round(says('Seen.')), round(says('Two.'))],
      executor: scriptedTools({ wait: waits(gate.promise, { before: '', text: 'waited' }) }),
    })
    const shared = driven(conversation, { elves })
    await shared.run(hello)
    const watcher = shared.watch()
    await watcher.next()
    elves.tell({ type: 'report', message: report })
    for (;;) {
      const { value } = await watcher.next()
      if (value?.type === 'event' && value.event.type === 'tool_output') break
    }
    expect(await thrown(async () => shared.requireIdle())).toMatchObject({ code: 'conflict' })
    const next = shared.run(user(text('and now?')))
    gate.resolve()
    await next
    expect(textsOf(shared.messages)).toEqual([
      'user: hello',
      'assistant: One.',
      'user: [The elf e1 has ended in the background.]',
      'assistant: ',
      'tool_result: waited',
      'assistant: Seen.',
      'user: and now?',
      'assistant: Two.',
    ])
    await shared.close()
  })

  it('steers a running turn with a result', async () => {
    const elves = scriptElves()
    const gate = deferred()
    const { conversation } = openAgent({
      rounds: [round(calls('tc_1', 'wait')), round(says('Seen.'))],
      executor: scriptedTools({ wait: waits(gate.promise, { before: 'on it', text: 'waited' }) }),
    })
    const shared = driven(conversation, { elves })
    const watcher = shared.watch()
    const running = shared.run(hello)
    for (;;) {
      const { value } = await watcher.next()
      if (value?.type === 'event' && value.event.type === 'tool_output') break
    }
    elves.tell({ type: 'report', message: report })
    await new Promise((resolve) => setImmediate(resolve))
    gate.resolve()
    await running
    expect(textsOf(shared.messages).slice(-2)).toEqual([
      'user: [The elf e1 has ended in the background.]',
      'assistant: Seen.',
    ])
    await shared.close()
  })

  it('shows the question of an elf in snapshots, and passes the answer of anyone on', async () => {
    const elves = scriptElves()
    const { conversation } = openAgent({ rounds: [round(says('One.'))] })
    const shared = driven(conversation, { elves })
    await shared.run(hello)
    elves.tell({ type: 'question', interaction: question })
    await new Promise((resolve) => setImmediate(resolve))
    const { value } = await shared.watch().next()
    expect(value).toMatchObject({ type: 'snapshot', snapshot: { questions: [question] } })
    const response = { interactionId: question.id, answeredBy: 'user_local', inputValue: 'this' }
    shared.command({ type: 'respond', response })
    expect(elves.responses).toEqual([response])
    await shared.close()
  })

  it('withdraws a question that ends while a turn runs', async () => {
    const elves = scriptElves()
    const [asked, gate] = [deferred(), deferred()]
    const executor = scriptedTools({ look: waits(gate.promise, { before: '', text: 'seen' }) })
    const rounds = [round(calls('c', 'look')), round(says('One.'))]
    const { conversation, events } = openAgent({ rounds, executor })
    const shared = driven(conversation, { elves })
    let isWithdrawn = false
    const running = shared.run(hello, {
      onQuestion: (_question, { signal }) => {
        asked.resolve()
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            isWithdrawn = true
            resolve({ cancelled: true })
          })
        })
      },
    })
    elves.tell({ type: 'question', interaction: question })
    await asked.promise
    const response = { interactionId: question.id, answeredBy: 'user_local', cancelled: true }
    expect(events.tell({ type: 'interaction_responded', response })).toBeUndefined()
    gate.resolve()
    await running
    const { value } = await shared.watch().next()
    expect([isWithdrawn, value]).toMatchObject([true, { type: 'snapshot', snapshot: { questions: [] } }])
    await shared.close()
  })

  it('puts the question of an elf to the handler of the last run', async () => {
    const elves = scriptElves()
    const { conversation } = openAgent({ rounds: [round(says('One.'))] })
    const shared = driven(conversation, { elves })
    const asked = deferred<string>()
    await shared.run(hello, {
      onQuestion: ({ display: { title } }) => {
        asked.resolve(title)
        return { inputValue: 'that' }
      },
    })
    elves.tell({ type: 'question', interaction: question })
    expect(await asked.promise).toBe('e1 (explore): Which?')
    await new Promise((resolve) => setImmediate(resolve))
    expect(elves.responses).toEqual([
      { interactionId: question.id, answeredBy: 'user_local', inputValue: 'that' },
    ])
    await shared.close()
  })

  it('waits for a slow watcher in a turn and in an elf at once, and goes on with both', async () => {
    const elves = scriptElves()
    const long = 'x'.repeat(20_000)
    const { conversation } = openAgent({ rounds: [round(says(long))] })
    const shared = driven(conversation, { elves })
    const watcher = shared.watch({ keepsPace: true })
    const running = shared.run(hello)
    await new Promise((resolve) => setImmediate(resolve))
    const said: AgentEvent = { type: 'text_delta', id: 'b', delta: long, agentId: otherIds().agent(), seq: 1 }
    elves.tell({ type: 'event', event: said })
    await new Promise((resolve) => setImmediate(resolve))
    elves.tell({ type: 'question', interaction: question })
    const seen = new Set<string>()
    while (!seen.has('ended') || !seen.has('asked')) {
      const { value } = await watcher.next()
      if (value !== undefined) seen.add(value.type)
    }
    await running
    await shared.close()
  })
})
