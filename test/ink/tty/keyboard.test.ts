import { describe, expect, it } from 'vitest'
import { Keyboard } from '../../../src/ink/tty/keyboard.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'

/** A keyboard that hears chunks of input; `typed` returns the keys read since it was last called. */
function openKeyboard() {
  const clock = createHandClock()
  let keys: string[] = []
  const replies: string[] = []
  const keyboard = new Keyboard({
    clock,
    isAnswerDue: () => false,
    onKey: (key) => void keys.push(key.type === 'press' ? key.name : `${key.type} ${key.text}`),
    onReply: (reply) => void replies.push(reply),
  })
  return {
    hear: keyboard.hear,
    replies,
    wait: (ms: number) => clock.advance(ms),
    typed: () => {
      const read = keys
      keys = []
      return read
    },
  }
}

describe('a paste whose end mark never comes', () => {
  it('ends after a second without input, and keys work again', () => {
    const { hear, wait, typed } = openKeyboard()
    hear('\u001b[200~one\rtwo')
    wait(999)
    expect(typed()).toEqual([])
    hear('\rthree')
    wait(999)
    expect(typed()).toEqual([])
    wait(1)
    expect(typed()).toEqual(['paste one\ntwo\nthree'])
    hear('x')
    hear('\u0003')
    expect(typed()).toEqual(['text x', 'ctrl+c'])
  })

  it.each([
    ['Ctrl+C', '\u0003', 'ctrl+c'],
    ['Ctrl+C of the kitty protocol', '\u001b[99;5u', 'ctrl+c'],
    ['Esc of the kitty protocol', '\u001b[27u', 'esc'],
  ])('ends at once with %s', (_, chunk, name) => {
    const { hear, typed } = openKeyboard()
    hear('\u001b[200~half')
    hear(chunk)
    expect(typed()).toEqual(['paste half', name])
  })

  it('ends with Esc, once nothing follows that could be its end mark', () => {
    const { hear, wait, typed } = openKeyboard()
    hear('\u001b[200~half')
    hear('\u001b')
    expect(typed()).toEqual([])
    wait(200)
    expect(typed()).toEqual(['paste half', 'esc'])
    hear('\u001b[200~whole')
    hear('\u001b')
    hear('[201~')
    expect(typed()).toEqual(['paste whole'])
  })

  it.each([
    ['\u0003', ['ctrl+c']],
    ['\u001b', ['esc']],
    ['\u001b\u001b', ['esc', 'esc']],
    ['\u001b[27u', ['esc']],
    ['\u001b[20', []],
  ])('keeps %j, if it came in one piece with the text, out of the text', (last, names) => {
    const { hear, wait, typed } = openKeyboard()
    hear(`\u001b[200~half${last}`)
    wait(1_000)
    expect(typed()).toEqual(['paste half', ...names])
  })

  it('is not needed for Ctrl+C to end a reply that has no end', () => {
    const { hear, typed } = openKeyboard()
    hear('\u001b]11;rgb:1e')
    hear('\u0003')
    expect(typed()).toEqual(['ctrl+c'])
  })

  it('types nothing of an empty one', () => {
    const { hear, wait, typed } = openKeyboard()
    hear('\u001b[200~')
    wait(1_000)
    hear('a')
    expect(typed()).toEqual(['text a'])
  })

  it('begins no commands with what comes late, up to a late end mark', () => {
    const { hear, wait, typed } = openKeyboard()
    hear('\u001b[200~one\r')
    wait(1_000)
    hear('two\r\u001b[201~')
    hear('\u001b[201~')
    expect(typed()).toEqual(['paste one\n', 'paste two\n'])
  })
})

describe('lines that are pasted without marks', () => {
  it.each([
    ['one\rtwo', ['paste one\ntwo']],
    ['one\rtwo\r', ['paste one\ntwo', 'enter']],
    ['one\r\n\ttwo\r\n', ['paste one\n\ttwo', 'enter']],
    ['one\r\rtwo\r\r', ['paste one\ntwo', 'enter']],
    ['\u001b[Aone\rtwo\r\u001b[Bthree\rfour', ['up', 'paste one\ntwo', 'enter', 'down', 'paste three\nfour']],
    ['one\r', ['text one', 'enter']],
    ['one\ntwo\n', ['text one', 'ctrl+j', 'text two', 'ctrl+j']],
    ['\r\r', ['enter', 'enter']],
    ['one\r\u001b[A', ['text one', 'enter', 'up']],
  ])('are one paste: %j', (input, keys) => {
    const { hear, wait, typed } = openKeyboard()
    hear(input)
    wait(50)
    expect(typed()).toEqual(keys)
  })

  it('are one paste in any pieces', () => {
    const { hear, wait, typed } = openKeyboard()
    for (const chunk of ['one', '\r', 'two', '\r\r', 'three\r', 'four', '\r']) {
      hear(chunk)
      wait(40)
    }
    wait(10)
    expect(typed()).toEqual(['text one', 'paste \ntwo\n\nthree\nfour', 'enter'])
  })

  it('are told from an Enter that somebody presses, which waits for nothing', () => {
    const { hear, wait, typed } = openKeyboard()
    hear('y')
    wait(50)
    hear('\r')
    expect(typed()).toEqual(['text y', 'enter'])
    hear('n')
    expect(typed()).toEqual(['text n'])
  })
})

describe('a clipboard that the terminal sends', () => {
  const start = '\u001b]52;c;'
  const part = btoa('a text of some length').replace(/=+$/, '')

  it('is a reply, in whatever pieces it comes', () => {
    const { hear, wait, typed, replies } = openKeyboard()
    hear(start + part)
    wait(499)
    hear(`${part}=`)
    wait(499)
    hear('=\u001b')
    hear('\\x')
    expect([typed(), replies]).toEqual([['text x'], [`${start}${part}${part}==\u001b\\`]])
  })

  it('never becomes text, even if it stops for long', () => {
    const { hear, wait, typed, replies } = openKeyboard()
    hear(start + part)
    wait(500)
    hear(part.repeat(9))
    wait(5_000)
    hear(`${part}==\u0007`)
    hear('x')
    expect([typed(), replies]).toEqual([['text x'], [`\u001b]52;!${part}==\u0007`]])
  })

  it('swallows no key once it has stopped', () => {
    const { hear, wait, typed } = openKeyboard()
    hear(start + part)
    wait(500)
    hear('y')
    hear('\r')
    hear(start + part)
    hear('\u0003')
    expect(typed()).toEqual(['text y', 'enter', 'ctrl+c'])
  })

  it('is dropped if it is longer than 1 MiB, up to its end', () => {
    const { hear, typed, replies } = openKeyboard()
    const piece = 'QUFB'.repeat(16_384)
    hear(start)
    for (let i = 0; i < 20; i++) hear(piece)
    hear('QUFB\u0007x')
    expect(typed()).toEqual(['text x'])
    expect(replies.map((text) => text.slice(0, 6))).toEqual(['\u001b]52;!'])
  })
})
