import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launch, visit } from './browser.ts'
import { sampleViews, serveView } from './sample-views.ts'

/** Changes the address just before the app, the second one to listen, can hear of it. */
const changeEarly = `
  const listen = window.addEventListener
  let listeners = 0
  window.addEventListener = (type, ...more) => {
    if (type === 'hashchange' && ++listeners === 2) {
      history.replaceState(null, '', '#/session/s1')
      dispatchEvent(new HashChangeEvent('hashchange'))
    }
    listen.call(window, type, ...more)
  }`

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
    await page.addInitScript(changeEarly)
    await page.goto(`${server.url}/#token=T`)
    await running.open(page)
    expect(page.url()).toBe(`${server.url}/#/session/s1`)
  })
})
