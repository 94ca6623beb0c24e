import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

const executablePath = '/usr/bin/chromium'

/** Whether a browser is installed. Without one these tests are skipped. */
export const hasBrowser = existsSync(executablePath)

/** Keeps the browser from calling home. */
const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

export const launch = (): Promise<Browser> => chromium.launch({ executablePath, args })

/** Starts a browser with a profile in a folder, which goes with it. */
export const launchProfile = (): Promise<BrowserContext> =>
  chromium.launchPersistentContext('', { executablePath, args })

export interface Look {
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  /** A phone has a thumb and no keyboard. */
  readonly isPhone?: boolean
}

/** A page, with all that it did but should not: requests elsewhere, refusals of the policy, scripts, dialogs, errors. */
export interface Watched {
  readonly page: Page
  readonly faults: readonly string[]
}

/** Opens an address in a browser of its own, without cookies and storage. It is closed after the test. */
export async function visit(
  browser: Browser,
  url: string,
  { width = 1280, height = 800, colorScheme = 'light', isPhone = false }: Look = {},
): Promise<Watched> {
  const viewport = { width, height }
  const context = await browser.newContext({ viewport, colorScheme, isMobile: isPhone, hasTouch: isPhone })
  onTestFinished(() => context.close())
  // A busy machine takes long; a test that hangs is ended anyway.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const faults: string[] = []
  const { origin } = new URL(url)
  await page.exposeFunction('ran', () => faults.push('a script ran'))
  page.on('request', (request) => {
    const asked = request.url()
    if (!asked.startsWith(`${origin}/`) && !asked.startsWith('data:')) faults.push(`asked for ${asked}`)
  })
  page.on('dialog', (dialog) => faults.push(`dialog ${dialog.message()}`))
  page.on('pageerror', (error) => faults.push(`threw ${error.message}`))
  page.on('popup', (popup) => faults.push(`opened ${popup.url()}`))
  page.on('console', (message) => {
    // A server that is gone, and a refusal, are what some tests are about.
    if (!message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  await page.goto(url)
  return { page, faults }
}
