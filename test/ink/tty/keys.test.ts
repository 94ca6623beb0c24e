import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Key } from '../../../src/ink/tty/key.ts'
import { stKeys } from '../../../src/ink/tty/key-sequence.ts'
import { decodeKeys, flushKeys } from '../../../src/ink/tty/keys.ts'
import type { TerminalReply } from '../../../src/ink/tty/replies.ts'
import { cutInto } from '../../support/vendors/deltas.ts'

const names = (input: string) =>
  decodeKeys('', input).keys.map((key) => (key.type === 'press' ? key.name : `${key.type} ${key.text}`))

function inChunks(chunks: readonly string[]): readonly (Key | TerminalReply)[] {
  let pending = ''
  const keys: Key[] = []
  const replies: TerminalReply[] = []
  for (const chunk of chunks) {
    const decoded = decodeKeys(pending, chunk)
    keys.push(...decoded.keys)
    replies.push(...decoded.replies)
    pending = decoded.pending
  }
  return [...keys, ...flushKeys(pending), ...replies]
}

describe('the keyboard', () => {
  it('tells the place of the cursor from F3 with another key', () => {
    const place: TerminalReply = { type: 'reply', text: '\u001b[24;1R' }
    expect(decodeKeys('', '\u001b[24;1R')).toEqual({ keys: [], replies: [place], pending: '' })
    expect(names('\u001b[1;2R')).toEqual(['shift+f3'])
  })

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
    ['\u001f\u001d\u0000\u001b_', ['ctrl+_', 'ctrl+]', 'ctrl+space', 'alt+_']],
    ['\u001bB\u001b[98;4u\u001b ', ['alt+shift+b', 'alt+shift+b', 'alt+space']],
    ['\u001b[97;1:3u\u001b[A\u001b[1;1:3A\u001b[97;5:2u', ['up', 'ctrl+a']],
    ['\u001b[97:65;2u\u001b[49:33;2u\u001b[27;2;65~\u001b[97u', ['text A', 'text !', 'text A', 'text a']],
    ['\u001b[97;69u\u001b[97;9u\u001b[97;33u', ['ctrl+a', 'super+a', 'alt+a']],
    ['\u001b[57400u\u001b[57414u\u001b[57417;5u\u001b[57441;2u', ['text 1', 'enter', 'ctrl+left']],
    ['\u001bOp\u001bOk\u001bOM\u001bOH\u001bOP', ['text 0', 'text +', 'enter', 'home', 'f1']],
    ['\u001b[[A\u001b[15~\u001b[24;5~\u001b[2~', ['f1', 'f5', 'ctrl+f12', 'insert']],
    ['\u001b[45;6u\u001b[122;6u\u001b[3;5~', ['ctrl+shift+-', 'ctrl+shift+z', 'ctrl+delete']],
    // Ctrl+C, Alt+B and Ctrl+Shift+Z on Cyrillic and Greek layouts, with what the keys are on the base layout.
    ['\u001b[1089::99;5u\u001b[1080::98;3u\u001b[950:918:122;6u', ['ctrl+c', 'alt+b', 'ctrl+shift+z']],
    // A layout with Latin letters is its own: Dvorak, German.
    ['\u001b[99::105;5u\u001b[228:196:39;5u', ['ctrl+c', 'ctrl+ä']],
    ['\u001b[1089::99u\u001b[1089:1057:99;2u', ['text с', 'text С']],
    ['\u001b[44:60;4u\u001b[45:95;6u\u001b[55:47;6u', ['alt+<', 'ctrl+_', 'ctrl+/']],
    ['\u001b[127;2u\u001b[27;2u\u001b[127;5u\u001b[32;2u', ['backspace', 'esc', 'ctrl+backspace', 'text  ']],
    ['\u001b[91;5u\u001b[109;5u\u001b[105;5u\u001b[27;5;109~', ['esc', 'enter', 'text \t', 'enter']],
    ['\u001b[91;5u\u001b[109;7u\u001b[109;6u', ['esc', 'alt+enter', 'ctrl+shift+m']],
    ['\u001b[a\u001b[b\u001b[c\u001b[d', ['shift+up', 'shift+down', 'shift+right', 'shift+left']],
    [
      '\u001bOa\u001bOb\u001bOc\u001bOd\u001b\u001b[A',
      ['ctrl+up', 'ctrl+down', 'ctrl+right', 'ctrl+left', 'alt+up'],
    ],
    [
      '\u001b[7~\u001b[8~\u001b[7^\u001b[8^\u001b[3^',
      ['home', 'end', 'ctrl+home', 'ctrl+end', 'ctrl+delete'],
    ],
    ['\u001b[3$x\u001b[8@\u001b[5$', ['shift+delete', 'text x', 'ctrl+shift+end', 'shift+pageup']],
    ['\u001b[P\u001b[1;2P', ['f1', 'shift+f1']],
    ['\u001b[999z\u001b[1;2;3x\u001b[57358u', []],
    ['\u001b[Z\u001b[I\u001b[?1;2c', ['shift+tab']],
    ['\t\u001b[I', ['tab']],
    ['\u001b\u001b[I', ['esc']],
    ['\u001b[200~a\u001b[Ib\u001b[201~', ['paste ab']],
  ])('reads %j', (input, expected) => {
    expect(names(input)).toEqual(expected)
  })

  it('reads the keys of st, whose Delete is the F1 of others', () => {
    const { keys } = decodeKeys('', '\u001b[P\u001b[M\u001b[J\u001b[4h\u001b[1;5D\u001bOP', stKeys)
    expect(keys.map((key) => key.type === 'press' && key.name)).toEqual([
      ...['delete', 'ctrl+delete', 'ctrl+end', 'insert', 'ctrl+left', 'f1'],
    ])
  })

  it('reads an escape character as Esc if nothing follows', () => {
    expect(decodeKeys('', '\u001b')).toEqual({ keys: [], replies: [], pending: '\u001b' })
    expect(flushKeys('\u001b')).toEqual([{ type: 'press', name: 'esc' }])
    expect(decodeKeys('\u001b', '[A')).toEqual({
      keys: [{ type: 'press', name: 'up' }],
      replies: [],
      pending: '',
    })
    expect(inChunks(['\u001b\u001b'])).toEqual([
      { type: 'press', name: 'esc' },
      { type: 'press', name: 'esc' },
    ])
    expect(inChunks(['\u001b\u001b', '[A'])).toEqual([{ type: 'press', name: 'alt+up' }])
  })

  it.each([
    ['\u001b[?62;22c', ''],
    ['\u001b[I', 'x'],
    ['\u001b[O', 'x'],
    ['\u001b]11;rgb:1e1e/1e1e/2e2e\u0007', 'x'],
    ['\u001b]11;rgb:1e1e/1e1e/2e2e\u001b\\', 'x'],
    ['\u001bP>|term 1.2\u001b\\', 'x'],
    ['\u001b[?2026;2$y', 'x'],
  ])('tells the answer %j from keys', (answer, typed) => {
    const { keys, replies, pending } = decodeKeys('', answer + typed)
    expect([keys.map((key) => key.type === 'text' && key.text).join(''), replies, pending]).toEqual([
      typed,
      [{ type: 'reply', text: answer }],
      '',
    ])
  })

  it('types nothing of an answer that another key cancels', () => {
    expect(names('\u001b]11;rgb:1\u001b[A')).toEqual(['up'])
  })

  it('reads Alt with a character that could begin an answer, once nothing follows', () => {
    expect(flushKeys(decodeKeys('', '\u001b]').pending)).toEqual([{ type: 'press', name: 'alt+]' }])
    expect(names('\u001b]x')).toEqual(['alt+]', 'text x'])
    expect(flushKeys(decodeKeys('', '\u001b]11;rg').pending)).toEqual([])
  })

  it('reads the same keys however the bytes are chunked', () => {
    const keys = fc.constantFrom(
      '\u001b[A',
      '\u001b[1;5C',
      '\r',
      '\u001b[200~a\rb\u001b[201~',
      '\u001b[13;2u',
      '\u001b[97:65;2u',
      '\u001b[57400;129u',
      '\u001b]11;rgb:1e1e/1e1e/2e2e\u001b\\',
      '\u001b]4;1;rgb:ff/0/0\u0007',
      '\u001bP1$r0m\u001b\\',
      '\u001b[?62;4c',
      '\u001b[I',
      '\u001bOA',
      '\u001b[[B',
      '\u001bx',
      '\u001f',
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

  it.each([
    ['one\r\rtwo\r\r\r\rthree\r\r', 'one\ntwo\n\nthree\n'],
    ['one\r\rtwo\rthree', 'one\n\ntwo\nthree'],
    ['one\n\ntwo', 'one\n\ntwo'],
  ])('that has two CRs in every line end has one line end for both: %j', (raw, expected) => {
    expect(names(`\u001b[200~${raw}\u001b[201~`)).toEqual([`paste ${expected}`])
  })

  it('cannot begin commands with an end mark of its own', () => {
    expect(names('\u001b[200~safe\u001b[201~\rrm -rf ~\r\u001b[201~')).toEqual(['paste safe\nrm -rf ~\n'])
  })
})
