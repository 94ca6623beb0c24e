import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { serveWorld } from '../../support/live/served.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { hasBrowser, type Look, launch, launchProfile, visit } from './browser.ts'
import { builtPage } from './scripted-server.ts'

/** The address that a person opens. */
const printed = ({ url, token }: { readonly url: string; readonly token: string }) => `${url}/#token=${token}`

/** Begins a session with a text, as the page does it. */
async function begin(page: Page, text: string): Promise<void> {
  await page.goto(new URL('/#/new', page.url()).href)
  await page.getByRole('textbox', { name: 'Text' }).fill(text)
  await page.getByRole('button', { name: 'Start a session' }).click()
  await page.locator('.prompt', { hasText: text }).waitFor()
}

async function send(page: Page, text: string): Promise<void> {
  await page.locator('.composer textarea').fill(text)
  await page.locator('.composer .primary').click()
}

describe.skipIf(!hasBrowser)('the page, in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())

  /** Serves a world with the built program and opens its page. */
  async function openPage(world: World, look?: Look) {
    const served = await serveWorld(world)
    return { served, ...(await visit(browser, printed(served), look)) }
  }

  it('answers a question by a click, and the turn of the program goes on', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('It is **made**.'))
    const { page, faults } = await openPage(world)
    await begin(page, 'make it')
    const card = page.locator('.question')
    await card.getByText('touch made', { exact: true }).waitFor()
    await expect.poll(() => page.title()).toBe('(1) pipe')
    expect(await page.locator('.list [role=status]').textContent()).toBe('1 question waits for you')
    await page.locator('.call', { hasText: 'waits for you' }).waitFor()
    await card.getByRole('button', { name: 'Yes, once' }).click()
    await page.locator('.reply strong', { hasText: 'made' }).waitFor()
    expect(existsSync(join(world.cwd, 'made'))).toBe(true)
    expect(await card.count()).toBe(0)
    await expect.poll(() => page.title()).toBe('pipe')
    await page.locator('button.summary', { hasText: 'touch made' }).click()
    await page.locator('.call .body', { hasText: 'No output.' }).waitFor()
    expect(faults).toEqual([])
  })

  it('passes on the reason for a no', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Then not.'))
    const { page } = await openPage(world, { width: 390, height: 844, isPhone: true })
    await begin(page, 'make it')
    await page.getByRole('button', { name: 'No, and say why' }).click()
    await page.getByLabel('Why not?').fill('the name is wrong')
    await page.locator('.words').getByRole('button', { name: 'Send' }).click()
    await page.locator('.reply', { hasText: 'Then not.' }).waitFor()
    const [, second] = world.server.requests
    expect(second && lastText(second.body)).toContain('the name is wrong')
    await page.locator('.call', { hasText: 'you said no' }).waitFor()
    expect(existsSync(join(world.cwd, 'made'))).toBe(false)
  })

  it('colours code and diffs', async () => {
    const world = await openWorld()
    await world.put('a.ts', 'const a = 1\n')
    const edit = { path: 'a.ts', edits: [{ old_text: '= 1', new_text: '= 2' }] }
    world.server.reply(use(['read', { path: 'a.ts' }]), use(['edit', edit]), say('```ts\nconst a = "b"\n```'))
    const { page, faults } = await openPage(world)
    await begin(page, 'change it')
    await page.getByRole('button', { name: 'Yes, once' }).click()
    await page.locator('.reply .code-keyword', { hasText: 'const' }).waitFor()
    const colour = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).color`)
    expect(await colour('.reply .code-keyword')).not.toBe(await colour('.reply .code'))
    expect(await page.locator('.reply .code-string').textContent()).toBe('"b"')
    await page.locator('button.summary', { hasText: 'edit' }).click()
    await page.locator('.diff .added', { hasText: '= 2' }).waitFor()
    expect(await colour('.diff .added .mark')).not.toBe(await colour('.diff .removed .mark'))
    expect(await page.locator('.diff .added mark').allTextContents()).toEqual(['2'])
    await page.getByRole('button', { name: 'Changes' }).click()
    await page.locator('.sheet .added', { hasText: '= 2' }).waitFor()
    await page.getByRole('button', { name: 'All turns' }).click()
    await page.locator('.sheet .added', { hasText: '= 2' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.sheet').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Changes' }).and(page.locator(':focus')).waitFor()
    expect(faults).toEqual([])
  })

  it('sends files that fit with a message, and says why others are not taken', async () => {
    const world = await openWorld()
    world.server.reply(say('I see.'))
    const { page, faults } = await openPage(world, { width: 390, height: 844, isPhone: true })
    await page.goto(new URL('/#/new', page.url()).href)
    const [, icon = Buffer.alloc(0)] = [...builtPage()].find(([name]) => name.startsWith('icon512')) ?? []
    await page.locator('main input[type=file]').setInputFiles([
      { name: 'shelf.png', mimeType: 'image/png', buffer: Buffer.from(icon) },
      { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('the shelf is red') },
      { name: 'a.bin', mimeType: '', buffer: Buffer.from([1, 0, 2]) },
      { name: 'long.log', mimeType: '', buffer: Buffer.alloc(300_000, 'x') },
    ])
    const fault = page.getByRole('alert')
    await fault.filter({ hasText: 'long.log has 300 kB; a text file can have at most 262 kB.' }).waitFor()
    await fault.filter({ hasText: 'a.bin is not text, an image or a PDF.' }).waitFor()
    await page.getByRole('textbox', { name: 'Text' }).fill('what is this?')
    await page.getByRole('button', { name: 'Start a session' }).click()
    await page.locator('.reply', { hasText: 'I see.' }).waitFor()
    await page.locator('.prompt img').waitFor()
    await page.getByText(/attached shelf\.png · .*, notes\.md · 16 bytes/).waitFor()
    expect(JSON.stringify(world.server.requests[0]?.body)).toContain('the shelf is red')
    world.server.reply(say('Blue now.'))
    await page
      .locator('.composer input[type=file]')
      .setInputFiles({ name: 'more.md', mimeType: 'text/markdown', buffer: Buffer.from('it is blue') })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.reply', { hasText: 'Blue now.' }).waitFor()
    await page.locator('.files').waitFor({ state: 'detached' })
    expect(JSON.stringify(world.server.requests.at(-1)?.body)).toContain('it is blue')
    expect(faults).toEqual([])
  })

  it('chooses a model and its thinking by keyboard, and says why others cannot be used', async () => {
    const world = await openWorld()
    world.server.reply(say('Hello.'))
    const { page } = await openPage(world)
    await begin(page, 'hi')
    await page.locator('.reply', { hasText: 'Hello.' }).waitFor()
    const open = page.getByRole('button', { name: 'Model:' })
    await open.press('Enter')
    await page.getByText('no key: run pipe auth set openai where the server runs').waitFor()
    await page.getByLabel('Search models').fill('no such')
    await page.getByText('No model matches.').waitFor()
    await page.getByLabel('Search models').fill('')
    await page.getByRole('button', { name: 'high', exact: true }).press('Enter')
    await page.locator('button[aria-pressed="true"]', { hasText: /^high$/ }).waitFor()
    await page.locator('.models button').first().press('Enter')
    await page.locator('.sheet').waitFor({ state: 'detached' })
    await open.and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Model: model-1 high' }).waitFor()
    world.server.reply(say('Hm.'))
    await send(page, 'think')
    await page.locator('.reply', { hasText: 'Hm.' }).waitFor()
    expect(world.server.requests.at(-1)?.body['reasoning_effort']).toBe('high')
  })

  it('has one thing that scrolls in a question on a phone, and counts its end as seen a line before', async () => {
    const world = await openWorld()
    const command = `${'echo a line of a long command;\n'.repeat(200)}touch made`
    world.server.reply(use(['bash', { command }]), say('Done.'))
    const { page } = await openPage(world, { width: 390, height: 844, isPhone: true })
    await begin(page, 'make it')
    await page.locator('.question').waitFor()
    const scrolling = await page.evaluate<readonly string[]>(`
      [document.querySelector('.question'), ...document.querySelectorAll('.question *')]
        .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
        .filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowY))
        .map(({ className }) => className)`)
    expect(scrolling).toEqual(['asked-about'])
    const yes = page.getByRole('button', { name: 'Yes, once' })
    expect(await yes.isDisabled()).toBe(true)
    // Up to where the last line has begun to show above the answers.
    await page.evaluate(`{
      const card = document.querySelector('.asked-about')
      const end = document.querySelector('.question .end')
      card.scrollTop += end.getBoundingClientRect().top - card.getBoundingClientRect().bottom + 4
    }`)
    await expect.poll(() => yes.isDisabled()).toBe(false)
  })

  it('allows a long command only once its end was shown', async () => {
    const world = await openWorld()
    const command = `${'echo a line of a long command;\n'.repeat(200)}touch made`
    world.server.reply(use(['bash', { command }]), say('Done.'))
    const { page } = await openPage(world, { width: 390, height: 844 })
    await begin(page, 'make it')
    const yes = page.getByRole('button', { name: 'Yes, once' })
    await page.getByText('Scroll to the end to allow this.').waitFor()
    expect(await yes.isDisabled()).toBe(true)
    await page.getByRole('region', { name: 'What is asked about' }).focus()
    await page.keyboard.press('End')
    await yes.click()
    await page.locator('.reply', { hasText: 'Done.' }).waitFor()
    expect(existsSync(join(world.cwd, 'made'))).toBe(true)
  })

  it('says that a question was answered elsewhere', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Done.'))
    const served = await serveWorld(world)
    const [one, other] = await Promise.all([visit(browser, printed(served)), visit(browser, printed(served))])
    await begin(one.page, 'make it')
    await other.page.locator('.badge', { hasText: '1 question' }).click()
    await other.page.getByRole('button', { name: 'Yes, once' }).click()
    await one.page.getByText('Answered elsewhere.').waitFor()
    expect(await other.page.getByText('Answered elsewhere.').count()).toBe(0)
    await one.page.locator('.reply', { hasText: 'Done.' }).waitFor()
  })

  it('shows the mode that was set elsewhere, and sets one itself', async () => {
    const world = await openWorld()
    world.server.reply(say('Hello.'))
    const { page, served } = await openPage(world)
    await begin(page, 'hi')
    await page.locator('.reply', { hasText: 'Hello.' }).waitFor()
    const mode = page.getByLabel('Permission mode')
    const [, id = ''] = /session\/([\w-]+)/.exec(page.url()) ?? []
    await served.call('POST', `/v1/sessions/${id}/commands`, { type: 'set_mode', mode: 'plan' })
    await expect.poll(() => mode.inputValue()).toBe('plan')
    await mode.selectOption('accept-edits')
    const row = async () => (await served.call('GET', `/v1/sessions/${id}`)).json
    await expect.poll(row).toMatchObject({ mode: 'accept-edits' })
    await expect.poll(() => mode.inputValue()).toBe('accept-edits')
    // Nothing covers the way back, on a phone either.
    await page.setViewportSize({ width: 390, height: 844 })
    await mode.selectOption('bypass')
    await page.getByText('Never ask?').waitFor()
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await expect.poll(() => mode.inputValue()).toBe('accept-edits')
  })

  it('steers a turn, lets a message wait, takes one back, and stops', async () => {
    const world = await openWorld()
    const [first, second] = [deferred(), deferred()]
    world.server.reply(
      async (_, response) => {
        await first.promise
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const calls = [
          { index: 0, id: 'c1', type: 'function', function: { name: 'glob', arguments: '{"pattern":"*"}' } },
        ]
        const chunk = (delta: object, finish_reason: string | null) =>
          `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
        response.end(`${chunk({ tool_calls: calls }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
      },
      () => second.promise,
    )
    const { page, faults } = await openPage(world)
    await begin(page, 'look around')
    await page.getByRole('status').filter({ hasText: 'Working' }).waitFor()
    await send(page, 'only this folder')
    await page.locator('.queue li', { hasText: 'Next' }).filter({ hasText: 'only this folder' }).waitFor()
    await page.locator('.composer textarea').fill('and tidy up')
    await page.getByRole('button', { name: 'Later' }).click()
    await page.locator('.queue li', { hasText: 'Later' }).getByRole('button', { name: 'Take back' }).click()
    await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('and tidy up')
    await page.locator('.queue li', { hasText: 'and tidy up' }).waitFor({ state: 'detached' })
    first.resolve()
    await page.locator('.prompt', { hasText: 'only this folder' }).waitFor()
    await expect.poll(() => world.server.requests.length).toBe(2)
    const steered = world.server.requests[1]
    expect(steered && lastText(steered.body)).toContain('only this folder')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('status').filter({ hasText: 'Working' }).waitFor({ state: 'detached' })
    expect(await page.locator('.composer textarea').inputValue()).toBe('and tidy up')
    second.resolve()
    expect(faults).toEqual([])
  })

  it('keeps what is typed while a message is on its way', async () => {
    const world = await openWorld()
    world.server.reply(say('First.'), say('Second.'))
    const { page } = await openPage(world)
    await begin(page, 'one')
    await page.locator('.reply', { hasText: 'First.' }).waitFor()
    const arrival = deferred()
    await page.route('**/messages', async (route) => {
      await arrival.promise
      await route.continue()
    })
    await send(page, 'two')
    await page.locator('.composer textarea').fill('and then three')
    arrival.resolve()
    await page.locator('.reply', { hasText: 'Second.' }).waitFor()
    await page.locator('.composer .primary:enabled').waitFor()
    expect(await page.locator('.composer textarea').inputValue()).toBe('and then three')
  })

  it('connects again when the server is back, and shows what happened since', async () => {
    const world = await openWorld()
    world.server.reply(say('First.'), say('Second.'))
    const { page, served } = await openPage(world)
    await begin(page, 'one')
    await page.locator('.reply', { hasText: 'First.' }).waitFor()
    served.program.kill('SIGTERM')
    await served.program.ended
    await page.locator('main .banner', { hasText: 'Reconnecting' }).waitFor()
    await send(page, 'two')
    await page.locator('.composer .fault', { hasText: 'The server cannot be reached.' }).waitFor()
    expect(await page.locator('.composer textarea').inputValue()).toBe('two')
    await serveWorld(world, ['--listen', new URL(served.url).host])
    await page.locator('main .banner').waitFor({ state: 'detached' })
    await page.locator('.composer .fault').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.reply', { hasText: 'Second.' }).waitFor()
    expect(await page.locator('.prompt').allInnerTexts()).toEqual(['one', 'two'])
    expect(await page.locator('.composer textarea').inputValue()).toBe('')
  })

  it('is used by keyboard alone', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Done.'))
    const { page } = await openPage(world)
    await page.locator(':focus').and(page.locator('textarea')).waitFor()
    await page.keyboard.type('make')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('it')
    await page.keyboard.press('Enter')
    const yes = page.getByRole('button', { name: 'Yes, once' })
    await yes.waitFor()
    const focused = page.locator(':focus')
    for (let tabs = 0; tabs < 20 && (await yes.and(focused).count()) === 0; tabs++)
      await page.keyboard.press('Shift+Tab')
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.locator('.question button[aria-disabled="true"]').first().waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.locator('.reply', { hasText: 'Done.' }).waitFor()
    const [request] = world.server.requests
    expect(request && lastText(request.body)).toContain('make\nit')
  })

  it('is small, and keeps the token and an unsent text over a reload, and the token out of the address', async () => {
    const { page, served } = await openPage(await openWorld())
    await page.getByRole('textbox', { name: 'Text' }).fill('not sent yet')
    expect(page.url()).toBe(`${served.url}/`)
    await page.reload()
    await expect.poll(() => page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('not sent yet')
    const again = await page.context().newPage()
    await again.goto(served.url)
    await again.getByRole('heading', { name: 'What should pipe do?' }).waitFor()
    const source = await page.locator('script').getAttribute('src')
    const script = await fetch(new URL(source ?? '', served.url))
    expect((await script.arrayBuffer()).byteLength).toBeLessThan(362_000)
    const document = await (await fetch(served.url)).text()
    expect(document).toMatch(/^<!doctype html>/)
    expect(document.length).toBeLessThan(2_000)
  })

  it('asks for the token where it is missing or wrong', async () => {
    const served = await serveWorld(await openWorld())
    const { page } = await visit(browser, `${served.url}/#token=wrong`)
    await page.getByText('The server does not accept this token.').waitFor()
    await page.getByLabel('Address or token').fill(printed(served))
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('No sessions yet.').waitFor()
    const { page: other } = await visit(browser, served.url)
    await other.getByText('Paste the address that pipe serve printed').waitFor()
  })

  it('puts a task on the board, shows it, and asks before it cancels', async () => {
    const world = await openWorld()
    const { page, faults } = await openPage(world, { width: 390, height: 844, isPhone: true })
    await page.goto(`${page.url()}#/new`)
    await page.getByRole('textbox', { name: 'Text' }).fill('tidy the shelf')
    await page.getByRole('button', { name: 'Add as a task' }).click()
    await page.locator('.task .prompt', { hasText: 'tidy the shelf' }).waitFor()
    await page.getByRole('button', { name: 'Cancel the task' }).click()
    await page.getByText('Cancel this task?').waitFor()
    await page.getByRole('button', { name: 'Cancel the task' }).click()
    await page.locator('.status.canceled').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Tasks · 1' }).click()
    await page.locator('.rows li', { hasText: 'tidy the shelf' }).filter({ hasText: 'Canceled' }).waitFor()
    expect(faults).toEqual([])
  })

  it('can be installed', async () => {
    const { page, served } = await openPage(await openWorld())
    const link = await page.locator('link[rel=manifest]').getAttribute('href')
    const at = new URL(link ?? '', served.url)
    const manifest = JSON.parse(await (await fetch(at)).text())
    expect(new URL(manifest.start_url, at).href).toBe(`${served.url}/`)
    const icons: readonly { readonly src: string }[] = manifest.icons
    const types = icons.map(async ({ src }) => (await fetch(new URL(src, at))).headers.get('content-type'))
    expect(await Promise.all(types)).toEqual(['image/png', 'image/png'])
    // A profile on disk, as nothing can be installed from a private window.
    const profile = await launchProfile()
    try {
      const own = await profile.newPage()
      await own.goto(printed(served))
      const tools = await profile.newCDPSession(own)
      expect(await tools.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] })
      expect((await tools.send('Page.getAppManifest')).errors).toEqual([])
    } finally {
      await profile.close()
    }
  })
})
