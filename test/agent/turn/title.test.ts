import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { openAgent, play } from '../../support/conversations/agent.ts'
import { messageId, text, user } from '../../support/messages/messages.ts'
import { answers, choose, failsWith, type ScriptedChoice } from '../../support/models/choices.ts'

const price = { input: 1_000_000, output: 2_000_000 }
const said = { ...user(text('today is Monday'), text('why does login fail?')), metadata: { context: '1' } }

/** A new conversation whose first turn works, with this model for its title. */
function named(fast: ScriptedChoice, more: Parameters<typeof openAgent>[0] = {}) {
  const model = choose('a/big', [answers('The clock is wrong.'), answers('Yes.')], { price })
  const redact = (words: string) => words.replaceAll('S3cr3t', '[redacted]')
  return openAgent({ model, naming: { redact, model: async () => fast }, ...more })
}

const titles = ({ states }: ReturnType<typeof openAgent>) => states.flatMap(({ title }) => title ?? [])

describe('the title of a new session', () => {
  it('is saved with the first message, from the words of the user, and once', async () => {
    const agent = openAgent({ model: choose('a/big', [answers('The clock.'), answers('Yes.')]) })
    await play(agent, { message: said })
    await play(agent, { message: user(text('really?')) })
    expect(agent.states.map(({ title }) => title)).toEqual([
      'why does login fail?',
      undefined,
      undefined,
      undefined,
    ])
  })

  it('is not replaced when a session goes on before its first message', async () => {
    const model = choose('a/big', [answers('Yes.')])
    const agent = openAgent({ model, messages: [], lastWritten: messageId(7) })
    await play(agent, { message: said })
    expect(titles(agent)).toEqual([])
  })

  it('comes from the model for titles after the first turn, and its cost counts', async () => {
    const fast = choose('b/fast', [answers('# "Login fails: S3cr3t\x07 clock."\nI hope it helps')], { price })
    const agent = named(fast)
    await play(agent, { message: said })
    await expect.poll(() => titles(agent)).toEqual(['why does login fail?', 'Login fails: [redacted] clock'])
    expect(agent.states.at(-1)).toEqual({
      title: 'Login fails: [redacted] clock',
      usage: { inputTokens: 20, outputTokens: 10 },
      costUsd: 40,
    })
    expect(agent.engine.costUsd).toBe(40)
    const [request] = fast.requests
    expect([request?.tools, request?.messages.map(({ content }) => content)]).toEqual([
      [],
      [
        [
          text(
            '<person>\nwhy does login fail?\n</person>\n<agent>\nThe clock is wrong.\n</agent>\n\nName it.',
          ),
        ],
      ],
    ])
    await play(agent, { message: user(text('really?')) })
    await agent.conversation.close()
    expect(fast.requests).toHaveLength(1)
  })

  it('is not asked for after a failed turn, in an old session, or over the budget', async () => {
    const fast = choose('b/fast', [])
    const failed = named(fast, { model: choose('a/big', [failsWith('invalid')]) })
    await play(failed, { message: said })
    const spent = named(fast, { limits: { maxTokens: 15 } })
    await play(spent, { message: said })
    await Promise.all([failed, spent].map(({ conversation }) => conversation.close()))
    expect([titles(failed), titles(spent), fast.requests]).toEqual([
      ['why does login fail?'],
      ['why does login fail?'],
      [],
    ])
  })

  it('stays if the model fails, without another try', async () => {
    const fast = choose('b/fast', [failsWith('overloaded')])
    const agent = named(fast)
    await play(agent, { message: said })
    await play(agent, { message: user(text('really?')) })
    expect([titles(agent), fast.requests.length]).toEqual([['why does login fail?'], 1])
  })

  it('is not replaced by a model once the user has named the session', async () => {
    const [asked, answer] = [deferred(), deferred()]
    const fast = choose('b/fast', [
      async function* (signal) {
        asked.resolve()
        await answer.promise
        return yield* answers('Login')(signal)
      },
    ])
    const agent = named(fast)
    await play(agent, { message: said })
    await asked.promise
    await agent.conversation.rename('My own')
    answer.resolve()
    await play(agent, { message: user(text('really?')) })
    expect(titles(agent)).toEqual(['why does login fail?', 'My own'])
  })

  it('is the user’s own if they name the session before they write', async () => {
    const agent = openAgent({ model: choose('a/big', [answers('The clock.')]) })
    await agent.conversation.rename('My own')
    await play(agent, { message: said })
    expect(titles(agent)).toEqual(['My own'])
  })

  it('is not waited for when the conversation closes', async () => {
    const asked = deferred()
    const fast = choose('b/fast', [
      async function* () {
        asked.resolve()
        await new Promise(() => undefined)
        yield { type: 'text_delta', id: 'never', delta: '' }
        return { stopReason: 'end_turn', usage: { inputTokens: 1, outputTokens: 1 } }
      },
    ])
    const agent = named(fast)
    await play(agent, { message: said })
    await asked.promise
    await agent.conversation.close()
    expect([agent.journal.at(-1), titles(agent)]).toEqual(['close', ['why does login fail?']])
  })
})
