import { describe, expect, it } from 'vitest'
import type { Key } from '../../src/ink/tty/key.ts'
import type { Message } from '../../src/message.ts'
import type { SessionLog } from '../../src/session.ts'
import { textResult } from '../../src/tool.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { type AgentSetup, calls, failing, openAgent, round, says } from '../support/conversations/agent.ts'
import { scriptedTools } from '../support/conversations/scripted-tools.ts'
import { sent } from '../support/messages/histories.ts'
import { countingIds } from '../support/messages/ids.ts'
import { openConversation } from './scripted-conversation.ts'

const press = (name: string): Key => ({ type: 'press', name })

/** Creates a session log that blocks at the given sync, counted from 1. */
function slowLog(at: number) {
  const reached = deferred()
  const rest = deferred()
  let count = 0
  const log: SessionLog = {
    unsaved: undefined,
    id: countingIds().session(),
    append: async (_: Message) => undefined,
    update: async () => undefined,
    sync: async () => {
      count++
      if (count !== at) return
      reached.resolve()
      await rest.promise
    },
    close: async () => undefined,
  }
  return { log, reached: reached.promise, go: () => rest.resolve() }
}

/** Opens a conversation on the screen with the real agent loop. */
function talkTo(setup: AgentSetup) {
  const agent = openAgent(setup)
  const opened = openConversation({ engine: agent.engine, api: { complaint: ({ error }) => error } })
  const { store, transcript } = opened
  return {
    ...opened,
    heard: () => agent.requests.map((request) => sent(request)),
    said: () => {
      store.show()
      return transcript.flatMap((entry) =>
        entry.type === 'user' ? [`› ${entry.text}`] : entry.type === 'block' ? [entry.block.text] : [],
      )
    },
    draft: () => store.screen.prompt.text,
    queued: () => store.screen.queued.map((one) => one.text),
    isIdle: () => store.screen.busySince === undefined,
  }
}

/** Opens a turn whose text is complete but whose last sync blocks. */
async function endSlowly() {
  const { log, reached, go } = slowLog(2)
  const view = talkTo({ log, rounds: [round(says('Done.')), round(says('Again.')), round(says('Thrice.'))] })
  view.type('one')
  await reached
  return { ...view, go }
}

describe('a message sent in the last moment of a turn', () => {
  it('starts the next turn', async () => {
    const { type, go, queued, said, draft, isIdle, heard } = await endSlowly()
    type('two')
    expect(queued()).toEqual(['two'])
    go()
    await expect.poll(said).toEqual(['› one', 'Done.', '› two', 'Again.'])
    await expect.poll(isIdle).toBe(true)
    expect([draft(), queued(), heard()]).toEqual(['', [], [['one'], ['one', 'Done.', 'two']]])
  })

  it('is followed by later messages in the same turn', async () => {
    const { type, go, said, draft, isIdle, heard } = await endSlowly()
    for (const words of ['two', 'three']) type(words)
    go()
    await expect.poll(said).toEqual(['› one', 'Done.', '› two', '› three', 'Again.'])
    await expect.poll(isIdle).toBe(true)
    expect([draft(), heard().at(-1)]).toEqual(['', ['one', 'Done.', 'two', 'three']])
  })

  it('goes back to the prompt only on Esc', async () => {
    const { type, controller, go, said, draft, queued, isIdle, heard } = await endSlowly()
    type('two')
    controller.key(press('esc'))
    expect([draft(), queued(), isIdle()]).toEqual(['two', [], true])
    go()
    controller.key(press('enter'))
    await expect.poll(said).toEqual(['› one', 'Done.', '› two', 'Again.'])
    await expect.poll(isIdle).toBe(true)
    expect(heard()).toEqual([['one'], ['one', 'Done.', 'two']])
  })

  it('starts the next turn even if the model has failed', async () => {
    const { log, reached, go } = slowLog(2)
    const view = talkTo({
      log,
      rounds: [failing(round(says('Now.')), { code: 'auth', message: 'no key', after: 0 })],
    })
    view.type('one')
    await reached
    view.type('two')
    go()
    await expect.poll(view.said).toEqual(['› one', '› two', 'Now.'])
    await expect.poll(view.isIdle).toBe(true)
    expect(view.draft()).toBe('')
  })
})

it('a turn that failed says how the conversation goes on', async () => {
  const failure = { code: 'protocol', message: 'no reply', after: 0 } as const
  const { type, notes } = talkTo({ rounds: [failing(round(says('Now.')), failure)] })
  type('one')
  await expect
    .poll(notes)
    .toEqual(['no reply\n/model chooses another model; ↑ brings your message back to send it again'])
})

describe('a steering message', () => {
  /** Opens a turn in which a call blocks. */
  async function callSlowly() {
    const begun = deferred()
    const rest = deferred()
    const executor = scriptedTools({
      read: {
        run: async function* (_, { signal }) {
          signal.addEventListener('abort', () => rest.resolve())
          yield { type: 'output', stream: 'stdout', chunk: '' }
          begun.resolve()
          await rest.promise
          return textResult('read')
        },
      },
    })
    const view = talkTo({ rounds: [round(calls('tc_1', 'read')), round(says('Done.'))], executor })
    view.type('one')
    await begun.promise
    return { ...view, go: () => rest.resolve() }
  }

  it('is delivered once, after the calls of its round', async () => {
    const { type, go, said, heard } = await callSlowly()
    type('two')
    go()
    await expect.poll(said).toEqual(['› one', '› two', 'Done.'])
    expect(heard().at(-1)).toEqual(['one', 'assistant', 'read', 'two'])
  })

  it.each(['up', 'alt+up'])('is taken back with %s, and delivered once if sent again', async (key) => {
    const { type, controller, go, said, draft, queued, heard, isIdle } = await callSlowly()
    for (const words of ['two', 'three']) type(words)
    controller.key(press(key))
    expect([draft(), queued()]).toEqual(['three', ['two']])
    controller.key({ type: 'text', text: '!' })
    controller.key(press('enter'))
    expect([draft(), queued()]).toEqual(['', ['two', 'three!']])
    for (let i = 0; i < 2; i++) controller.key(press(key))
    expect([draft(), queued()]).toEqual(['two\nthree!', []])
    controller.key(press('enter'))
    go()
    await expect.poll(said).toEqual(['› one', '› two\nthree!', 'Done.'])
    await expect.poll(isIdle).toBe(true)
    expect(heard().at(-1)).toEqual(['one', 'assistant', 'read', 'two\nthree!'])
  })

  it('is not taken back once it was delivered', async () => {
    const { type, controller, go, said, draft } = await callSlowly()
    type('two')
    go()
    await expect.poll(said).toEqual(['› one', '› two', 'Done.'])
    controller.key(press('alt+up'))
    expect(draft()).toBe('')
  })
})

describe('a message for after the turn', () => {
  /** Opens a turn that blocks in its last sync, with a message for after it. */
  async function waitingOne(setup: AgentSetup = {}) {
    const { log, reached, go } = slowLog(2)
    const rounds = [round(says('Done.')), round(says('Again.')), round(says('Thrice.'))]
    const view = talkTo({ log, rounds, ...setup })
    view.type('one')
    await reached
    const later = (words: string) => {
      view.controller.key({ type: 'text', text: words })
      view.controller.key(press('alt+enter'))
    }
    later('two')
    return { ...view, go, later, waits: () => view.store.screen.queued.map(({ kind, text }) => [kind, text]) }
  }

  it('begins a turn of its own each', async () => {
    const { later, go, said, waits, isIdle, heard } = await waitingOne()
    later('three')
    expect(waits()).toEqual([
      ['after', 'two'],
      ['after', 'three'],
    ])
    go()
    await expect.poll(said).toEqual(['› one', 'Done.', '› two', 'Again.', '› three', 'Thrice.'])
    await expect.poll(isIdle).toBe(true)
    expect([waits(), heard()[1]]).toEqual([[], ['one', 'Done.', 'two']])
  })

  it('waits behind a message that was sent too late for the turn', async () => {
    const { type, go, said, waits } = await waitingOne()
    type('now')
    expect(waits()).toEqual([
      ['after', 'two'],
      ['next', 'now'],
    ])
    go()
    await expect.poll(said).toEqual(['› one', 'Done.', '› now', 'Again.', '› two', 'Thrice.'])
  })

  it.each(['up', 'alt+up'])('is taken out of the queue with %s, and never sent', async (key) => {
    const { controller, go, said, waits, draft, isIdle } = await waitingOne()
    controller.key(press(key))
    expect([draft(), waits()]).toEqual(['two', []])
    go()
    await expect.poll(isIdle).toBe(true)
    expect([draft(), said()]).toEqual(['two', ['› one', 'Done.']])
  })

  it('goes back to the prompt on Esc, with those for the running turn', async () => {
    const { type, controller, go, said, waits, draft, isIdle } = await waitingOne()
    type('now')
    controller.key(press('esc'))
    expect([draft(), waits(), isIdle()]).toEqual(['two\nnow', [], true])
    go()
    controller.key(press('ctrl+c'))
    expect(draft()).toBe('')
    type('else')
    await expect.poll(said).toEqual(['› one', 'Done.', '› else', 'Again.'])
    await expect.poll(isIdle).toBe(true)
    expect(said()).toHaveLength(4)
  })

  it('goes back to the prompt if the turn fails', async () => {
    const fault = { code: 'auth', message: 'no key', after: 0 } as const
    const { go, said, waits, draft, isIdle } = await waitingOne({
      rounds: [failing(round(says('Now.')), fault)],
    })
    go()
    await expect.poll(isIdle).toBe(true)
    expect([draft(), waits(), said()]).toEqual(['two', [], ['› one']])
  })
})

describe('an answer that comes faster than it can be drawn', () => {
  /** Streams one paragraph of 1,000 KB in deltas of 1,000 characters. The test decides when the screen draws. */
  function flood() {
    const delta = 'lorem ipsum '.repeat(100).slice(0, 1_000)
    const pulled: number[] = []
    const drawn: (() => void)[] = []
    const events = Array.from({ length: 1_000 }, (_, i) => ({
      type: 'text_delta' as const,
      id: 'text',
      get delta() {
        pulled.push(i)
        return delta
      },
    }))
    const drained = () => new Promise<void>((resolve) => drawn.push(resolve))
    return { ...openConversation({ events, drained }), pulled: () => pulled.length, drawn }
  }

  it('waits for the screen', async () => {
    const { type, pulled, drawn } = flood()
    type('go')
    await expect.poll(() => drawn.length).toBe(1)
    expect(pulled()).toBeLessThan(50)
    drawn[0]?.()
    await expect.poll(() => drawn.length).toBe(2)
    expect(pulled()).toBeLessThan(100)
  })

  it('is drawn at once where it waits, although the last frame is new', async () => {
    const { type, transcript, drawn } = flood()
    const length = () =>
      transcript.reduce((sum, entry) => sum + (entry.type === 'block' ? entry.block.text.length : 0), 0)
    type('go')
    await expect.poll(() => drawn.length).toBe(1)
    await expect.poll(length).toBeGreaterThan(16_000)
    drawn[0]?.()
    await expect.poll(length).toBeGreaterThan(48_000)
  })

  it('is read to its end once stopped, without waiting for the screen', async () => {
    const { type, pulled, drawn, controller } = flood()
    type('go')
    await expect.poll(() => drawn.length).toBe(1)
    controller.key(press('esc'))
    await expect.poll(pulled).toBe(1_000)
    expect(drawn.length).toBe(1)
  })
})
