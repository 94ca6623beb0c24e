import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import { bypassNote } from '../../src/frontend/words/mode-words.ts'
import { drawLive } from '../../src/ink/live/live-rows.ts'
import type { Key } from '../../src/ink/tty/key.ts'
import type { PermissionMode } from '../../src/permission.ts'
import { assistant, text } from '../support/messages/messages.ts'
import { turnEnd } from './conversation.ts'
import { plain } from './screen-text.ts'
import { openConversation } from './scripted-conversation.ts'

const press = (name: string): Key => ({ type: 'press', name })
const letter = (words: string): Key => ({ type: 'text', text: words })

/** Opens a conversation in plan mode whose turns end with these words, and which then refuses these modes. */
function openPlanning(
  words = '1. Do a.\n2. Do b.',
  from: readonly ('wait' | typeof turnEnd)[] = [turnEnd],
  ...refused: readonly PermissionMode[]
) {
  let isReady = false
  const modes: PermissionMode[] = []
  const sent: string[] = []
  const opened = openConversation({
    events: [{ type: 'message', message: assistant(text(words)) }, ...from],
    api: {
      modeRefusal: (mode) =>
        isReady && refused.includes(mode) ? new PipeError('usage', `not in mode ${mode}`) : undefined,
      setMode: async (mode) => void modes.push(mode),
      readMode: (word) => (word === 'bypass' ? 'bypass' : undefined),
    },
  })
  const { controller, store, clock, transcript } = opened
  for (let i = 0; i < 2; i++) controller.key(press('shift+tab'))
  modes.length = 0
  isReady = true
  const users = () => transcript.flatMap((entry) => (entry.type === 'user' ? [entry.text] : []))
  const asked = () => store.screen.questions.map(({ interaction }) => interaction.display.title)
  const rest = () => {
    store.show()
    clock.advance(2_000)
  }
  return { ...opened, modes, sent, users, asked, rest }
}

describe('a turn in plan mode', () => {
  it('ends with a question about its plan', async () => {
    const { type, asked, store, rest } = openPlanning()
    type('how?')
    await expect.poll(asked).toEqual(['Carry out this plan?'])
    rest()
    store.show()
    expect(plain(drawLive(store.shown().screen)).slice(1)).toEqual([
      '━━ Carry out this plan? ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━',
      '',
      ' ❯ y  yes',
      '   e  yes, and accept edits',
      '   n  no',
      '   w  no, and say why',
      '━━ Enter chooses ❯ · Esc closes it ━━━━━━━━━━━━━━━━━━━━━━━━━',
      'plan · small                           main  ctx 19 %  $1.00',
    ])
  })

  it.each<[string, readonly Key[], readonly PermissionMode[], readonly string[]]>([
    ['carries it out in mode ask', [letter('y')], ['default'], ['Carry out the plan.']],
    ['carries it out and edits freely', [letter('e')], ['accept-edits'], ['Carry out the plan.']],
    ['waits after a no', [letter('n')], [], []],
    ['waits after Esc', [press('esc')], [], []],
    ['tells the model why not', [letter('w'), letter('c first'), press('enter')], [], ['c first']],
    ['takes any other message as a no', [letter('use c'), press('enter')], [], ['use c']],
  ])('%s', async (_, keys, wanted, messages) => {
    const { type, controller, asked, modes, users, rest } = openPlanning()
    type('how?')
    await expect.poll(asked).toHaveLength(1)
    rest()
    for (const key of keys) controller.key(key)
    await expect.poll(users).toEqual(['how?', ...messages])
    expect(modes).toEqual(wanted)
    // A turn in plan mode asks again; in every other case the question is gone.
    await expect.poll(asked).toHaveLength(messages.length > 0 && wanted.length === 0 ? 1 : 0)
  })

  it.each([
    ['in another mode', '1. Do a.\n2. Do b.', 1],
    ['after an answer without steps', 'It is b.\n\n- Not a.', 0],
  ])('asks nothing %s', async (_, words, tabs) => {
    const { type, controller, asked, store, users } = openPlanning(words)
    for (let i = 0; i < tabs; i++) controller.key(press('shift+tab'))
    type('how?')
    await expect.poll(users).toEqual(['how?'])
    await expect.poll(() => store.screen.busySince).toBeUndefined()
    await controller.close()
    expect(asked()).toEqual([])
  })

  it('asks nothing once it was stopped', async () => {
    const { type, controller, asked, store, users } = openPlanning('- Do a.\n- Do b.', ['wait'])
    type('how?')
    await expect.poll(users).toEqual(['how?'])
    controller.key(press('esc'))
    await expect.poll(() => store.screen.busySince).toBeUndefined()
    await controller.close()
    expect(asked()).toEqual([])
  })
})

describe('the mode bypass', () => {
  it('is asked about once in a conversation, then a part of the cycle, and named when it is left', async () => {
    const { type, controller, asked, modes, notes, rest, store } = openPlanning()
    type('/mode bypass')
    await expect.poll(asked).toEqual(['Switch to bypass mode?'])
    rest()
    store.show()
    expect(plain(drawLive(store.shown().screen)).slice(1)).toEqual([
      '━━ Switch to bypass mode? ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━',
      '   Deny and ask rules still hold, and removals that could',
      '   not be undone are still asked about.',
      '   ⚠ calls run without a question',
      '',
      '   y  yes',
      ' ❯ n  no',
      '━━ Enter chooses ❯ · Esc closes it ━━━━━━━━━━━━━━━━━━━━━━━━━',
      'plan · small                                           $0.50',
    ])
    controller.key(press('enter'))
    await expect.poll(asked).toEqual([])
    expect([modes, store.screen.status.mode]).toEqual([[], 'plan'])
    type('/mode bypass')
    await expect.poll(asked).toHaveLength(1)
    rest()
    controller.key(letter('y'))
    await expect.poll(notes).toEqual([bypassNote])
    controller.key(press('shift+tab'))
    await expect.poll(notes).toEqual([bypassNote, 'Mode ask: pipe asks before edits and commands.'])
    for (let i = 0; i < 3; i++) controller.key(press('shift+tab'))
    expect([modes, asked()]).toEqual([['bypass', 'default', 'accept-edits', 'plan', 'bypass'], []])
  })
})

describe('a mode that is refused here', () => {
  it('is refused before it is asked about', async () => {
    const { type, asked, modes, notes } = openPlanning(undefined, undefined, 'bypass')
    type('/mode bypass')
    await expect.poll(notes).toEqual(['not in mode bypass'])
    expect([asked(), modes]).toEqual([[], []])
  })

  it('is passed over by Shift+Tab, which says why if no other is left', async () => {
    const free = openPlanning(undefined, undefined, 'default')
    for (let i = 0; i < 2; i++) free.controller.key(press('shift+tab'))
    expect(free.modes).toEqual(['accept-edits', 'plan'])
    const bound = openPlanning(undefined, undefined, 'default', 'accept-edits', 'bypass')
    bound.controller.key(press('shift+tab'))
    await expect.poll(bound.notes).toEqual(['not in mode default'])
    expect(bound.modes).toEqual([])
  })

  it('is no answer about a plan', async () => {
    const strict = openPlanning(undefined, undefined, 'accept-edits')
    strict.type('how?')
    await expect.poll(strict.asked).toHaveLength(1)
    const [question] = strict.store.screen.questions
    expect(question?.interaction.options?.map(({ id }) => id)).toEqual(['yes', 'no'])
    const bound = openPlanning(undefined, undefined, 'default', 'accept-edits')
    bound.type('how?')
    await expect.poll(bound.users).toEqual(['how?'])
    await expect.poll(() => bound.store.screen.busySince).toBeUndefined()
    await bound.controller.close()
    expect(bound.asked()).toEqual([])
  })
})
