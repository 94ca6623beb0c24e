import { describe, expect, it } from 'vitest'
import { bindings, keyOf } from '../../../src/ink/keys/bindings.ts'
import { readKey } from '../../../src/ink/keys/keymap.ts'
import { rebind } from '../../../src/ink/keys/rebind.ts'
import { emptyScreen } from '../conversation.ts'

const press = (name: string) => ({ type: 'press', name }) as const

describe('the keys of the user', () => {
  it('replace those of an action, and take them from others', () => {
    const own = rebind({ thoughts: 'alt+r', transpose: ['Ctrl+T'], open_output: [] })
    const screen = { ...emptyScreen(), bindings: own }
    expect(readKey(screen, press('alt+r'), 0)).toEqual({ type: 'toggle_thoughts' })
    expect(readKey(screen, press('ctrl+o'), 0)).toEqual({ type: 'nothing' })
    expect([keyOf(own, 'thoughts'), keyOf(own, 'transpose'), keyOf(own, 'open_output')]).toEqual([
      'Alt+R',
      'Ctrl+T',
      '',
    ])
    const taken = rebind({ transpose: 'ctrl+t' })
    expect([keyOf(taken, 'transpose'), keyOf(taken, 'thoughts')]).toEqual(['Ctrl+T', ''])
  })

  it('may swap Enter and a new line', () => {
    const screen = { ...emptyScreen(), bindings: rebind({ send: 'ctrl+enter', new_line: 'return' }) }
    const draft = readKey(screen, { type: 'text', text: 'a' }, 0)
    const written = draft.type === 'edit' ? { ...screen, prompt: draft.prompt } : screen
    expect(readKey(written, press('enter'), 0)).toMatchObject({ type: 'edit', prompt: { text: 'a\n' } })
    expect(readKey(written, press('ctrl+enter'), 0)).toMatchObject({ type: 'submit' })
  })

  it('may have the name that another key has in old terminals', () => {
    const { table } = rebind({ open_output: ['ctrl+i', 'ctrl+m', 'Ctrl+['] })
    expect(table.find(({ name }) => name === 'open_output')?.keys).toEqual(['tab', 'enter', 'esc'])
  })

  it('go back by one press if they say so', () => {
    const screen = { ...emptyScreen(), bindings: rebind({ rewind: 'f2' }) }
    expect(readKey(screen, press('f2'), 0)).toEqual({ type: 'rewind' })
  })

  it.each([
    [{ interupt: 'esc' }, 'there is no action called "interupt"; did you mean interrupt?'],
    [{ mode: 'ctrl+f', next_model: 'Control+F' }, 'Ctrl+F is bound to both mode and next_model'],
    [{ mode: 'hyper' }, '"hyper" is not a key, for mode; keys are such as ctrl+g, alt+enter, f5'],
    [{ mode: 'x' }, '"x" types text, so it cannot be the key of mode; add ctrl+ or alt+'],
    [{ mode: 'esc esc' }, '"esc esc" is not a key, for mode'],
    [{ answer: 'x' }, 'the keys of questions cannot be changed: answer'],
  ])('are refused where they are wrong: %j', (settings, message) => {
    expect(() => rebind(settings)).toThrow(`tui.keys: ${message}`)
  })
})

describe('the keys of pipe', () => {
  it('have one meaning in each context', () => {
    const own = Object.fromEntries(
      bindings.table.flatMap(({ context, name, keys }) => (context === 'question' ? [] : [[name, keys]])),
    )
    expect(rebind(own).table).toEqual(bindings.table)
  })
})
