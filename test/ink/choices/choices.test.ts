import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { BackgroundCommand } from '../../../src/frontend/background-commands.ts'
import type { FrontendApi } from '../../../src/frontend/conversation-view.ts'
import type { OfferedModel } from '../../../src/frontend/offered-model.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import type { ThinkingLevel } from '../../../src/provider.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'
import { plain } from '../screen-text.ts'
import { openConversation } from '../scripted-conversation.ts'

/** Opens a conversation whose screen is read and whose keys are pressed. */
function open(api: Partial<FrontendApi>) {
  const opened = openConversation({ api })
  const { controller, store } = opened
  const live = () => plain(drawLive(store.screen)).join('\n')
  const keys = (...names: readonly string[]) => {
    for (const name of names) controller.key({ type: 'press', name })
  }
  const until = (pattern: RegExp) => expect.poll(live).toMatch(pattern)
  const write = (text: string) => controller.key({ type: 'text', text })
  return { ...opened, live, keys, until, write }
}

const unused = () => Promise.reject(new Error('not expected'))
const newId = countingIds()
const thinking: OfferedModel['facts'] = { thinking: { type: 'effort', levels: ['low', 'high'] } }
const offered: readonly OfferedModel[] = [
  { name: 'test/small', facts: { contextWindow: 1_000, price: { input: 0, output: 0 } } },
  { name: 'test/large', facts: { ...thinking, contextWindow: 200_000, price: { input: 3, output: 15 } } },
]
const locked: OfferedModel = { name: 'acme/gold', facts: {}, missing: 'no key: /login acme', needsKey: true }
const asleep: OfferedModel = { name: 'local/…', facts: {}, missing: 'not running' }

/** Opens a conversation with models, of which `chosen` collects those that it switches to. */
function openModels(more: Partial<FrontendApi> = {}) {
  const chosen: string[] = []
  let level: ThinkingLevel | undefined
  const opened = open({
    models: async function* () {
      yield offered
      yield [locked, asleep]
    },
    usualModels: async () => ['test/small', 'test/large:high'],
    chooseModel: async (name) => {
      chosen.push(name)
      const [, model = name, named] = /^(.*?)(?::(low|high))?$/.exec(name) ?? []
      level = named === 'low' || named === 'high' ? named : undefined
      return model
    },
    thinking: {
      level: () => level,
      levels: () => ['low', 'high'],
      set: (wanted) => {
        level = wanted
      },
    },
    ...more,
  })
  return { ...opened, chosen }
}

describe('the choice of a model', () => {
  it('lists usable models by provider, the rest in one row, and switches with a level of thinking', async () => {
    const { type, until, keys, live, notes, chosen, store } = openModels()
    type('/model')
    await until(/2 of 4 models\n/)
    expect(live().split('\n').slice(1, 10)).toEqual([
      ...['Which model?  2 of 4 models', '›', '  test'],
      '❯   small ✓                     1k context      free',
      '    large                     200k context  $3 / $15  thinks',
      ...['  … 2 more need a key or a server', '', '  1k context · free', '  test/small'],
    ])
    keys('down', 'right', 'right', 'enter')
    await expect.poll(notes).toEqual(['model: test/large, thinking high'])
    expect([chosen, store.screen.status.model, store.screen.status.thinking]).toEqual([
      ...[['test/large:high'], 'test/large', 'high'],
    ])
  })

  it('unfolds the rest, asks for a missing key first, and says why a local server has none', async () => {
    const stored: string[] = []
    const keyStore = async () => ({
      providers: () => [{ name: 'acme' }],
      check: () => undefined,
      providerOf: () => undefined,
      store: async (provider: string, key: string) => {
        stored.push(`${provider} ${key}`)
        return 'stored'
      },
    })
    const { type, until, keys, write, notes, chosen } = openModels({ keys: keyStore })
    type('/model')
    await until(/❯ {3}small[\s\S]* 2 more/)
    keys('end', 'right')
    await until(
      /Which model\?\n[\s\S]* acme · needs a key\n❯ {3}gold[\s\S]* local · not running\n {4}all its models/,
    )
    keys('end', 'enter')
    await expect.poll(notes).toEqual(['local: not running'])
    type('/model')
    await until(/ 2 more/)
    write('gold')
    await until(/ 1 of 4 models\n› gold\n {2}acme · needs a key\n❯ {3}gold/)
    keys('enter')
    await until(/Your key for acme\nacme\/gold needs it\./)
    keys('esc')
    const lacking = 'acme/gold needs a key: /login acme asks for it again'
    await expect.poll(notes).toEqual(['local: not running', lacking])
    type('/model')
    await until(/ 2 more/)
    write('gold')
    keys('enter')
    await until(/Your key for acme/)
    write('k-1')
    keys('enter')
    await expect.poll(notes).toEqual(['local: not running', lacking, 'stored', 'model: acme/gold'])
    expect([stored, chosen]).toEqual([['acme k-1'], ['acme/gold']])
  })

  it('shows all if none is usable', async () => {
    const models = async function* () {
      yield [locked]
    }
    const { type, until } = openModels({ models })
    type('/model')
    await until(/Which model\?\n›\n {2}acme · needs a key\n❯ {3}gold\n/)
  })

  it('goes on to the next of the usual models by Ctrl+P, without a note', async () => {
    const { keys, notes, chosen, store } = openModels()
    keys('ctrl+p')
    await expect.poll(() => store.screen.status.model).toBe('test/large')
    keys('ctrl+p')
    await expect.poll(() => store.screen.status.model).toBe('test/small')
    expect([chosen, notes()]).toEqual([['test/large:high', 'test/small'], []])
  })

  it('says that there is no other model to switch to', async () => {
    const { keys, notes } = openModels({ usualModels: async () => ['test/small'] })
    keys('ctrl+p')
    await expect.poll(notes).toEqual(['there is no other model to switch to: /model lists them all'])
  })
})

it('/thinking sets the level, or lists those of the model', async () => {
  const { type, until, keys, notes, store } = openModels()
  type('/thinking low')
  await expect.poll(notes).toEqual(['thinking: low, from the next request on'])
  type('/thinking')
  await until(/❯ low ✓\n {2}high/)
  keys('down', 'enter')
  await expect.poll(() => store.screen.status.thinking).toBe('high')
})

describe('/theme', () => {
  const openThemes = () => {
    const saved: string[] = []
    const saveTheme = async (theme: string) => {
      saved.push(theme)
      return `saved ${theme}`
    }
    return { ...open({ saveTheme }), saved }
  }

  it('shows each theme while it has the focus, and the one before when the user leaves', async () => {
    const { type, until, keys, store, saved } = openThemes()
    type('/theme')
    await until(/❯ auto ✓/)
    const seen = ['down', 'down', 'down', 'down', 'up'].map((name) => {
      keys(name)
      return store.screen.theme
    })
    expect(seen).toEqual(['dark', 'light', 'ansi', 'none', 'ansi'])
    keys('esc')
    expect([store.screen.theme, store.screen.picker, saved]).toEqual(['dark', undefined, []])
  })

  it('saves the chosen one, and says where', async () => {
    const { type, until, keys, store, notes, saved } = openThemes()
    type('/theme')
    await until(/❯ auto/)
    keys('down', 'down', 'enter')
    await expect.poll(notes).toEqual(['saved light'])
    type('/theme lihgt')
    await expect.poll(notes).toContain('no theme lihgt: did you mean light?')
    type('/theme none')
    await expect.poll(() => saved).toEqual(['light', 'none'])
    expect(store.screen.theme).toBe('none')
  })
})

describe('/processes', () => {
  const running: BackgroundCommand = { id: 'p1', command: 'npm run dev', startedAt: 0, lastLine: 'ready' }
  const ended: BackgroundCommand = { id: 'p2', command: 'make', startedAt: 0, ending: 'exit code 2' }

  function openProcesses(commands: readonly BackgroundCommand[]) {
    const stopped: string[] = []
    const list = () =>
      commands.map((one) => (stopped.includes(one.id) ? { ...one, ending: 'ended by SIGTERM' } : one))
    const stop = async (id: string) => void stopped.push(id)
    const output = (id: string) => `${id} said\nthis\u001b[2J\n`
    return { ...open({ background: { list, stop, output } }), stopped }
  }

  it('lists them, those that run first; x stops one, and Enter shows what it wrote', async () => {
    const { type, until, keys, write, notes, stopped } = openProcesses([ended, running])
    type('/bash')
    await until(
      /❯ p1 {2}npm run dev[\s\S]* {2}p2 {2}make[\s\S]*x stops it · Enter shows its output · Esc closes/,
    )
    write('y')
    write('x')
    await until(/p1 {2}npm run dev +ended by SIGTERM/)
    expect(stopped).toEqual(['p1'])
    keys('enter')
    await expect.poll(notes).toEqual([expect.stringMatching(/^p[12] .*\np[12] said\nthis$/)])
  })

  it('says that there are none', async () => {
    const { type, notes } = openProcesses([])
    type('/processes')
    await expect.poll(notes).toEqual(['no command is running in the background'])
  })
})

describe('/login', () => {
  const openLogin = (refused: readonly string[] = []) => {
    const stored: string[] = []
    const keys = async () => ({
      providers: () => [{ name: 'acme', source: 'ACME_KEY' }, { name: 'zeta' }],
      check: (provider: string) => {
        if (provider === 'nosuch') throw new PipeError('config', `unknown provider ${provider}`)
      },
      providerOf: (key: string) => (key.startsWith('ac-') ? 'acme' : undefined),
      store: async (provider: string, key: string) => {
        if (refused.includes(key)) throw new PipeError('auth', `${provider} does not take this key`)
        stored.push(`${provider} ${key}`)
        return `stored for ${provider}`
      },
    })
    return { ...open({ keys }), stored }
  }

  it('stores a key that is never shown, for the provider that its beginning tells', async () => {
    const { type, until, keys, controller, live, stored, notes } = openLogin()
    type('/login')
    await until(/Your key/)
    controller.key({ type: 'paste', text: ' ac-123456789\n' })
    keys('backspace')
    expect(live()).toMatch(/› •{11}$/m)
    expect(live()).not.toContain('ac-')
    keys('enter')
    await expect.poll(notes).toEqual(['stored for acme'])
    expect(stored).toEqual(['acme ac-12345678'])
  })

  it('asks whose it is if that does not tell', async () => {
    const { type, until, keys, write, stored } = openLogin()
    type('/login')
    await until(/Your key/)
    write('xyz')
    keys('enter')
    await until(/Whose key is it\?[\s\S]*acme +has one: ACME_KEY/)
    keys('down', 'enter')
    await expect.poll(() => stored).toEqual(['zeta xyz'])
  })

  it('asks for no key of a provider that does not exist', async () => {
    const { type, store, notes } = openLogin()
    type('/login nosuch')
    await expect.poll(notes).toEqual(['unknown provider nosuch'])
    expect(store.screen.secret).toBeUndefined()
  })

  it('asks again if the provider refuses it; Esc stores nothing', async () => {
    const { type, until, keys, write, live, stored, notes, store } = openLogin(['bad'])
    type('/login acme')
    await until(/Your key for acme/)
    write('bad')
    keys('enter')
    await until(/acme does not take this key/)
    write('good')
    expect(live()).toMatch(/› •{4}$/m)
    keys('esc')
    expect([store.screen.secret, stored, notes()]).toEqual([undefined, [], []])
  })
})

describe('/resume', () => {
  const [fix, explain] = [newId.session(), newId.session()]
  const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' }

  async function* sessions() {
    yield { ...times, id: fix, opening: 'fix it' }
    yield { ...times, id: explain, opening: 'explain it' }
  }

  it('shows the last words of the conversation that has the focus', async () => {
    const sessionPreview = async (id: string) => {
      if (id === explain) throw new PipeError('input', 'it is damaged')
      return { messages: 4, model: 'test/large', asked: 'and the tests?', answered: 'They pass.' }
    }
    const { type, until, keys } = open({ sessions, sessionPreview, openConversation: unused })
    type('/resume')
    await until(/❯ fix it[\s\S]*4 messages · test\/large\n {2}› and the tests\?\n {2}They pass\./)
    keys('down')
    await until(/❯ explain it[^\n]*\n\n {2}explain it\n/)
  })

  it('sorts by last use, name and size, and hides replays until they are asked for', async () => {
    const made = (opening: string, day: number, size: number) => ({
      id: newId.session(),
      createdAt: times.createdAt,
      updatedAt: `2026-01-0${day}T00:00:00Z`,
      opening,
      size,
    })
    const listed = async function* () {
      yield { ...made('played', 4, 1), model: 'replay//script.json' }
      yield* [made('mend it', 3, 100), made('add it', 2, 300), made('drop it', 1, 200)]
    }
    const { type, until, keys, live } = open({ sessions: listed, openConversation: unused })
    type('/resume')
    await until(
      /conversation\? {2}3 of 4 sessions\n›\n❯ mend [\s\S]* add [\s\S]* drop [\s\S]* 1 replay hidden\n/,
    )
    expect(live()).toContain('Ctrl+S sorts by name')
    keys('ctrl+s')
    await until(/ 3 of 4 sessions, by name\n›\n❯ add [\s\S]* drop [\s\S]* mend [\s\S]* 1 replay hidden\n/)
    keys('ctrl+s')
    await until(/, by size\n›\n❯ add [\s\S]* drop [\s\S]* mend /)
    keys('ctrl+s')
    await until(/ 3 of 4 sessions\n›\n❯ mend /)
    keys('end')
    expect(live()).toContain('Enter shows them')
    keys('enter')
    await until(/conversation\?\n›\n❯ played [\s\S]* mend [\s\S]* drop /)
  })

  it('has all folders behind Tab, those of this one first', async () => {
    const elsewhere = async function* () {
      const [moved, other] = [newId.session(), newId.session()]
      yield { ...times, id: moved, opening: 'moved', cwd: '/tree', isOfRepository: true }
      yield { ...times, id: other, opening: 'other', cwd: '/plain', isOfRepository: false }
    }
    const { type, until, keys } = open({ sessions, sessionsElsewhere: elsewhere, openConversation: unused })
    type('/resume')
    await until(/❯ fix it[\s\S]*Tab all folders/)
    keys('tab')
    await until(
      /Continue which, of all folders\?\n›\n {2}this folder\n❯ {3}fix it [\s\S]* {2}this repository elsewhere\n {4}moved [^\n]* tree\n {2}other folders\n {4}other [^\n]* plain\n[\s\S]*Tab this folder/,
    )
    keys('tab')
    await until(/❯ fix it[\s\S]*Tab all folders/)
  })
})

it('a prompt that is a command is sent as a message', async () => {
  const said: string[] = []
  const { type } = openConversation({
    api: {
      prompts: () => [{ name: 'fix', description: 'fix it', text: 'Fix $ARGUMENTS.', source: 'yours' }],
      compose: (words) => {
        said.push(words)
        return user(text(words))
      },
    },
  })
  type('/fix the parser')
  await expect.poll(() => said).toEqual(['Fix the parser.'])
})
