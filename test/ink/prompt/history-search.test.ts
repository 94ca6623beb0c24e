import { describe, expect, it } from 'vitest'
import { readKey } from '../../../src/ink/keys/keymap.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { emptyPrompt, insertText } from '../../../src/ink/prompt/prompt.ts'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import type { Screen } from '../../../src/ink/state.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import { emptyScreen } from '../conversation.ts'
import { plain } from '../screen-text.ts'

const sent = ['fix the parser', 'Test it', 'fix the parser of dates\nand its tests', 'ship it']
const history = sent.map((text) => ({ text, pastes: [] }))

/** Types text and presses `<name>` on a screen with a draft and a history. */
function type(script: string, screen: Screen = draft()): Screen {
  const keys = script.match(/<[^>]+>|[^<]+/g) ?? []
  return keys.reduce((now, part) => {
    const isPress = part.startsWith('<')
    const key: Key = isPress ? { type: 'press', name: part.slice(1, -1) } : { type: 'text', text: part }
    const action = readKey(now, key, 0)
    if (action.type === 'search') return reduce(now, { type: 'searched', search: action.search })
    return action.type === 'edit' ? reduce(now, { type: 'edited', prompt: action.prompt, at: 0 }) : now
  }, screen)
}

const draft = () => ({ ...emptyScreen(), prompt: { ...insertText(emptyPrompt, 'my draft'), history } })

describe('the search in the history', () => {
  it('shows the newest message with the words, then older ones, and takes one', () => {
    const found = type('<ctrl+r>pars')
    expect(plain(drawLive(found))).toContain('(history) pars : fix the parser of dates and its tests')
    const older = type('<ctrl+r>', found)
    expect(plain(drawLive(older))).toContain('(history) pars : fix the parser')
    expect(type('<enter>', older).prompt.text).toBe('fix the parser')
    expect(type('<ctrl+s><enter>', older).prompt.text).toBe('fix the parser of dates\nand its tests')
  })

  it('gives the draft back on Esc, and on undo', () => {
    const left = type('<ctrl+r>pars<esc>')
    expect([left.search, left.prompt.text, left.prompt.cursor]).toEqual([undefined, 'my draft', 8])
    expect(type('<ctrl+r>pars<enter><ctrl+_>').prompt.text).toBe('my draft')
  })

  it('takes what it found before a key that edits it', () => {
    expect(type('<ctrl+r>ship<ctrl+a>x').prompt.text).toBe('xship it')
  })

  it('says that nothing has the words, and goes on from shorter ones', () => {
    const none = type('<ctrl+r>shop')
    expect(plain(drawLive(none)).join('\n')).toMatch(
      /shop.*no earlier message has these words|shop.*: ship it/,
    )
    expect(type('<backspace><backspace><enter>', none).prompt.text).toBe('ship it')
  })

  it('finds messages that are read from the disk only after it began', () => {
    const early = { ...draft(), prompt: { ...draft().prompt, history: [] } }
    const loaded = reduce(type('<ctrl+r>pars', early), { type: 'remembered', written: history })
    expect(type('<enter>', loaded).prompt.text).toBe('fix the parser of dates\nand its tests')
  })

  it('heeds capitals only if the words have some', () => {
    expect(type('<ctrl+r>test<ctrl+r><enter>').prompt.text).toBe('Test it')
    expect(type('<ctrl+r>Test<enter>').prompt.text).toBe('Test it')
  })
})
