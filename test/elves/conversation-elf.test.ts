import { describe, expect, it } from 'vitest'
import { elfConformance } from '../../src/conformance/elf.ts'
import { createElf } from '../../src/elves/conversation-elf.ts'
import { conforms } from '../support/conforms.ts'
import { calls, openAgent, round, says } from '../support/conversations/agent.ts'
import { gives, scriptedTools } from '../support/conversations/scripted-tools.ts'
import { text, user } from '../support/messages/messages.ts'

const look = user(text('look'))

conforms(
  'an elf of a conversation keeps the promises of elves: it',
  elfConformance(async ({ says: texts }) => {
    const stop = new AbortController()
    const rounds = texts.map((said, i) =>
      i === texts.length - 1 ? round(says(said)) : round(says(said), calls(`call_${i}`, 'look')),
    )
    const { engine } = openAgent({ rounds, executor: scriptedTools({ look: gives('seen') }) })
    return { elf: createElf(engine, look, { signal: stop.signal }), stop: () => stop.abort() }
  }),
)

describe('an elf of a conversation', () => {
  it('is interrupted before its events are pulled, too', async () => {
    const { engine } = openAgent({ rounds: [round(says('One.'))] })
    const elf = createElf(engine, look, { signal: new AbortController().signal })
    elf.send({ type: 'interrupt' })
    expect(await elf.wait()).toMatchObject({ stopReason: 'aborted', text: '' })
  })

  it('takes a message that came too late for its turn in another one', async () => {
    const { engine } = openAgent({ rounds: [round(says('One.')), round(says('Two.'))] })
    const elf = createElf(engine, look, { signal: new AbortController().signal })
    let isSent = false
    const events = elf.events()
    for (;;) {
      const step = await events.next()
      if (step.done === true) {
        expect(step.value).toMatchObject({ text: 'Two.', rounds: 2 })
        return
      }
      if (step.value.type === 'turn_end' && !isSent) {
        isSent = true
        elf.send({ type: 'steer', message: user(text('and more')) })
      }
    }
  })
})
