import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { type Clock, sleepBy } from '../../clock.ts'
import { createNewId } from '../../id.ts'
import { App } from './app.tsx'
import { Drafts } from './drafts.ts'
import { noLists } from './lists.ts'
import { PageContext, type PageParts } from './page-parts.ts'
import { addressOf, readPath } from './page-route.ts'
import { QuestionNotices } from './question-notices.ts'
import { type NextFrame, Store } from './store.ts'
import { TokenView } from './views/token-view.tsx'
import { Wakes } from './wakes.ts'
import { createApi } from './wire/api.ts'
import { TokenStore } from './wire/token.ts'

/** Opens the page in a browser. The only place that knows the browser's globals. */
export function openPage(window: Window & typeof globalThis, place: Element): void {
  const { home, route } = readPath(window.location.pathname)
  const tokens = new TokenStore(window, home)
  const shown = route.type === 'list' ? '' : addressOf(route)
  window.history.replaceState(null, '', `${home}${window.location.hash || shown}`)
  const opened: Opened = { window, home, root: createRoot(place), tokens }
  window.addEventListener('hashchange', () => {
    if (tokens.take(window)) show(opened, false)
  })
  show(opened, false)
}

interface Opened {
  readonly window: Window & typeof globalThis
  /** The path of the page, which ends with `/`. */
  readonly home: string
  readonly root: Root
  readonly tokens: TokenStore
}

function show(opened: Opened, isRefused: boolean): void {
  const { window, root, tokens } = opened
  const { token } = tokens
  if (token === '' || isRefused) {
    const keep = (given: string) => {
      tokens.keep(given)
      show(opened, false)
    }
    root.render(<TokenView isRefused={isRefused} onToken={keep} />)
    return
  }
  const parts = makeParts(opened, () => show(opened, true))
  root.render(
    <StrictMode>
      <PageContext key={token} value={parts}>
        <App window={window} />
      </PageContext>
    </StrictMode>,
  )
}

function makeParts({ window, home, tokens: { token } }: Opened, onRefused: () => void): PageParts {
  const clock = browserClock(window)
  const nextFrame: NextFrame = (action) => void window.requestAnimationFrame(action)
  const random = (bytes: number) => window.crypto.getRandomValues(new Uint8Array(bytes))
  return {
    api: createApi({ fetch: window.fetch.bind(window), home, token, onRefused }),
    clock,
    newId: createNewId(random, clock.now),
    drafts: new Drafts(window),
    lists: new Store(noLists, nextFrame),
    wakes: new Wakes(window),
    notices: new QuestionNotices(window),
    nextFrame,
    colouring: once(async () => (await import('./transcript/colouring.ts')).createColouring()),
    readFile: async (file) => (await import('./files/read-file.ts')).readSentFile(file, window),
    hasKeyboard: window.matchMedia('(hover: hover) and (pointer: fine)').matches,
  }
}

/** Makes a value when it is first asked for; again if that failed. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

function browserClock(window: Window & typeof globalThis): Clock {
  const after: Clock['after'] = (ms, action) => {
    const timer = window.setTimeout(action, ms)
    return () => window.clearTimeout(timer)
  }
  return {
    now: () => window.Date.now(),
    monotonic: () => window.performance.now(),
    sleep: sleepBy(after),
    after,
    every: (ms, action) => {
      const timer = window.setInterval(action, ms)
      return () => window.clearInterval(timer)
    },
  }
}
