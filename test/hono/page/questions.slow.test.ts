import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/json-value.ts'
import { hasBrowser, launch, visit } from './browser.ts'
import { startScripted } from './scripted-server.ts'

const events = '/v1/sessions/s1/events'
const commands = '/v1/sessions/s1/commands'

describe.skipIf(!hasBrowser)('questions of every kind, in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())

  /** Opens a session that asks this. */
  async function ask(question: JsonObject) {
    const server = await startScripted({ sessions: [{ id: 's1', title: 'One', mode: 'default' }] })
    server.tell(events, { type: 'snapshot', state: 'toolcall', messages: [], questions: [question] })
    const { page } = await visit(browser, `${server.url}/#token=T`)
    await page.locator('.rows li').click()
    const card = page.locator('.question')
    await card.waitFor()
    const posted = () => server.requests.filter((one) => one.startsWith('POST '))
    return { server, page, card, posted }
  }

  const respond = (response: JsonObject) =>
    `POST ${commands} ${JSON.stringify({ type: 'respond', response })}`

  it('the parts of one are asked one after the other, and sent together', async () => {
    const { page, card, posted, server } = await ask({
      id: 'ui_1',
      kind: 'composite',
      purpose: 'request_info',
      display: { title: 'Two things' },
      parts: [
        {
          id: 'ui_2',
          kind: 'select',
          purpose: 'choose_strategy',
          display: { title: 'Which way?' },
          options: [
            { id: 'left', label: 'Left', is_default: true },
            { id: 'right', label: 'Right' },
          ],
        },
        {
          id: 'ui_3',
          kind: 'input',
          purpose: 'request_info',
          display: { title: 'How far?' },
          validation: { required: true },
        },
      ],
    })
    await card.getByText('1 of 2').waitFor()
    await card.getByRole('button', { name: 'Right' }).click()
    await card.getByRole('heading', { name: 'How far?' }).waitFor()
    expect(await card.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await card.getByLabel('Your answer').fill('a mile')
    await page.keyboard.press('Enter')
    await expect.poll(posted).toEqual([
      respond({
        interaction_id: 'ui_1',
        parts: [
          { interaction_id: 'ui_2', selected_option_id: 'right' },
          { interaction_id: 'ui_3', input_value: 'a mile' },
        ],
      }),
    ])
    server.tell(events, { type: 'interaction_responded', response: { interaction_id: 'ui_1' } })
    await card.waitFor({ state: 'detached' })
    expect(await page.getByText('Answered elsewhere.').count()).toBe(0)
  })

  it('a choice takes another answer in words, and Escape goes back to the options', async () => {
    const { page, card, posted } = await ask({
      id: 'ui_1',
      kind: 'select',
      purpose: 'choose_strategy',
      display: { title: 'Which way?' },
      options: [{ id: 'left', label: 'Left', is_default: true }],
    })
    const another = card.getByRole('button', { name: 'Another answer' })
    await another.click()
    await page.keyboard.press('Escape')
    await another.click()
    await page.keyboard.type('straight on')
    await page.keyboard.press('Enter')
    await expect.poll(posted).toEqual([respond({ interaction_id: 'ui_1', input_value: 'straight on' })])
  })

  it('dangers and withheld answers are told, and a broad answer is sent only after a second yes', async () => {
    const { card, posted } = await ask({
      id: 'ui_1',
      kind: 'select',
      purpose: 'confirm_risky_action',
      display: {
        title: 'Run this command?',
        content: { command: 'rm x' },
        dangers: [{ text: 'deletes x', start: 0, end: 4 }],
      },
      options: [
        { id: 'allow', label: 'Yes, once', style: 'primary' },
        { id: 'allow_all', label: 'Yes, every command', confirm: 'Allow every command?' },
        { id: 'deny', label: 'No', is_default: true },
      ],
      withheld: [{ id: 'allow_session', label: 'Yes, this session', reason: 'deletes x' }],
    })
    await card.getByText('⚠ deletes x').waitFor()
    expect((await card.locator('mark').allTextContents()).join('')).toBe('rm x')
    expect(await card.getByRole('button', { name: 'no', exact: true }).getAttribute('class')).toBe('primary')
    expect(await card.locator('.choices li').allTextContents()).toEqual([
      'yes, once',
      'this session (not offered: deletes x)',
      'every command',
      'no',
      'no, and say why',
    ])
    expect(await card.locator('.primary').allTextContents()).toEqual(['no'])
    const every = card.getByRole('button', { name: 'every command' })
    await every.click()
    await card.getByText('Allow every command?').waitFor()
    await card.getByRole('button', { name: 'No, back to the question' }).press('Escape')
    await every.click()
    await card.getByRole('button', { name: 'Yes', exact: true }).click()
    await expect.poll(posted).toEqual([respond({ interaction_id: 'ui_1', selected_option_id: 'allow_all' })])
  })

  it('the browser notifies of one while nobody looks, once it was allowed to', async () => {
    const { page, server } = await ask({ id: 'ui_1', kind: 'confirm', display: { title: 'Go on?' } })
    await page.evaluate(`
      window.told = []
      document.hasFocus = () => false
      window.Notification = class extends EventTarget {
        static permission = 'default'
        static async requestPermission() { return (this.permission = 'granted') }
        constructor(title, { body }) { super(); window.told.push([title, body, this]) }
        close() {}
      }`)
    const tell = (id: string, title: string) =>
      server.tell('/v1/events', { type: 'session', session: { id, title, questions: 1 } })
    tell('s2', 'Before')
    await page.getByText('Before').waitFor()
    await page.getByRole('button', { name: 'Notify me about questions' }).click()
    tell('s3', 'After')
    const told = () => page.evaluate('window.told.map(([title, body]) => [title, body])')
    await expect.poll(told).toEqual([['pipe has a question', 'After']])
    await page.evaluate("window.told[0][2].dispatchEvent(new Event('click'))")
    await expect.poll(() => page.url()).toMatch(/#\/session\/s3$/)
  })

  it('an answer that the server refuses is told in its words, and can be given anew', async () => {
    const { card, posted, server } = await ask({
      id: 'ui_1',
      kind: 'confirm',
      purpose: 'generic',
      display: { title: 'Go on?' },
      options: [
        { id: 'yes', label: 'Yes', style: 'primary' },
        { id: 'no', label: 'No', is_default: true },
      ],
    })
    server.refuse(commands, 409, 'somebody has answered this already')
    await card.getByRole('button', { name: 'Yes' }).click()
    await card.getByRole('alert').filter({ hasText: 'Somebody has answered this already.' }).waitFor()
    await card.getByRole('button', { name: 'Yes' }).click()
    await expect.poll(() => posted().length).toBe(2)
  })
})
