import { describe, expect, it } from 'vitest'
import type { FrontendApi, WorkspaceFiles } from '../../../src/frontend/conversation-view.ts'
import type { SessionId } from '../../../src/id.ts'
import { shownCompletion } from '../../../src/ink/completion/completion.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import type { Interaction } from '../../../src/interaction.ts'
import type { SessionSummary } from '../../../src/session.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { assistant, text, user } from '../../support/messages/messages.ts'
import { plain } from '../screen-text.ts'
import { openConversation, type Setup } from '../scripted-conversation.ts'

const press = (name: string): Key => ({ type: 'press', name })

/** The files of a folder. `read` counts how often they were listed. */
function folderOf(paths: readonly string[]): WorkspaceFiles & { readonly read: () => number } {
  let read = 0
  return {
    read: () => read,
    list: async function* () {
      read += 1
      yield* paths
    },
    newest: async (some) => some.toReversed(),
    nameOf: (path) => (path.startsWith('/elsewhere') ? undefined : path),
  }
}

/** Opens a conversation and types into it. */
function open(api: Partial<FrontendApi>, setup: Setup = {}) {
  const opened = openConversation({ ...setup, api })
  const { controller, store, clock } = opened
  /** Returns the rows of the prompt and its list. */
  const live = () => plain(drawLive(store.shown().screen)).filter((row) => /^[›❯ ] /.test(row))
  const settle = async () => {
    // The list may need a module, the files, and several slices of work.
    for (let i = 0; i < 20; i++) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      clock.advance(0)
    }
  }
  const type = async (script: string) => {
    for (const part of script.match(/<[^>]+>|[^<]+/g) ?? []) {
      if (part.startsWith('<')) controller.key(press(part.slice(1, -1)))
      else for (const letter of part) controller.key({ type: 'text', text: letter })
      await settle()
    }
  }
  /** Types, and waits until the list holds this item. */
  const typeUntil = async (script: string, label: string) => {
    await type(script)
    await expect
      .poll(() => shownCompletion(store.screen)?.items.map((item) => item.label) ?? [])
      .toContain(label)
  }
  return { ...opened, live, type, typeUntil, draft: () => store.screen.prompt.text }
}

const source = folderOf(['src/parser.ts', 'src/parser/csv.ts', 'my notes.md', 'README.md'])

describe('the list of commands', () => {
  it('shows those that match what is typed, with their help, and takes the chosen one', async () => {
    const { live, typeUntil, type, draft } = open({ setMode: async () => undefined })
    await typeUntil('/mo', '/mode')
    expect(live()).toEqual(['› /mo', '❯ /mode  show the permission mode, or set another: ask, acc…'])
    await type('<tab>')
    expect(draft()).toBe('/mode ')
  })

  it('tells how many there are where not all are shown', async () => {
    const { live, typeUntil, store } = open({})
    store.dispatch({ type: 'resized', size: { columns: 60, rows: 14 } })
    await typeUntil('/', '/help')
    const count = shownCompletion(store.screen)?.items.length ?? 0
    expect(count).toBeGreaterThan(5)
    expect(live().slice(6)).toEqual([`  5 of ${count}`])
  })

  it('goes on with the values of the argument, and Enter takes one that was not written whole', async () => {
    const modes: string[] = []
    const { typeUntil, type, draft } = open({
      readMode: (word) => (word === 'plan' ? 'plan' : undefined),
      setMode: async (mode) => void modes.push(mode),
    })
    await typeUntil('/mode p', 'plan')
    await type('<enter>')
    expect([draft(), modes]).toEqual(['/mode plan', []])
    await type('<enter>')
    expect([draft(), modes]).toEqual(['', ['plan']])
  })

  it('leaves Enter to a whole command, and to one whose argument may be left out', async () => {
    const { typeUntil, type, notes, draft } = open({
      setMode: async () => undefined,
      sessions: async function* () {
        yield { id: 'aaaa' as SessionId, createdAt: '', updatedAt: '', title: 'Fix the parser' }
      },
      openConversation: () => Promise.reject(new Error('not chosen')),
    })
    await typeUntil('/mode', '/mode')
    await type('<enter>')
    expect([draft(), notes()]).toEqual(['', ['mode: ask']])
  })

  it('shows for one letter the commands that begin with it', async () => {
    const { store, typeUntil } = open({ setMode: async () => undefined })
    await typeUntil('/c', '/compact')
    const labels = shownCompletion(store.screen)?.items.map(({ label }) => label) ?? []
    expect(labels.filter((label) => !label.startsWith('/c'))).toEqual([])
  })
})

describe('the list of values', () => {
  it('grows while more are found, whatever is typed meanwhile, and Enter sends another value', async () => {
    const gate = deferred()
    const chosen: string[] = []
    const { typeUntil, type, store } = open({
      models: async function* () {
        yield [{ name: 'acme/small', facts: {} }]
        await gate.promise
        yield [{ name: 'acme/smallest', facts: {}, missing: 'no key' }]
      },
      chooseModel: async (name) => {
        chosen.push(name)
        return name
      },
    })
    await typeUntil('/model ', 'acme/small')
    await type('sma')
    gate.resolve()
    await typeUntil('l', 'acme/smallest')
    expect(shownCompletion(store.screen)?.items).toMatchObject([
      { label: 'acme/small' },
      { label: 'acme/smallest', help: 'no key' },
    ])
    await type('<enter>')
    expect(chosen).toEqual(['smal'])
  })
})

describe('the list of files', () => {
  it('finds files and folders by their letters, the best first', async () => {
    const { live, typeUntil } = open({ files: source })
    await typeUntil('see @par', 'src/parser/csv.ts')
    expect(live()).toEqual(['› see @par', '❯ src/parser/', '  src/parser.ts', '  src/parser/csv.ts'])
  })

  it('moves with the arrows and Ctrl+N and Ctrl+P, and Enter takes the file', async () => {
    const { typeUntil, type, draft } = open({ files: source })
    await typeUntil('see @par', 'src/parser/csv.ts')
    await type('<down><ctrl+n><down><up><up><ctrl+p><down><enter>')
    expect(draft()).toBe('see @src/parser.ts ')
  })

  it('opens a folder, and quotes a path with a space', async () => {
    const { typeUntil, type, draft } = open({ files: source })
    await typeUntil('@parser/', 'src/parser/')
    await type('<tab>')
    expect(draft()).toBe('@src/parser/')
    await typeUntil('<down>', 'src/parser/csv.ts')
    await type('<tab>')
    expect(draft()).toBe('@src/parser/csv.ts ')
    await typeUntil('@note', 'my notes.md')
    await type('<tab>')
    expect(draft()).toBe('@src/parser/csv.ts @"my notes.md" ')
  })

  it('begins with the files that the conversation touched, then the newest', async () => {
    const call = (name: string, path: string) =>
      ({ type: 'tool_call', id: path, name, arguments: { path } }) as const
    const history = [
      user(text('look at @README.md')),
      assistant(call('read', 'src/parser.ts'), call('bash', 'no.ts'), call('edit', '/elsewhere/a.ts')),
    ]
    const { live, typeUntil } = open({ files: source }, { history })
    await typeUntil('@', 'my notes.md')
    expect(live()).toEqual(['› @', '❯ src/parser.ts', '  README.md', '  my notes.md', '  src/parser/csv.ts'])
  })

  it('closes with Esc, stays closed for this word, and opens again with Tab or for another word', async () => {
    const { store, typeUntil, type } = open({ files: source })
    await typeUntil('@par', 'src/parser.ts')
    await type('<esc>s')
    expect(shownCompletion(store.screen)).toBeUndefined()
    await typeUntil('<tab>', 'src/parser.ts')
    await type('<esc>')
    await typeUntil(' @par', 'src/parser.ts')
  })

  it('opens for the next message, though it was closed at the same place in the last one', async () => {
    const { typeUntil, type } = open({ files: source })
    await typeUntil('@par', 'src/parser.ts')
    await type('<esc><enter>')
    await typeUntil('@par', 'src/parser.ts')
  })

  it('leaves a message from the history alone until Tab asks for the list', async () => {
    const { store, typeUntil, type, draft } = open({ files: source })
    await type('one<enter>see @par')
    await type('<esc><enter><up>')
    expect([draft(), shownCompletion(store.screen)]).toEqual(['see @par', undefined])
    await type('<up>')
    expect(draft()).toBe('one')
    await type('<down>')
    await typeUntil('<tab>', 'src/parser.ts')
  })

  it('takes no key while a question is open', async () => {
    const { store, typeUntil, type, draft } = open({ files: source })
    await typeUntil('@par', 'src/parser.ts')
    const interaction: Interaction = {
      id: countingIds().interaction(),
      kind: 'confirm',
      purpose: 'confirm_risky_action',
      display: { title: 'Go?' },
      options: [{ id: 'no', label: 'No', isDefault: true }],
    }
    store.dispatch({ type: 'asked', interaction })
    expect(shownCompletion(store.screen)).toBeUndefined()
    await type('<tab>')
    expect(draft()).toBe('@par')
  })

  it('reads the files once while a word is written, and again for a later one', async () => {
    const files = folderOf(['a.ts', 'b.ts'])
    const { typeUntil, type, clock } = open({ files })
    await typeUntil('@a', 'a.ts')
    clock.advance(60_000)
    await type('.ts')
    expect(files.read()).toBe(1)
    await typeUntil(' @b', 'b.ts')
    expect(files.read()).toBe(2)
  })

  it('offers agents and sessions too, and goes on behind their names', async () => {
    const earlier: SessionSummary = {
      id: countingIds().session(),
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      title: 'The parser',
    }
    const { typeUntil, type, draft, live } = open({
      files: source,
      agents: async () => [
        { name: 'explore', description: 'looks around' },
        { name: 'review', description: 'reads a change' },
      ],
      takesSessions: true,
      sessions: async function* () {
        yield earlier
      },
    })
    await typeUntil('let @ag', 'agent:')
    await type('<tab>')
    await typeUntil('r', 'review')
    expect(live()).toEqual(['› let @agent:r', '❯ review   reads a change', '  explore  looks around'])
    await type('<enter>')
    expect(draft()).toBe('let @agent:review ')
    await typeUntil('look at @session:pars', earlier.id)
    await type('<enter>')
    expect(draft()).toBe(`let @agent:review look at @session:${earlier.id} `)
  })

  it('offers neither where a message can name none', async () => {
    const { typeUntil, store } = open({ files: source })
    await typeUntil('@', 'README.md')
    expect(shownCompletion(store.screen)?.items.map(({ label }) => label)).not.toContain('agent:')
  })

  it('offers no file whose name would be shown as another', async () => {
    const { typeUntil, store } = open({ files: folderOf(['a\u001b[2J.ts', 'a\n.ts', 'a\u202e.ts', 'ab.ts']) })
    await typeUntil('@a', 'ab.ts')
    expect(shownCompletion(store.screen)?.items.map(({ label }) => label)).toEqual(['ab.ts'])
  })
})
