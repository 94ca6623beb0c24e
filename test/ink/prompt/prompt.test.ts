import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindings } from '../../../src/ink/keys/bindings.ts'
import { snapped } from '../../../src/ink/prompt/borders.ts'
import { editPrompt } from '../../../src/ink/prompt/editing.ts'
import {
  addEarlier,
  breakAtBackslash,
  clearPrompt,
  emptyPrompt,
  giveBack,
  type Prompt,
  sentText,
} from '../../../src/ink/prompt/prompt.ts'
import type { Key } from '../../../src/ink/tty/key.ts'

const press = (name: string): Key => ({ type: 'press', name })
const apply = (prompt: Prompt, key: Key) => editPrompt(prompt, key) ?? prompt

/** Edits a prompt: types words and presses `<name>`. */
function edit(script: string, prompt: Prompt = emptyPrompt): Prompt {
  const keys = script.match(/<[^>]+>|[^<]+/g) ?? []
  return keys.reduce((now, part) => {
    const key: Key = part.startsWith('<') ? press(part.slice(1, -1)) : { type: 'text', text: part }
    return apply(now, key)
  }, prompt)
}

/** Returns the text with `|` at the cursor. */
const shown = ({ text, cursor }: Prompt) => `${text.slice(0, cursor)}|${text.slice(cursor)}`

describe('the prompt', () => {
  it.each([
    ['abc<left><left>x', 'ax|bc'],
    ['日本🙂<left><backspace>', '日|🙂'],
    ['one two<ctrl+w>three', 'one three|'],
    ['one two<home><ctrl+k>', '|'],
    ['one two<alt+b><ctrl+u>', '|two'],
    ['one<ctrl+j>two<ctrl+a>x', 'one\nx|two'],
    ['one<shift+enter>three<up><end>!', 'one!|\nthree'],
    ['three<ctrl+j>one<up><down>', 'three\none|'],
    ['a b<ctrl+left><ctrl+left><delete>', '| b'],
    ['a<f5>b', 'ab|'],
    ['ab<ctrl+b><ctrl+h>', '|b'],
    ['ab<ctrl+a><ctrl+d>', '|b'],
    ['one two<ctrl+home>x<ctrl+end>y', 'xone twoy|'],
    ['one<ctrl+j>two<alt+<>x', 'x|one\ntwo'],
    ['see src/ink/prompt.ts<ctrl+w>', 'see |'],
    ['see src/ink/prompt.ts<alt+backspace>', 'see src/ink/prompt.|'],
    ['a_b+c.d<alt+b><alt+b><alt+d>', 'a_b+|.d'],
    ['один два<alt+b>x', 'один x|два'],
    ['今天天气很好<alt+b>x', '今天天气x|很好'],
    ['ab<alt+t>', 'ba|'],
    ['abc<left><alt+t>', 'acb|'],
    ['one<ctrl+j><ctrl+u>', 'one|'],
  ])('edits %j to %j', (script, expected) => {
    expect(shown(edit(script))).toBe(expected)
  })

  it('keeps its column over shorter lines', () => {
    const prompt = edit('long line<ctrl+j>x<ctrl+j>other line<ctrl+home><right><right><right><down><down>')
    expect(shown(prompt)).toBe('long line\nx\noth|er line')
  })

  it('moves by the rows that are shown', () => {
    const editing = { bindings: bindings, columns: 10 }
    const prompt = edit('one two three four')
    const up = editPrompt(prompt, press('up'), editing) ?? prompt
    expect(shown(up)).toBe('one two| three four')
    expect(shown(editPrompt(up, press('down'), editing) ?? up)).toBe('one two three four|')
  })

  it('recalls sent messages and then the draft', () => {
    const sent = clearPrompt(edit('second', clearPrompt(edit('first'))))
    expect(shown(edit('draft<up>', sent))).toBe('second|')
    expect(shown(edit('draft<up><up><up>', sent))).toBe('first|')
    expect(shown(edit('draft<up><up><down><down>', sent))).toBe('draft|')
    expect(clearPrompt(edit('second', sent)).history.map(sentText)).toEqual(['first', 'second'])
  })

  it('keeps what was edited of a recalled message, and the draft, when others are recalled', () => {
    const sent = clearPrompt(edit('second', clearPrompt(edit('first'))))
    const edited = edit('draft<up>!<up>?', sent)
    expect(shown(edited)).toBe('first?|')
    expect(shown(edit('<down>', edited))).toBe('second!|')
    expect(shown(edit('<down><down>', edited))).toBe('draft|')
    expect(shown(edit('<down><down>s<up><up>', edited))).toBe('first?|')
    expect(shown(edit('<down><down>s<up><up><down><down>', edited))).toBe('drafts|')
    const cleared = clearPrompt(edited)
    expect(cleared.history.map(sentText)).toEqual(['first', 'second', 'second!', 'draft', 'first?'])
    expect(shown(edit('<up><up>', cleared))).toBe('draft|')
  })

  it('keeps them while earlier messages arrive', () => {
    const edited = edit('draft<up>!<up>', clearPrompt(edit('second', clearPrompt(edit('first')))))
    const more = addEarlier(edited, [{ text: 'before', pastes: [] }])
    expect(shown(edit('<up>', more))).toBe('before|')
    expect(shown(edit('<up><down><down>', more))).toBe('second!|')
    expect(shown(edit('<up><down><down><down>', more))).toBe('draft|')
  })

  it('replaces a backslash before Enter with a line break', () => {
    expect(breakAtBackslash(edit('one\\'))?.text).toBe('one\n')
    expect(breakAtBackslash(edit('one'))).toBe(undefined)
  })
})

describe('what was cut', () => {
  it.each([
    ['one two<ctrl+w><ctrl+y><ctrl+y>', 'one twotwo|'],
    ['one two<ctrl+w><ctrl+w>x<ctrl+y>', 'xone two|'],
    ['a b<ctrl+a><alt+d><alt+d>x<ctrl+y>', 'xa b|'],
    ['one two<ctrl+w><left><right><ctrl+u><ctrl+y><alt+y>', 'two|'],
    ['one two<ctrl+w><left><right><ctrl+u><ctrl+y><alt+y><alt+y>', 'one |'],
    ['one<alt+y>', 'one|'],
  ])('is put back: %j gives %j', (script, expected) => {
    expect(shown(edit(script))).toBe(expected)
  })

  it('outlives the message, with its pastes', () => {
    const pasted = apply(emptyPrompt, { type: 'paste', text: 'x\n'.repeat(50) })
    const cut = clearPrompt(edit('<ctrl+u>sent', pasted))
    const other = apply(cut, { type: 'paste', text: 'y\n'.repeat(50) })
    const yanked = edit('<ctrl+y><ctrl+y>', other)
    expect(yanked.text).toBe(
      '[pasted 50 lines · 100 bytes][pasted 50 lines · 100 bytes #2][pasted 50 lines · 100 bytes #2]',
    )
    expect(sentText(yanked)).toBe('y\n'.repeat(50) + 'x\n'.repeat(100))
  })
})

describe('undo', () => {
  it.each([
    ['one <f5>two<ctrl+_>', 'one |'],
    ['one <f5>two<ctrl+_><ctrl+_>', '|'],
    ['one <f5>two<ctrl+_><ctrl+_><alt+_>', 'one |'],
    ['one<backspace><backspace><ctrl+_>', 'one|'],
    ['one<ctrl+u><ctrl+->', 'one|'],
    ['one<ctrl+_>x<alt+_>', 'x|'],
  ])('%j gives %j', (script, expected) => {
    expect(shown(edit(script))).toBe(expected)
  })

  it('brings a cleared paste back', () => {
    const pasted = apply(emptyPrompt, { type: 'paste', text: 'x\n'.repeat(50) })
    expect(sentText(edit('<backspace><ctrl+_>', pasted))).toBe('x\n'.repeat(50))
  })
})

describe('any sequence of keys', () => {
  const names = [
    ...['left', 'right', 'up', 'down', 'home', 'end', 'ctrl+home', 'ctrl+end', 'alt+b', 'alt+f'],
    ...['backspace', 'delete', 'ctrl+w', 'alt+d', 'alt+backspace', 'ctrl+u', 'ctrl+k', 'ctrl+y', 'alt+y'],
    ...['alt+t', 'ctrl+j', 'ctrl+_', 'alt+_'],
  ]
  const texts = [
    'a',
    ' ',
    'word ',
    '日本',
    '\u0301',
    '🙂',
    '👩‍👩‍👧',
    '🇩🇪',
    '🇫',
    '한',
    '\t',
    '[',
    ']',
    '[pasted 6 lines · 12 bytes]',
  ]
  const keys = fc.array(
    fc.oneof(
      fc.constantFrom(...names).map(press),
      fc.constantFrom(...texts).map((text): Key => ({ type: 'text', text })),
      fc.constantFrom(6, 7).map((lines): Key => ({ type: 'paste', text: `${lines}\n`.repeat(lines) })),
    ),
    { maxLength: 40 },
  )
  const history = [{ text: 'old\nwords', pastes: [] }]
  const start = { ...emptyPrompt, history }

  it('is undone to the text before it, and redone', () => {
    fc.assert(
      fc.property(keys, (pressed) => {
        const written = pressed.reduce(apply, start)
        const count = written.changes.done.length
        const undone = Array.from({ length: count }).reduce<Prompt>(
          (now) => apply(now, press('ctrl+_')),
          written,
        )
        expect([undone.text, undone.changes.done]).toEqual(['', []])
        const redone = Array.from({ length: count }).reduce<Prompt>(
          (now) => apply(now, press('alt+_')),
          undone,
        )
        expect(sentText(redone)).toBe(sentText(written))
      }),
    )
  })

  it('leaves the cursor between two characters', () => {
    fc.assert(
      fc.property(keys, (pressed) => {
        let prompt: Prompt = start
        for (const key of pressed) {
          prompt = apply(prompt, key)
          expect(snapped(prompt, prompt.cursor)).toBe(prompt.cursor)
        }
      }),
    )
  })

  it('is kept whole when it is cut and put back', () => {
    fc.assert(
      fc.property(
        keys,
        fc.constantFrom('ctrl+u', 'ctrl+k', 'ctrl+w', 'alt+d', 'alt+backspace'),
        (pressed, cut) => {
          const written = pressed.reduce(apply, start)
          const killed = apply({ ...written, last: undefined }, press(cut))
          if (killed.text === written.text) return
          const yanked = apply(killed, press('ctrl+y'))
          expect([yanked.text, sentText(yanked)]).toEqual([written.text, sentText(written)])
        },
      ),
    )
  })
})

describe('a paste in the prompt', () => {
  const many = Array.from({ length: 120 }, (_, i) => `line ${i} $& $1`).join('\n')
  const paste = (prompt: Prompt, text: string) => apply(prompt, { type: 'paste', text })

  it('is a placeholder if it has many lines, and is sent in full', () => {
    const prompt = edit(' please', paste(edit('fix '), many))
    expect(shown(prompt)).toBe('fix [pasted 120 lines · 1.7 kB] please|')
    expect(sentText(prompt)).toBe(`fix ${many} please`)
  })

  it('is recognised by its length if the terminal does not mark it', () => {
    const prompt = editPrompt(emptyPrompt, { type: 'text', text: 'x'.repeat(300_000) })
    expect(prompt?.text).toBe('[pasted 1 line · 300 kB]')
  })

  it('gets a number if its placeholder is taken', () => {
    const prompt = paste(paste(emptyPrompt, many), many.toUpperCase())
    expect(prompt.text).toBe('[pasted 120 lines · 1.7 kB][pasted 120 lines · 1.7 kB #2]')
    expect(editPrompt(emptyPrompt, { type: 'paste', text: 'line\n'.repeat(10_000) })?.text).toBe(
      '[pasted 10000 lines · 50 kB]',
    )
    expect(sentText(prompt)).toBe(many + many.toUpperCase())
  })

  it('is sent as it is even if it holds the placeholder of another one', () => {
    const prompt = paste(paste(emptyPrompt, `${many}\n[pasted 120 lines · 1.7 kB]`), many)
    expect(sentText(prompt)).toBe(`${many}\n[pasted 120 lines · 1.7 kB]${many}`)
  })

  it('stays a placeholder when recalled, and is sent in full again', () => {
    const sent = clearPrompt(edit(' please', paste(edit('fix '), many)))
    const back = edit('<up>', sent)
    expect([shown(back), sentText(back)]).toEqual([
      'fix [pasted 120 lines · 1.7 kB] please|',
      `fix ${many} please`,
    ])
    expect(shown(edit('<up><down>', sent))).toBe('|')
  })

  it('keeps its own text when sent messages are put back before another paste', () => {
    const other = many.toUpperCase()
    const sent = [many, other].map((one) => clearPrompt(paste(emptyPrompt, one)).history[0] ?? emptyPrompt)
    const back = giveBack(paste(emptyPrompt, 'x\n'.repeat(120)), sent)
    expect(back.text).toBe(
      '[pasted 120 lines · 1.7 kB]\n[pasted 120 lines · 1.7 kB #2]\n[pasted 120 lines · 240 bytes]',
    )
    expect(sentText(back)).toBe(`${many}\n${other}\n${'x\n'.repeat(120)}`)
    expect(sentText(edit('<ctrl+_>', back))).toBe('x\n'.repeat(120))
  })

  it('is one character for moving and for cutting words', () => {
    expect(shown(edit('<left>x', paste(edit('a'), many)))).toBe('ax|[pasted 120 lines · 1.7 kB]')
    expect(shown(edit('<alt+backspace>', paste(edit('a'), many)))).toBe('a|')
    expect(shown(edit('<home><right><alt+d>', paste(edit('a'), many)))).toBe('a|')
  })

  it('is removed by one backspace', () => {
    expect(shown(edit('<backspace>', paste(edit('a'), many)))).toBe('a|')
  })

  it('is plain text if it has a few lines', () => {
    expect(shown(paste(edit('a'), 'b\nc'))).toBe('ab\nc|')
  })
})
