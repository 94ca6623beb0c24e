import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launch, visit } from './browser.ts'
import { sampleViews, serveView } from './sample-views.ts'

/** A folder for a picture of each view, for people who judge its looks. */
const pictures = process.env['PICTURES']

const looks = [
  { width: 390, height: 844, isPhone: true },
  { width: 1280, height: 800, isPhone: false },
].flatMap((size) => (['light', 'dark'] as const).map((colorScheme) => ({ ...size, colorScheme })))

/** Finds what keeps people out, as `rule: element`. */
const search = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary)))`

describe.skipIf(!hasBrowser)('each view of the page', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())

  it.each(sampleViews)('$name keeps nobody out, in both schemes and at both widths', async (view) => {
    const server = await serveView(view)
    for (const look of looks) {
      const { page, faults } = await visit(browser, `${server.url}/#token=T`, look)
      await page.goto(`${server.url}/${view.hash}`)
      await view.open(page)
      if (pictures !== undefined) {
        const path = `${pictures}/${view.name} ${look.width} ${look.colorScheme}.png`
        await page.screenshot({ path, animations: 'disabled' })
      }
      await page.evaluate(axe.source)
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      const found = await page.evaluate<readonly string[]>(search)
      expect({ look, isWide, found, faults }).toEqual({ look, isWide: false, found: [], faults: [] })
      await page.context().close()
    }
  })
})
