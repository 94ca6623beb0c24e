import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeKeys, flushKeys, type Key } from '../../src/ink/keys.ts'
import { cutInto } from '../support/deltas.ts'

const names = (input: string) =>
  decodeKeys('', input).keys.map((key) => (key.type === 'press' ? key.name : `${key.type} ${key.text}`))

function inChunks(chunks: readonly string[]): readonly Key[] {
  let pending = ''
  const keys: Key[] = []
  for (const chunk of chunks) {
    const decoded = decodeKeys(pending, chunk)
    keys.push(...decoded.keys)
    pending = decoded.pending
  }
  return [...keys, ...flushKeys(pending)]
}

describe('the keyboard', () => {
  it.each([
    ['hello 日本 🙂', ['text hello 日本 🙂']],
    ['a\rb', ['text a', 'enter', 'text b']],
    ['\n\u007f\b', ['ctrl+j', 'backspace', 'backspace']],
    ['\t', ['tab']],
    ['\tif x\n\ty', ['text \t', 'text if x', 'ctrl+j', 'text \t', 'text y']],
    ['\u0001\u0003\u0004', ['ctrl+a', 'ctrl+c', 'ctrl+d']],
    [
      '\u001b[A\u001bOB\u001b[1;5C\u001b[H\u001b[4~\u001b[3~',
      ['up', 'down', 'ctrl+right', 'home', 'end', 'delete'],
    ],
    ['\u001b[13;2u\u001b[27;2;13~\u001b\r', ['shift+enter', 'shift+enter', 'alt+enter']],
    ['\u001b[99;5u\u001b[27u\u001bb', ['ctrl+c', 'esc', 'alt+b']],
    ['\u001b[Z\u001b[I\u001b[?1;2c', ['shift+tab']],
  ])('reads %j', (input, expected) => {
    expect(names(input)).toEqual(expected)
  })

  it('reads an escape character as Esc if nothing follows', () => {
    expect(decodeKeys('', '\u001b')).toEqual({ keys: [], pending: '\u001b' })
    expect(flushKeys('\u001b')).toEqual([{ type: 'press', name: 'esc' }])
    expect(decodeKeys('\u001b', '[A')).toEqual({ keys: [{ type: 'press', name: 'up' }], pending: '' })
    expect(inChunks(['\u001b\u001b'])).toEqual([
      { type: 'press', name: 'esc' },
      { type: 'press', name: 'esc' },
    ])
    expect(inChunks(['\u001b\u001b', '[A'])).toEqual([{ type: 'press', name: 'alt+up' }])
  })

  it('reads the same keys however the bytes are chunked', () => {
    const keys = fc.constantFrom(
      '\u001b[A',
      '\u001b[1;5C',
      '\r',
      '\u001b[200~a\rb\u001b[201~',
      '\u001b[13;2u',
    )
    fc.assert(
      fc.property(
        fc.array(keys, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 4 })),
        (sent, cuts) => {
          const paste = sent.findIndex((one) => one.includes('200~'))
          const input = sent.slice(0, paste < 0 ? undefined : paste + 1).join('')
          expect(inChunks(cutInto(input, cuts))).toEqual(inChunks([input]))
        },
      ),
    )
  })
})

describe('a paste', () => {
  it('is text whatever it contains, with line ends normalised', () => {
    expect(names('\u001b[200~one\r\ntwo\rthree\u001b[A\u001b[201~')).toEqual([
      'paste one\ntwo\nthree\u001b[A',
    ])
  })

  it('cannot begin commands with an end mark of its own', () => {
    expect(names('\u001b[200~safe\u001b[201~\rrm -rf ~\r\u001b[201~')).toEqual(['paste safe\nrm -rf ~\n'])
  })
})
