import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeSession } from '../../../src/json/documents/encode-document.ts'
import { serveWorld } from '../../support/live/served.ts'
import { openWorld } from '../../support/programs/world.ts'
import { hostileSession } from '../../support/sessions/hostile-session.ts'
import { hasBrowser, launch, visit } from './browser.ts'
import { startScripted } from './scripted-server.ts'

const markup =
  '<script>ran()</script><img src=x onerror="ran()"><svg/onload=ran()></textarea></title><a href="javascript:ran()">x</a>'

const hostile = `[a](javascript:ran()) ![b](https://example.com/b.png) [c](https://example.com@evil.example/) \u202egnp.\n\n${markup}`

/** Evaluates an expression about each element `one` of a page. */
async function each(page: Page, selector: string, expression: string): Promise<readonly unknown[]> {
  const all = await page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => ${expression})`,
  )
  return Array.isArray(all) ? all : []
}

describe.skipIf(!hasBrowser)('hostile text, in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())

  const looks = [
    [390, 'light', 'rgb(252, 251, 248)'],
    [390, 'dark', 'rgb(24, 23, 21)'],
    [1280, 'light', 'rgb(252, 251, 248)'],
    [1280, 'dark', 'rgb(24, 23, 21)'],
  ] as const

  it.each(looks)(
    'SERV-272: in a stored session runs and loads nothing, and fits %s pixels in %s',
    async (width, colorScheme, paper) => {
      const world = await openWorld()
      await mkdir(join(world.home, 'sessions'), { recursive: true })
      const session = encodeSession({ ...hostileSession(), cwd: world.cwd })
      await writeFile(join(world.home, 'sessions/hostile.json'), JSON.stringify(session))
      const { url, token } = await serveWorld(world)
      const { page, faults } = await visit(browser, `${url}/#token=${token}`, { width, colorScheme })
      await page.locator('.rows li').click()
      await page.locator('.reply', { hasText: 'Done.' }).waitFor()
      for (const summary of await page.locator('button.summary').all()) await summary.click()
      const acting =
        '.transcript script, .transcript iframe, .transcript [onerror], .transcript svg:not(.icon)'
      expect(await page.locator(acting).count()).toBe(0)
      expect(await each(page, '.transcript a', '[one.href, one.rel]')).toEqual([
        ['https://example.com/c.png', 'noopener noreferrer'],
        [expect.stringMatching(/^https:\/\/example\.com\/\?a=/), 'noopener noreferrer'],
      ])
      expect(await each(page, 'img', 'one.src.slice(0, 15)')).toEqual(['data:image/png;', 'data:image/png;'])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(paper)
      expect(faults).toEqual([])
    },
  )

  it('anywhere else runs nothing either, and a link tells its host', async () => {
    const events = '/v1/sessions/s1/events'
    const row = { title: hostile, project: hostile, model: hostile, updated_at: '2026-02-18T12:00:00Z' }
    const task = { task_id: 't1', title: hostile, intent: hostile, status: 'done', summary: hostile, seq: 1 }
    const server = await startScripted({
      projects: [{ name: hostile, cwd: hostile }],
      sessions: [{ id: 's1', ...row }],
      tasks: [task],
      answers: {
        '/v1/tasks/t1': { task, facts: [[hostile, hostile]], log: [hostile] },
        '/v1/tasks/t1/diff': `diff --git a/${markup} b/${markup}\n+++ b/${markup}\n@@ -1 +1 @@\n-${hostile}\n+${hostile}\n`,
      },
    })
    const said = { type: 'text', text: hostile }
    server.tell(events, {
      type: 'snapshot',
      state: 'toolcall',
      messages: [{ type: 'user', id: 'm1', content: [said] }],
      calls: [{ call_id: 'c1', name: hostile, arguments: { [hostile]: hostile, command: hostile } }],
      reply: [said, { type: 'thinking', thinking: hostile }],
      queue: [{ id: 'q1', text: hostile, kind: 'steer' }],
      questions: [
        {
          id: 'ui_1',
          kind: 'select',
          purpose: 'confirm_risky_action',
          display: { title: hostile, description: hostile, content: { [hostile]: [hostile] } },
          options: [{ id: 'no', label: hostile, is_default: true }],
        },
      ],
    })
    server.tell(events, {
      type: 'elf_start',
      call_id: 'c1',
      elf_id: 'e1',
      name: hostile,
      agent: hostile,
      prompt: hostile,
    })
    server.tell(events, { type: 'tool_output', call_id: 'c1', stream: 'stdout', chunk: hostile })
    const { page, faults } = await visit(browser, `${server.url}/#token=T`)
    await page.locator('.rows li').click()
    await page.locator('.question').waitFor()
    await page.locator('.elf').waitFor()
    const link = page.locator('.reply a', { hasText: 'evil.example' })
    await link.waitFor()
    expect(await link.locator('.host').innerText()).toBe('evil.example')
    expect(await page.locator('.question').innerText()).toContain('\\u202egnp.')
    await page.goto(`${server.url}/#/task/t1`)
    await page.locator('.diff .added').waitFor()
    const made =
      'main script, main iframe, main img, main svg:not(.icon), main a[href^="javascript"], main [onload]'
    expect(await page.locator(made).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('is stopped by the policy too, should the page ever pass it on', async () => {
    const server = await startScripted({ sessions: [] })
    const { page, faults } = await visit(browser, `${server.url}/#token=T`)
    await page.getByText('No sessions yet.').waitFor()
    const inject = `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(markup)})`
    await expect(page.evaluate(inject)).rejects.toThrow('TrustedHTML')
    const handle = "document.body.setAttribute('onclick', 'ran()')"
    await expect(page.evaluate(handle)).rejects.toThrow('TrustedScript')
    await page.evaluate(
      "document.body.append(Object.assign(new Image(), { src: 'https://example.com/x.png' }))",
    )
    const refusal = /example\.com\/x\.png.*img-src/
    await expect.poll(() => faults.some((fault) => refusal.test(fault))).toBe(true)
    expect(faults).not.toContain('a script ran')
  })
})

describe.skipIf(!hasBrowser)('the layout, in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())

  it('has targets for a thumb and fields that do not zoom, on a phone', async () => {
    const question = {
      id: 'ui_1',
      kind: 'select',
      purpose: 'confirm_risky_action',
      display: { title: 'Allow?', content: 'x' },
      options: [
        { id: 'yes', label: 'Yes' },
        { id: 'no', label: 'No', is_default: true },
      ],
    }
    const server = await startScripted({
      sessions: [{ id: 's1', title: 'One', mode: 'default', is_running: true }],
    })
    server.tell('/v1/sessions/s1/events', {
      type: 'snapshot',
      state: 'toolcall',
      messages: [],
      questions: [question],
    })
    const { page } = await visit(browser, `${server.url}/#token=T`, {
      width: 390,
      height: 844,
      isPhone: true,
    })
    const tooLow = async () => {
      const heights = await each(page, 'button, a, select, textarea', 'one.getBoundingClientRect().height')
      // A hidden element has no height.
      return heights.filter((height) => typeof height !== 'number' || (height > 0 && height < 43.9))
    }
    await page.locator('.rows li').waitFor()
    expect(await tooLow()).toEqual([])
    await page.locator('.rows li').click()
    await page.locator('.question').waitFor()
    expect(await tooLow()).toEqual([])
    const sizes = await each(page, 'textarea, select, input', 'getComputedStyle(one).fontSize')
    expect(new Set(sizes)).toEqual(new Set(['16px']))
  })

  it('shows the end of a long transcript, and earlier parts when asked', async () => {
    const server = await startScripted({ sessions: [{ id: 's1', title: 'Long' }] })
    const messages = Array.from({ length: 1_000 }, (_, i) => ({
      type: 'user',
      id: `m${i}`,
      content: [{ type: 'text', text: `message ${i}` }],
    }))
    server.tell('/v1/sessions/s1/events', { type: 'snapshot', state: 'idle', messages, questions: [] })
    const { page } = await visit(browser, `${server.url}/#token=T`)
    await page.goto(`${server.url}/#/session/s1`)
    const last = page.getByText('message 999', { exact: true })
    await last.waitFor()
    const isLastInView = async () => {
      const box = await last.boundingBox()
      return box !== null && box.y > 0 && box.y + box.height < 800
    }
    await expect.poll(isLastInView).toBe(true)
    const count = await page.locator('.prompt').count()
    expect(count).toBeLessThan(100)
    await page.getByRole('button', { name: 'Show earlier' }).click()
    await expect.poll(() => page.locator('.prompt').count()).toBe(count + 96)
    await page.getByRole('button', { name: 'To the end' }).click()
    await expect.poll(isLastInView).toBe(true)
  })
})
