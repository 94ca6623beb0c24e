import { describe, expect, it } from 'vitest'
import { ClipboardQuery } from '../../../src/ink/tty/clipboard-query.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'

const request = '\u001b]52;c;?\u0007'
const reply = (base64: string, end = '\u0007') => `\u001b]52;c;${base64}${end}`

function open() {
  const clock = createHandClock()
  const written: string[] = []
  const query = new ClipboardQuery({ clock, write: (bytes) => void written.push(bytes) })
  const ask = async () => {
    const bytes = await query.ask()
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
  }
  return { query, ask, clock, written }
}

describe('a question for the clipboard of the terminal', () => {
  it.each([
    ['with BEL', reply(btoa('text'))],
    ['with ST', reply(btoa('text'), '\u001b\\')],
    ['without padding', reply(btoa('text').replace(/=+$/, ''))],
  ])('is answered %s', async (_, text) => {
    const { query, ask, written } = open()
    const answer = ask()
    query.hear('\u001b]11;rgb:00/00/00\u0007')
    query.hear(text)
    expect([await answer, written]).toEqual(['text', [request]])
  })

  it.each([
    ['an empty one', reply('')],
    ['what is no base64', reply('a b')],
    ['half a group of base64', reply('dGV4d')],
    ['one that was cut', reply('!dGV4dA==')],
    ['its own question', request],
  ])('takes %s for no answer', async (_, text) => {
    const { query, ask } = open()
    const answer = ask()
    query.hear(text)
    expect(await answer).toBeUndefined()
  })

  it('ends after five seconds, and what comes later is not taken', async () => {
    const { query, ask, clock, written } = open()
    const first = ask()
    clock.advance(5_000)
    expect(await first).toBeUndefined()
    query.hear(reply(btoa('late')))
    const second = ask()
    query.hear(reply(btoa('now')))
    expect([await second, written]).toEqual(['now', [request, request]])
  })

  it('is asked once while it is open, and ends with the screen', async () => {
    const { query, ask, written } = open()
    const both = [ask(), ask()]
    query.close()
    expect([await Promise.all(both), written]).toEqual([[undefined, undefined], [request]])
  })
})
