import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launch, visit } from './browser.ts'
import { sampleViews, serveView } from './sample-views.ts'

/** Opens a session between the first drawing and its effects, which a busy machine keeps apart: the clock always says that time is up. */
const openEarly = `
  let time = 0
  performance.now = () => (time += 10)
  new MutationObserver((_, observer) => {
    if (document.querySelector('.app') === null) return
    observer.disconnect()
    history.replaceState(null, '', '#/session/s1')
    dispatchEvent(new HashChangeEvent('hashchange'))
  }).observe(document, { childList: true, subtree: true })`

describe.skipIf(!hasBrowser)('the app', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())

  it('opens what the address names, also if that changes while the page is drawn first', async () => {
    const running = sampleViews.find(({ name }) => name === 'running')
    if (running === undefined) throw new Error('no such view')
    const server = await serveView(running)
    const { page } = await visit(browser, 'about:blank')
    await page.addInitScript(openEarly)
    await page.goto(`${server.url}/#token=T`)
    await running.open(page)
    expect(page.url()).toBe(`${server.url}/#/session/s1`)
  })
})
