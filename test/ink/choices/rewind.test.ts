import { describe, expect, it } from 'vitest'
import type { GoToOptions } from '../../../src/conversation.ts'
import { PipeError } from '../../../src/error.ts'
import type { ArrivalView, TreeMessage } from '../../../src/frontend/conversation-view.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import type { SessionSummary } from '../../../src/session.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { openAgent } from '../../support/conversations/agent.ts'
import { driven } from '../../support/conversations/driven.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { now, text, user } from '../../support/messages/messages.ts'
import { asks } from '../conversation.ts'
import { plain } from '../screen-text.ts'
import { openConversation, type Setup } from '../scripted-conversation.ts'

const press = (name: string): Key => ({ type: 'press', name })
const newId = countingIds()
const anHourAgo = new Date(now - 3_600_000).toISOString()

function place(role: TreeMessage['role'], words: string, rest: Partial<TreeMessage> = {}): TreeMessage {
  return {
    messageId: newId.message(),
    role,
    text: words,
    timestamp: anHourAgo,
    depth: 0,
    isCurrent: true,
    ...rest,
  }
}

const places: readonly TreeMessage[] = [
  place('user', 'say one'),
  place('assistant', 'One.'),
  place('user', 'say two', { isCurrent: false }),
  place('assistant', 'Two.', { isCurrent: false }),
  place('user', 'say three', { depth: 1, turns: 2 }),
  place('assistant', 'Three.', { depth: 1 }),
]

/** Opens a conversation with branches, and records where it goes. */
function openBranches({ api = {}, ...setup }: Setup = {}) {
  const went: unknown[] = []
  const opened = openConversation({
    ...setup,
    api: {
      messageTree: async () => places,
      goTo: async (id, { signal: _, ...way }): Promise<ArrivalView> => {
        const at = places.find(({ messageId }) => messageId === id)
        went.push({ at: at?.text, ...way })
        if (way.what === 'files') return { report: 'restored a.txt' }
        const past = openAgent({ messages: [user(text('say one'))] })
        const view = { sessionId: undefined, model: 'test/small', mode: 'default', warnings: [] } as const
        return {
          view: { ...view, conversation: driven(past.conversation) },
          text: `${at?.text}\nplease`,
        }
      },
      ...api,
    },
  })
  const { store, controller } = opened
  const keys = (...names: readonly string[]) => {
    for (const name of names) controller.key(press(name))
  }
  const live = () => plain(drawLive(store.screen))
  /** Waits until a row of the list is shown. */
  const until = (row: RegExp) => expect.poll(() => live().join('\n')).toMatch(row)
  return { ...opened, keys, live, until, went }
}

const note = 'went back to before "say three"; the branch that was left stays: /tree'

describe('rewind', () => {
  it('Esc Esc at an idle, empty prompt lists the messages of the current branch, newest first', async () => {
    const { keys, live, until } = openBranches()
    keys('esc', 'esc')
    await until(/❯/)
    expect(live()).toEqual([
      '',
      'Go back to before which message?',
      '›',
      '❯ say three                                       1 h  files',
      '  say one                                         1 h',
      'type to search · Enter chooses · Esc cancels',
    ])
  })

  it('takes two Esc with a pause, another key, a draft or a turn between them for single ones', () => {
    const [slow, moved, written, busy] = Array.from({ length: 4 }, () => openBranches({ events: ['wait'] }))
    slow?.keys('esc')
    slow?.clock.advance(600)
    slow?.keys('esc')
    moved?.keys('esc', 'left', 'esc')
    written?.controller.key({ type: 'text', text: 'x' })
    written?.keys('esc', 'esc')
    busy?.type('go')
    busy?.keys('esc', 'esc')
    expect([slow, moved, written, busy].map((one) => one?.store.screen.picker)).toEqual(
      Array(4).fill(undefined),
    )
  })

  it.each([
    [[], { what: 'both', isSummarised: false }],
    [['down'], { what: 'conversation', isSummarised: false }],
    [['end'], { what: 'conversation', isSummarised: true }],
  ])('shows the conversation from there, and puts the message into the prompt (%j)', async (moves, way) => {
    const { type, keys, until, went, store, notes, transcript } = openBranches()
    type('/rewind')
    await until(/❯ say three/)
    keys('enter')
    await until(/Go back to before "say three"[\s\S]*❯ conversation and files +changed by 2 turns/)
    keys(...moves, 'enter')
    await expect.poll(notes).toEqual([note])
    expect([went, store.screen.prompt.text, store.screen.picker, store.screen.task]).toEqual([
      [{ at: 'say three', ...way }],
      'say three\nplease',
      undefined,
      undefined,
    ])
    expect(transcript.slice(1).map(({ type }) => type)).toEqual(['header', 'user', 'end', 'note'])
  })

  it('can restore the files alone, and offers them only where there are any', async () => {
    const { type, keys, until, live, went, store, notes } = openBranches()
    type('/rewind')
    await until(/❯ say three/)
    keys('enter', 'down', 'down', 'enter')
    await expect.poll(notes).toEqual(['restored a.txt'])
    expect([went, store.screen.prompt.text]).toEqual([
      [{ at: 'say three', what: 'files', isSummarised: false }],
      '',
    ])
    type('/rewind one')
    await until(/❯ say one/)
    keys('enter')
    expect(live().slice(3, 5)).toEqual([
      '❯ conversation only',
      '  conversation, with a summary of what is left',
    ])
  })

  it('lists all branches with /tree, the newest message of the current one focused', async () => {
    const { type, keys, until, live, went, notes } = openBranches()
    type('/tree')
    await until(/❯/)
    expect(live().slice(3, 9)).toEqual([
      '  ● > say one                                            1 h',
      '  ●   One.                                               1 h',
      '  ○ > say two                                            1 h',
      '  ○   Two.                                               1 h',
      '  ●   > say three                                        1 h',
      '❯ ●     Three.                                           1 h',
    ])
    keys('up', 'up', 'enter', 'enter')
    await expect.poll(notes).toEqual(['went to after "Two."; the branch that was left stays: /tree'])
    expect(went).toEqual([{ at: 'Two.', what: 'conversation', isSummarised: false }])
  })

  it('is shown as a task, which Esc stops', async () => {
    const goTo = (_: unknown, { signal }: GoToOptions) =>
      new Promise<ArrivalView>((_, reject) => {
        signal.addEventListener('abort', () => reject(new PipeError('aborted', 'interrupted')))
      })
    const { type, keys, until, notes } = openBranches({ api: { goTo } })
    type('/rewind')
    await until(/❯ say three/)
    keys('enter', 'enter')
    await until(/⠋ going back 0 s · Esc stops/)
    keys('esc')
    await expect.poll(notes).toEqual(['stopped: the conversation stays where it was'])
  })

  it('is refused while a turn runs, without a message, and when it fails', async () => {
    const running = openBranches({ events: ['wait'] })
    running.type('go')
    running.type('/rewind')
    await expect.poll(running.notes).toEqual(['a turn is running: stop it with Esc first'])
    const empty = openBranches({ api: { messageTree: async () => [] } })
    empty.type('/rewind')
    await expect.poll(empty.notes).toEqual(['there is no message to go back to yet'])
    const goTo = async () => Promise.reject(new PipeError('conflict', 'another process is writing it'))
    const failing = openBranches({ api: { goTo } })
    failing.type('/tree')
    await failing.until(/❯/)
    failing.keys('enter', 'enter')
    await expect.poll(failing.notes).toEqual(['another process is writing it'])
    expect([running, empty, failing].map(({ store }) => store.screen.picker)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('/resume without an id', () => {
  async function* sessions(): AsyncGenerator<SessionSummary, undefined, undefined> {
    const summary = { createdAt: anHourAgo, updatedAt: anHourAgo }
    for (const opening of ['fix it', 'explain it'])
      yield { ...summary, id: newId.session(), opening, size: 1_234 }
    yield { ...summary, id: newId.session(), fault: 'damaged' }
  }

  const openConversation = () => Promise.reject(new PipeError('conflict', 'another process is writing it'))

  it('lists the sessions, says how many cannot be read, and opens the chosen one', async () => {
    const asked: string[] = []
    const open = (id: string) => {
      asked.push(id)
      return openConversation()
    }
    const { type, keys, until, live, notes, controller } = openBranches({
      api: { sessions, openConversation: open },
    })
    type('/resume')
    await until(/explain it/)
    controller.key({ type: 'text', text: 'expl' })
    expect(live().slice(1, 9)).toEqual([
      'Continue which conversation?  1 of 2 sessions',
      '› expl',
      '❯ explain it                                     1 h  1.2 kB',
      '',
      '  explain it',
      expect.stringMatching(/^ {2}[0-9a-f-]{36}$/),
      '',
      '',
    ])
    keys('enter')
    await expect
      .poll(notes)
      .toEqual([
        'skipped 1 session that cannot be read; pipe sessions says why',
        'another process is writing it',
      ])
    expect(asked).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
  })

  it('stops reading when the list is closed, or the user quits', async () => {
    const gate = deferred()
    const read = { ended: 0 }
    async function* slow(): AsyncGenerator<SessionSummary, undefined, undefined> {
      try {
        yield* sessions()
        for (;;) {
          await gate.promise
          yield* sessions()
        }
      } finally {
        read.ended += 1
      }
    }
    const { type, keys, store } = openBranches({ api: { sessions: slow, openConversation } })
    type('/resume')
    keys('esc')
    expect(store.screen.picker).toBeUndefined()
    gate.resolve()
    await expect.poll(() => read.ended).toBe(1)
  })

  it('gives way to a question, which no key for the list answers', async () => {
    const { type, keys, until, controller, store, commands } = openBranches({
      events: ['wait'],
      api: { sessions, openConversation },
    })
    type('go')
    type('/resume')
    await until(/explain it/)
    controller.key({ type: 'text', text: 'fix' })
    store.dispatch({ type: 'asked', interaction: asks('rm -r x').interaction })
    keys('enter')
    await until(/Allow bash\?/)
    expect([commands, store.screen.questions.length, store.screen.picker?.filter.text]).toEqual([
      [],
      1,
      'fix',
    ])
  })
})
