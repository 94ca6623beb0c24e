import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../src/conversation.ts'
import { PipeError } from '../../../src/error.ts'
import { noUsage } from '../../../src/usage.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { assistant, text, user } from '../../support/messages/messages.ts'
import { asks, bashEnds, bashRuns, delta, said, turnEnd } from '../conversation.ts'
import { idle, openFollowed } from '../followed.ts'

const newId = countingIds()
const spoken = (words: string) => ({ ...user(text(words)), id: newId.message() })
const answered = (words: string) => ({ ...assistant(text(words)), id: newId.message() })

/** Opens a conversation in whose turn the server works. */
async function openBusy() {
  const opened = openFollowed()
  opened.happen(said('count'), delta('one, '))
  await expect.poll(opened.live).toMatch(/one,[\s\S]*Esc stops/)
  return opened
}

describe('a turn that begins elsewhere', () => {
  it('appears as it goes on, from the message to the end', async () => {
    const { happen, shown, live, store } = openFollowed()
    happen(said('count'), delta('one, '), delta('two.'))
    await expect.poll(live).toMatch(/one, two\.[\s\S]*Esc stops/)
    happen(...bashRuns('tc_1', 'ls', 'a.ts\n'), bashEnds('tc_1', 'a.ts'), delta('Done.', 'text_2'), turnEnd)
    await expect.poll(() => store.screen.busySince).toBeUndefined()
    expect(shown()).toEqual(['› count', 'one, two.', 'bash', 'Done.'])
  })

  it('says that it was interrupted', async () => {
    const { happen, shown } = await openBusy()
    happen({ type: 'turn_end', stopReason: 'aborted', rounds: 1, usage: noUsage })
    await expect.poll(shown).toEqual(['› count', 'one, ', '(interrupted)'])
  })
})

describe('a conversation that is joined in the middle of a turn', () => {
  const [question, answer, next] = [spoken('hi'), answered('Hello.'), spoken('count')]
  const snapshot: Snapshot = {
    ...idle,
    state: 'toolcall',
    messages: [question, answer, next],
    reply: [{ type: 'text', text: 'one, tw' }],
    calls: [{ callId: 'tc_1', name: 'bash', arguments: { command: 'make' } }],
    queue: [{ id: newId.message(), text: 'and three', kind: 'steer' }],
  }

  it('shows what was said, the reply so far, the calls and what waits', async () => {
    const { live, shown } = openFollowed(snapshot)
    await expect.poll(live).toMatch(/one, tw[\s\S]*make[\s\S]*next: and three[\s\S]*Esc stops/)
    expect(shown()).toEqual(['› hi', 'Hello.', '› count'])
  })

  it('goes on with the block of the reply', async () => {
    const { happen, shown } = openFollowed({ ...snapshot, calls: [], queue: [] })
    happen(delta('o, ', 'text_7'), delta('three', 'text_7'), delta('Next.', 'text_8'), turnEnd)
    await expect.poll(shown).toEqual(['› hi', 'Hello.', '› count', 'one, two, three', 'Next.'])
  })
})

describe('a snapshot after missed events', () => {
  it('adds what the transcript lacks, and ends what has ended', async () => {
    const { tell, shown, live, happen } = openFollowed()
    const message = spoken('count')
    happen({ type: 'turn_start', message }, delta('one, '), ...bashRuns('tc_1', 'ls', ''))
    await expect.poll(live).toContain('ls')
    tell({ type: 'snapshot', snapshot: { ...idle, messages: [message, answered('one, two.')] } })
    await expect.poll(live).not.toContain('Esc stops')
    expect(shown()).toEqual([
      ...['› count', 'one, '],
      ...['(the connection missed some of it: this is the conversation as it is now)', 'one, two.'],
    ])
  })

  it('adds nothing if nothing was missed', async () => {
    const { tell, shown, happen, store } = openFollowed()
    const message = spoken('count')
    const reply = answered('one')
    happen({ type: 'turn_start', message }, delta('one'), { type: 'message', message: reply }, turnEnd)
    tell({ type: 'snapshot', snapshot: { ...idle, messages: [message, reply] } })
    tell({ type: 'lost', reason: 'the connection is lost' })
    await expect.poll(() => store.screen.status.lost).toBe('the connection is lost')
    expect(shown()).toEqual(['› count', 'one'])
  })
})

describe('a message', () => {
  it('begins a turn while the server is idle', async () => {
    const { write, press, asked, live, happen } = openFollowed()
    write('hi')
    press('enter')
    await expect.poll(() => asked).toEqual(['say now: hi'])
    expect(live()).toContain('Esc stops')
    happen(said('hi'), turnEnd)
  })

  it('steers the running turn, or waits for the next one with Alt+Enter', async () => {
    const { write, press, asked, live, answer } = await openBusy()
    answer('steering')
    write('faster')
    press('enter')
    write('then stop')
    press('alt+enter')
    await expect.poll(() => asked).toEqual(['say now: faster', 'say after: then stop'])
    expect(live()).toMatch(/next: faster[\s\S]*then stop/)
  })

  it('is taken back from the server', async () => {
    const { write, press, asked, live, answer, store } = await openBusy()
    answer('steering')
    write('faster')
    press('enter')
    await expect.poll(() => asked.length).toBe(1)
    press('alt+up')
    await expect.poll(() => store.screen.prompt.text).toBe('faster')
    expect(asked[1]).toMatch(/^take back /)
    expect(live()).not.toContain('next:')
  })

  it('goes back to the prompt on Esc, with those for later, but not what others sent', async () => {
    const { write, press, asked, answer, store, tell } = await openBusy()
    answer('steering')
    for (const words of ['faster', 'and then stop']) {
      write(words)
      press(words === 'faster' ? 'enter' : 'alt+enter')
    }
    await expect.poll(() => asked.length).toBe(2)
    const queue = store.screen.queued.map(({ id, text: words }) => ({
      id,
      text: words,
      kind: 'steer' as const,
    }))
    const other = { id: newId.message(), text: 'from the phone', kind: 'follow_up' as const }
    tell({ type: 'queue', queue: [...queue, other] })
    await expect.poll(() => store.screen.queued.length).toBe(3)
    press('esc')
    await expect.poll(() => store.screen.prompt.text).toBe('faster\nand then stop')
    expect(asked[2]).toBe('interrupt')
    expect(store.screen.queued.map(({ kind, text: words }) => [kind, words])).toEqual([
      ['after', 'from the phone'],
    ])
  })

  it('stays away if it was delivered before it could be taken back', async () => {
    const { write, press, asked, answer, refuse, store, tell } = await openBusy()
    answer('steering')
    write('faster')
    press('enter')
    await expect.poll(() => asked.length).toBe(1)
    refuse(new PipeError('not_found', 'delivered'))
    press('alt+up')
    await expect.poll(() => asked.length).toBe(2)
    tell({ type: 'queue', queue: [] })
    await expect.poll(() => store.screen.queued).toEqual([])
    expect(store.screen.prompt.text).toBe('')
  })

  it('goes back to the prompt if the server does not take it', async () => {
    const { write, press, refuse, shown, store } = openFollowed()
    refuse(new PipeError('network', 'den:8800 refused the connection'))
    write('hi')
    press('enter')
    await expect.poll(() => store.screen.prompt.text).toBe('hi')
    await expect.poll(shown).toEqual(['(den:8800 refused the connection)'])
    expect(store.screen.busySince).toBeUndefined()
  })

  it('of someone else is shown while it waits', async () => {
    const { tell, live } = await openBusy()
    tell({
      type: 'queue',
      queue: [{ id: newId.message(), text: 'from the phone\u001b[2J', kind: 'follow_up' }],
    })
    await expect.poll(live).toMatch(/after: [^\n]*from the phone/)
    expect(live()).not.toContain('\u001b')
  })
})

describe('a question', () => {
  const question = asks('rm -r build')

  async function openAsked() {
    const opened = await openBusy()
    opened.happen(question)
    await expect.poll(opened.live).toContain('Allow bash?')
    // The question has to be drawn, and to settle.
    for (let i = 0; i < 2; i++) opened.clock.advance(5_000)
    return opened
  }

  it('is answered here', async () => {
    const { write, asked, live } = await openAsked()
    write('y')
    await expect.poll(() => asked).toEqual(['respond allow'])
    expect(live()).not.toContain('Allow bash?')
  })

  it('vanishes when it is answered elsewhere', async () => {
    const { happen, live, asked } = await openAsked()
    const response = {
      interactionId: question.interaction.id,
      answeredBy: 'user_phone',
      selectedOptionId: 'allow',
    }
    happen({ type: 'interaction_responded', response })
    await expect.poll(live).not.toContain('Allow bash?')
    expect(asked).toEqual([])
  })

  it('that was answered a moment before elsewhere is only noted', async () => {
    const { write, refuse, shown } = await openAsked()
    refuse(new PipeError('conflict', 'answered'))
    write('y')
    await expect.poll(shown).toContain('(that question was answered elsewhere)')
  })

  it('comes back if the answer does not reach the server', async () => {
    const { write, refuse, live, shown } = await openAsked()
    refuse(new PipeError('network', 'no network'))
    write('y')
    await expect.poll(shown).toContain('(no network)')
    expect(live()).toContain('Allow bash?')
  })

  it('of an elf in the background is asked between turns, and Esc declines it', async () => {
    const { tell, live, clock, press, asked } = openFollowed()
    tell({ type: 'asked', question: question.interaction })
    await expect.poll(live).toContain('Allow bash?')
    clock.advance(5_000)
    press('esc')
    await expect.poll(() => asked).toEqual(['respond nothing'])
  })
})

describe('the user', () => {
  it('stops the turn of the server with Esc', async () => {
    const { press, asked } = await openBusy()
    press('esc')
    await expect.poll(() => asked).toEqual(['interrupt'])
  })

  it('leaves with Ctrl+C twice, and the turn goes on', async () => {
    const { press, asked, live, controller, shown, happen } = await openBusy()
    happen(...bashRuns('tc_1', 'make', ''))
    await expect.poll(live).toContain('make')
    press('ctrl+c')
    expect(live()).toContain('press Ctrl+C again to leave; the session keeps running')
    press('ctrl+c')
    await controller.done
    await controller.close()
    expect([asked, shown()]).toEqual([[], ['› count', 'one, ']])
  })

  it('sees the mode as it was if the server refuses to change it', async () => {
    const { press, refuse, asked, store } = openFollowed()
    refuse(new PipeError('conflict', 'another process has it'))
    press('shift+tab')
    await expect.poll(() => asked).toEqual(['mode accept-edits'])
    await expect.poll(() => store.screen.status.mode).toBe('default')
  })

  it('sees that the connection is lost, and back', async () => {
    const { tell, live } = openFollowed()
    tell({ type: 'lost', reason: 'the connection to den:8800 is lost' })
    await expect.poll(live).toContain('the connection to den:8800 is lost; connecting again')
    tell({ type: 'found' })
    await expect.poll(live).not.toContain('lost')
    expect(live()).toContain('at den:8800')
  })

  it('gets the reason why the conversation is gone for good', async () => {
    const { goAway, failed } = openFollowed()
    goAway(new PipeError('network', 'den:8800 is gone'))
    await expect.poll(failed).toMatchObject({ code: 'network', message: 'den:8800 is gone' })
  })
})
