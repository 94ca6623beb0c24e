import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import type { FrontendApi, UndoRequest } from '../../src/frontend/conversation-view.ts'
import { drawLive } from '../../src/ink/live/live-rows.ts'
import type { Store } from '../../src/ink/store.ts'
import type { Key } from '../../src/ink/tty/key.ts'
import type { Interaction } from '../../src/interaction.ts'
import type { PermissionMode } from '../../src/permission.ts'
import { noUsage } from '../../src/usage.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { openAgent, round, says } from '../support/conversations/agent.ts'
import { driven } from '../support/conversations/driven.ts'
import { countingIds } from '../support/messages/ids.ts'
import { assistant, text, user } from '../support/messages/messages.ts'
import { delta } from './conversation.ts'
import { plain } from './screen-text.ts'
import { openConversation } from './scripted-conversation.ts'

const press = (name: string): Key => ({ type: 'press', name })

/** Opens a conversation in a folder whose trust is undecided. */
function openUntrusted() {
  const answers: (string | undefined)[] = []
  const question: Interaction = {
    id: countingIds().interaction(),
    kind: 'confirm',
    purpose: 'confirm_risky_action',
    display: { title: 'Trust this folder\u001b[2J?' },
    options: [
      { id: 'later', label: 'Not now', isDefault: true },
      { id: 'allow', label: 'Yes' },
      { id: 'deny', label: 'No' },
    ],
  }
  const opened = openConversation({
    events: [{ type: 'turn_start', message: user(text('go')) }],
    api: {
      trustQuestion: () => (answers.length === 0 ? question : undefined),
      answerTrust: async ({ selectedOptionId }) => {
        answers.push(selectedOptionId)
        return 'trusted'
      },
    },
  })
  return { ...opened, answers }
}

interface Undoing {
  resolve(told: string): void
  reject(error: unknown): void
}

/** Opens a conversation in which the test decides when an undo ends. */
function openSlow() {
  const said: string[] = []
  const begun = [deferred<Undoing>(), deferred<Undoing>()]
  const rest = [...begun]
  const act = ({ signal }: UndoRequest) =>
    new Promise<string>((resolve, reject) => {
      rest.shift()?.resolve({ resolve, reject })
      signal.addEventListener('abort', () => reject(new PipeError('aborted', 'interrupted')))
    })
  const compose = (words: string) => {
    said.push(words)
    return user(text(words))
  }
  const opened = openConversation({ api: { undo: act, compose } })
  const live = () => {
    opened.store.show()
    return plain(drawLive(opened.store.shown().screen))
  }
  /** Waits until the n-th undo has begun. */
  const undo = async (n: number) => begun[n]?.promise
  return {
    ...opened,
    undo,
    finish: async (n: number, told: string) => (await undo(n))?.resolve(told),
    fail: async (n: number, error: PipeError) => (await undo(n))?.reject(error),
    said,
    live,
    status: () => live().at(-1) ?? '',
  }
}

describe('the context window on the status line', () => {
  it('is that of the configured model, or of another model that answers', async () => {
    const round = { type: 'round_start', round: 1, provider: 'test', model: 'large' } as const
    const fallback = {
      type: 'fallback',
      from: 'test/large',
      to: 'test/unknown',
      reason: 'overloaded',
      discarded: [],
    } as const
    const read = ({ store }: { readonly store: Store }) => {
      const { model, contextWindow } = store.screen.status
      return [model, contextWindow]
    }
    const answered = openConversation({ events: [round] })
    expect(read(answered)).toEqual(['test/small', 1_000])
    answered.type('go')
    await expect.poll(() => read(answered)).toEqual(['test/large', 100_000])
    const fallen = openConversation({ events: [round, fallback] })
    fallen.type('go')
    await expect.poll(() => read(fallen)).toEqual(['test/unknown', undefined])
  })

  it('shows the tokens in use when a conversation is resumed', () => {
    const { store } = openConversation({ history: [user(text('hi')), assistant(text('Hello.'))] })
    expect(store.screen.status).toEqual({
      model: 'test/small',
      contextWindow: 1_000,
      contextTokens: 192,
      mode: 'default',
      usage: noUsage,
      branch: 'main',
      costUsd: 0.5,
    })
  })
})

describe('a turn that was stopped', () => {
  it('still reports its cost, and nothing else', async () => {
    const { controller, store, transcript, type } = openConversation({
      events: ['wait', delta('too late\n\n')],
    })
    type('go')
    controller.key(press('esc'))
    await expect.poll(() => store.screen.status.costUsd).toBe(1)
    expect(transcript.map((entry) => entry.type)).toEqual(['header', 'end'])
  })
})

describe('a task', () => {
  it('is shown from its start with its elapsed time, and reports its result at its end', async () => {
    const { store, clock, status, type, finish, notes } = openSlow()
    type('/undo')
    expect(status()).toMatch(/^. undoing 0 s · Esc stops/)
    await expect.poll(() => clock.sleeping).toBe(1)
    clock.advance(1_000)
    await expect.poll(status).toMatch(/^. undoing 1 s · Esc stops/)
    await finish(0, 'undid: it')
    await expect.poll(notes).toEqual(['undid: it'])
    expect([store.screen.task, clock.sleeping]).toEqual([undefined, 0])
    type('/redo')
    expect(status()).toMatch(/^. redoing 0 s/)
    await finish(1, 'redid: it')
    await expect.poll(notes).toEqual(['undid: it', 'redid: it'])
  })

  it('postpones messages sent meanwhile, and keeps the draft', async () => {
    const { controller, store, type, undo, finish, notes, said, live } = openSlow()
    for (const line of ['/undo', '/redo', 'go on', '/help', 'and on']) type(line)
    controller.key({ type: 'text', text: 'not sent' })
    const waiting = ['  ↳ next: /redo', '  ↳ next: go on', '› not sent']
    expect(live()).toEqual(expect.arrayContaining(waiting))
    await finish(0, 'undid: it')
    await undo(1)
    expect([said, store.screen.task?.later.map((one) => one.text)]).toEqual([
      [],
      ['go on', '/help', 'and on'],
    ])
    await finish(1, 'redid: it')
    await expect.poll(() => said).toEqual(['go on', 'and on'])
    expect([notes(), store.screen.view?.type]).toEqual([['undid: it', 'redid: it'], 'help'])
    expect(store.screen.prompt.text).toBe('not sent')
  })

  it('puts postponed messages back into the prompt if it fails', async () => {
    const { store, type, fail, notes, said } = openSlow()
    for (const line of ['/undo', 'go on']) type(line)
    await fail(0, new PipeError('conflict', 'nothing was restored: a.txt'))
    await expect.poll(notes).toEqual(['nothing was restored: a.txt'])
    expect([said, store.screen.prompt.text, store.screen.task]).toEqual([[], 'go on', undefined])
  })

  it.each(['esc', 'ctrl+c'])('is stopped by %s before it has changed anything', async (key) => {
    const { controller, store, type, undo, notes } = openSlow()
    for (const line of ['/redo', 'go on']) type(line)
    await undo(0)
    controller.key(press(key))
    await expect.poll(notes).toEqual(['stopped: nothing was redone'])
    expect([store.screen.prompt.text, store.screen.task]).toEqual(['go on', undefined])
  })

  it('is completed when the user quits, and nothing is sent after it', async () => {
    const { controller, type, undo, finish, notes, said } = openSlow()
    for (const line of ['/undo', 'go on']) type(line)
    await undo(0)
    controller.key(press('ctrl+d'))
    await controller.done
    const closed = controller.close()
    expect(notes()).toEqual([])
    await finish(0, 'undid: it')
    await closed
    expect([notes(), said]).toEqual([['undid: it'], []])
  })

  it('is stopped when the user quits a second time', async () => {
    const { controller, type, undo, notes } = openSlow()
    type('/undo')
    await undo(0)
    controller.key(press('ctrl+d'))
    const closed = controller.close()
    controller.key(press('ctrl+d'))
    await closed
    expect(notes()).toEqual(['stopped: nothing was undone'])
  })
})

describe('the controller', () => {
  it('summarises the history on request, at once or with the next request of a turn', async () => {
    const { controller, store, commands, type, notes } = openConversation({ events: ['wait'] })
    type('/compact keep names')
    await expect.poll(() => commands).toEqual([{ type: 'compact', keep: 'names' }])
    expect([store.screen.busySince, notes()]).toEqual([expect.any(Number), []])
    type('/compact')
    await expect.poll(() => commands.slice(1)).toEqual([{ type: 'compact' }])
    await expect.poll(notes).toEqual(['The history is summarised before the next request.'])
    controller.key(press('esc'))
  })

  it('sends no history to be summarised from a folder that waits for trust', async () => {
    const { store, commands, type, notes } = openUntrusted()
    type('/compact')
    await expect.poll(() => commands).toEqual([{ type: 'compact' }])
    expect(store.screen.busySince).toBeUndefined()
    await expect.poll(() => notes().slice(1)).toEqual(['The history is summarised before the next request.'])
  })

  it('undoes and redoes turns, also by force', async () => {
    const undo = async ({ redo, force }: UndoRequest) => `did ${JSON.stringify({ redo, force })}`
    const { type, notes } = openConversation({ api: { undo } })
    for (const line of ['/undo', '/redo', '/undo force', '/redo --force']) {
      const before = notes().length
      type(line)
      await expect.poll(() => notes().length).toBe(before + 1)
    }
    expect(notes()).toEqual([
      'did {"redo":false,"force":false}',
      'did {"redo":true,"force":false}',
      'did {"redo":false,"force":true}',
      'did {"redo":true,"force":true}',
    ])
  })

  it('rejects an undo while a turn runs, without the ability, or with an unknown argument', async () => {
    const running = openConversation({ events: ['wait'], api: { undo: async () => 'undone' } })
    running.type('go')
    running.type('/undo')
    await expect.poll(() => running.notes()).toEqual(['a turn is running: stop it with Esc first'])
    const without = openConversation()
    without.type('/undo')
    await expect.poll(() => without.notes()).toEqual(['unknown command /undo: /help lists them'])
    const careless = openConversation({ api: { undo: async () => 'undone' } })
    careless.type('/undo all')
    await expect.poll(() => careless.notes()).toEqual(['the only argument is force, not all'])
  })

  it('clears a mistyped command from the prompt and does not send it to the model', async () => {
    const said: string[] = []
    const compose = (words: string) => {
      said.push(words)
      return user(text(words))
    }
    const undo = async () => 'undid: it'
    const { controller, store, type, notes } = openConversation({ api: { compose, undo } })
    for (const line of ['/zzzz', '/undo']) type(line)
    await expect.poll(notes).toEqual(['unknown command /zzzz: /help lists them', 'undid: it'])
    for (let i = 0; i < 2; i++) controller.key(press('up'))
    expect(store.screen.prompt.text).toBe('/zzzz')
    controller.key(press('ctrl+u'))
    for (const line of ['/zzzz/undo', '/zzzz2 x', '/undo\nplease', '/a/b']) type(line)
    await expect
      .poll(() => notes().slice(2))
      .toEqual([
        'unknown command /zzzz/undo: did you mean /undo?',
        'unknown command /zzzz2: /help lists them',
        '/undo takes one line',
        'unknown command /a/b: /help lists them',
      ])
    expect(said).toEqual([])
    for (const line of ['/etc/hosts: what is it?', '/tmp/x y', ' /zzzz']) type(line)
    expect(said).toEqual(['/etc/hosts: what is it?', '/tmp/x y', ' /zzzz'])
  })

  it.each(['/quit', '/exit'])('quits on %s', async (line) => {
    const { controller, type, notes } = openConversation()
    type(line)
    await controller.done
    expect(notes()).toEqual([])
  })

  it('cycles through the modes with Shift+Tab', () => {
    const modes: PermissionMode[] = []
    const { controller, store } = openConversation({
      api: { setMode: async (mode) => void modes.push(mode) },
    })
    for (let i = 0; i < 4; i++) controller.key(press('shift+tab'))
    expect(modes).toEqual(['accept-edits', 'plan', 'default', 'accept-edits'])
    expect(store.screen.status.mode).toBe('accept-edits')
  })

  it('resolves the name of a mode through the ability', async () => {
    const modes: PermissionMode[] = []
    const { type, notes } = openConversation({
      api: { setMode: async (mode) => void modes.push(mode) },
    })
    for (const line of ['/mode acceptEdits', '/mode fast']) type(line)
    const words = 'no mode fast: choose ask, accept-edits, plan, auto, bypass'
    await expect.poll(() => [modes, notes()]).toEqual([['accept-edits'], [words]])
  })

  it('suspends the program on Ctrl+Z, also while a question is open', () => {
    const { controller, store, type, suspensions } = openUntrusted()
    controller.key(press('ctrl+z'))
    type('go')
    controller.key({ type: 'text', text: 'x' })
    controller.key(press('ctrl+z'))
    expect([suspensions, store.screen.questions.length]).toEqual([['', 'x'], 1])
  })

  it('asks whether to trust the folder before it sends a message', async () => {
    const { controller, store, transcript, clock, answers, type, notes } = openUntrusted()
    expect(notes()).toEqual(['New folder: pipe will ask whether you trust it.'])
    type('/mode')
    type('go')
    expect(store.screen.questions.map(({ interaction }) => interaction.display.title)).toEqual([
      'Trust this folder\\x1b[2J?',
    ])
    expect(store.screen.busySince).toBeUndefined()
    store.show()
    for (const key of [press('enter'), { type: 'text', text: 'y' } as const]) controller.key(key)
    expect([answers, store.screen.questions.length, store.screen.prompt.text]).toEqual([[], 1, ''])
    clock.advance(1_000)
    controller.key({ type: 'text', text: 'y' })
    await expect.poll(() => transcript.at(-1)).toEqual({ type: 'user', text: 'go' })
    expect(answers).toEqual(['allow'])
    expect(notes().at(-1)).toBe('trusted')
    expect(store.screen.questions).toEqual([])
  })

  it.each(['esc', 'ctrl+d', 'ctrl+c'])('leaves the trust question open on %s and sends nothing', (key) => {
    const { controller, store, clock, answers, type } = openUntrusted()
    type('go')
    store.show()
    if (key === 'ctrl+d') clock.advance(1_000)
    controller.key(press(key))
    expect({ answers, questions: store.screen.questions, text: store.screen.prompt.text }).toEqual({
      answers: [],
      questions: [],
      text: 'go',
    })
    expect(store.screen.busySince).toBeUndefined()
    controller.key(press('enter'))
    expect(store.screen.questions).toHaveLength(1)
  })

  it('keeps the draft that is typed at the trust question', async () => {
    const { controller, store, transcript, clock, answers, type } = openUntrusted()
    type('go')
    for (const letter of 'then y') controller.key({ type: 'text', text: letter })
    store.show()
    clock.advance(2_000)
    controller.key({ type: 'text', text: 'y' })
    controller.key(press('enter'))
    expect([answers, store.screen.questions.length, store.screen.prompt.text]).toEqual([[], 1, 'then yy'])
    controller.key(press('tab'))
    controller.key({ type: 'text', text: 'y' })
    await expect.poll(() => transcript.at(-1)).toEqual({ type: 'user', text: 'go' })
    expect([answers, store.screen.prompt.text]).toEqual([['allow'], 'then yy'])
  })

  it('puts the message back before the draft on Esc at the trust question, and Ctrl+C clears the draft first', () => {
    const { controller, store, type } = openUntrusted()
    const state = () => [store.screen.questions.length, store.screen.prompt.text]
    type('go')
    for (const letter of 'then') controller.key({ type: 'text', text: letter })
    controller.key(press('ctrl+c'))
    expect(state()).toEqual([1, ''])
    for (const letter of 'also') controller.key({ type: 'text', text: letter })
    controller.key(press('esc'))
    expect(state()).toEqual([0, 'go\nalso'])
    controller.key(press('ctrl+c'))
    expect(state()).toEqual([0, ''])
  })

  it('recalls messages of a resumed conversation', () => {
    const { controller, store } = openConversation({ history: [user(text('hi')), assistant(text('Hello.'))] })
    controller.key(press('up'))
    expect(store.screen.prompt.text).toBe('hi')
  })

  it('removes control sequences from the branch', () => {
    const { store } = openConversation({ api: { branch: () => 'ma\u001b]0;root\u0007in' } })
    expect(store.screen.status.branch).toBe('main')
  })
})

describe('a message sent while another conversation opens', () => {
  /** Opens a conversation that switches to another one when the test says so. */
  function change(api: Partial<FrontendApi> = {}) {
    const opened = deferred()
    const opening: { fail?: PipeError } = {}
    const other = openAgent({ rounds: [round(says('Hello.'))] })
    const newConversation = async () => {
      await opened.promise
      if (opening.fail !== undefined) throw opening.fail
      return {
        conversation: driven(other.conversation),
        sessionId: undefined,
        model: 'test/small',
        mode: 'default' as const,
        warnings: [],
      }
    }
    return { ...openConversation({ api: { ...api, newConversation } }), opened, opening, other }
  }

  it('goes to that one', async () => {
    const { type, opened, other, commands, store } = change()
    type('/clear')
    type('hi')
    expect(store.screen.prompt.text).toBe('')
    opened.resolve()
    await expect.poll(() => other.requests.length).toBe(1)
    expect(commands).toEqual([])
  })

  it('goes back to the prompt if it does not open', async () => {
    const { type, opened, opening, store, notes } = change()
    type('/clear')
    type('hi')
    opening.fail = new PipeError('storage', 'the disk is full')
    opened.resolve()
    await expect.poll(() => store.screen.prompt.text).toBe('hi')
    expect(notes()).toContain('the disk is full')
  })

  it('lets the turn run if it can have no copy', async () => {
    const fork = async () => {
      throw new PipeError('input', 'this conversation is not saved, so it cannot be copied')
    }
    const { type, commands, notes, store } = openConversation({ events: ['wait'], api: { fork } })
    type('go')
    await expect.poll(() => store.screen.busySince).toBeDefined()
    type('/fork')
    await expect.poll(notes).toContain('this conversation is not saved, so it cannot be copied')
    expect([commands, store.screen.busySince === undefined]).toEqual([[], false])
  })

  it('lets the turn run if there is no such other one', async () => {
    const findConversation = async () => {
      throw new PipeError('input', 'no session nope')
    }
    const api = { findConversation, openConversation: () => Promise.reject(new PipeError('input', 'opened')) }
    const { type, commands, notes, store } = openConversation({ events: ['wait'], api })
    type('go')
    await expect.poll(() => store.screen.busySince).toBeDefined()
    type('/resume nope')
    await expect.poll(notes).toContain('no session nope')
    expect([commands, store.screen.busySince === undefined]).toEqual([[], false])
  })

  it('leaves this one on the screen if it does not open', async () => {
    const undo = async () => 'undid: it'
    const { type, opened, opening, transcript, notes } = change({ undo })
    opening.fail = new PipeError('input', 'no session zzz')
    opened.resolve()
    type('/clear')
    await expect.poll(notes).toEqual(['no session zzz'])
    type('hi')
    await expect.poll(() => transcript.map((entry) => entry.type)).toEqual(['header', 'note', 'user'])
    type('/undo')
    await expect.poll(notes).toEqual(['no session zzz', 'undid: it'])
  })
})
