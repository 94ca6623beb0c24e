import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeSession } from '../../../src/json/documents/encode-document.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { hostileSession } from '../../support/sessions/hostile-session.ts'

const executablePath = '/usr/bin/chromium'

/** Keeps the browser from calling home. */
const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** A page, with all that it tried to do. */
interface Watched {
  readonly page: Page
  readonly attempts: string[]
}

describe.skipIf(!existsSync(executablePath))('the page of a hostile conversation, in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args })
  })
  afterAll(() => browser.close())

  /** Opens a file as a reader does. Scripts may run: only the page itself prevents them. */
  async function open(path: string, width: number, colorScheme: 'light' | 'dark'): Promise<Watched> {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
    const page = await context.newPage()
    const attempts: string[] = []
    await page.exposeFunction('ran', () => attempts.push('a script'))
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) attempts.push(request.url())
    })
    page.on('console', (message) => attempts.push(message.text()))
    page.on('dialog', (dialog) => attempts.push(dialog.message()))
    await page.goto(`file://${path}`, { waitUntil: 'networkidle' })
    return { page, attempts }
  }

  it('runs no script, asks nothing of the network, fits its width, and folds', async () => {
    const world = await openWorld()
    await mkdir(join(world.home, 'sessions'), { recursive: true })
    const session = encodeSession(hostileSession())
    await writeFile(join(world.home, 'sessions/hostile.json'), JSON.stringify(session))
    expectRun(await world.pipe(['sessions', 'export', 'hostile', 'page.html']), { stdout: '' })
    const path = join(world.cwd, 'page.html')
    const papers = new Set<unknown>()
    for (const width of [390, 1280])
      for (const scheme of ['light', 'dark'] as const) {
        const { page, attempts } = await open(path, width, scheme)
        expect(attempts).toEqual([`file://${path}`])
        const calls = page.locator('details.call')
        expect(await calls.count()).toBe(3)
        expect(await calls.first().locator('.body').isVisible()).toBe(false)
        await calls.first().locator('summary').focus()
        await page.keyboard.press('Enter')
        expect(await calls.first().locator('.body').isVisible()).toBe(true)
        await page.keyboard.press('Enter')
        expect(await calls.first().locator('.body').isVisible()).toBe(false)
        for (const summary of await page.locator('summary').all()) await summary.click()
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        expect(await page.locator('script, svg, [onerror], [onload], [onclick]').count()).toBe(0)
        const loaded = '[...document.images].map(({ naturalWidth }) => naturalWidth)'
        expect(await page.evaluate(loaded)).toEqual([1, 1])
        expect(attempts).toEqual([`file://${path}`])
        papers.add(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
        await page.context().close()
      }
    expect(papers.size).toBe(2)
  })
})
