import { describe, expect, it } from 'vitest'
import type { Key } from '../../src/ink/keys.ts'
import {
  breakAtBackslash,
  clearPrompt,
  editPrompt,
  emptyPrompt,
  giveBack,
  type Prompt,
  promptText,
} from '../../src/ink/prompt.ts'

/** Edits a prompt: types words and presses `<name>`. */
function edit(script: string, prompt: Prompt = emptyPrompt): Prompt {
  const keys = script.match(/<[^>]+>|[^<]+/g) ?? []
  return keys.reduce((now, part) => {
    const key: Key = part.startsWith('<')
      ? { type: 'press', name: part.slice(1, -1) }
      : { type: 'text', text: part }
    return editPrompt(now, key) ?? now
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
  ])('edits %j to %j', (script, expected) => {
    expect(shown(edit(script))).toBe(expected)
  })

  it('recalls sent messages and then the draft', () => {
    const sent = clearPrompt(edit('second', clearPrompt(edit('first'))))
    expect(shown(edit('draft<up>', sent))).toBe('second|')
    expect(shown(edit('draft<up><up><up>', sent))).toBe('first|')
    expect(shown(edit('draft<up><up><down><down>', sent))).toBe('draft|')
    expect(clearPrompt(edit('second', sent)).history.map(promptText)).toEqual(['first', 'second'])
  })

  it('replaces a backslash before Enter with a line break', () => {
    expect(breakAtBackslash(edit('one\\'))).toEqual(edit('one<ctrl+j>'))
    expect(breakAtBackslash(edit('one'))).toBe(undefined)
  })
})

describe('a paste in the prompt', () => {
  const many = Array.from({ length: 120 }, (_, i) => `line ${i} $& $1`).join('\n')
  const paste = (prompt: Prompt, text: string) => editPrompt(prompt, { type: 'paste', text }) ?? prompt

  it('is a placeholder if it has many lines, and is sent in full', () => {
    const prompt = edit(' please', paste(edit('fix '), many))
    expect(shown(prompt)).toBe('fix [pasted 120 lines] please|')
    expect(promptText(prompt)).toBe(`fix ${many} please`)
  })

  it('is recognised by its length if the terminal does not mark it', () => {
    const prompt = editPrompt(emptyPrompt, { type: 'text', text: 'x'.repeat(300_000) })
    expect(prompt?.text).toBe('[pasted 300000 characters]')
  })

  it('gets a number if its placeholder is taken', () => {
    const prompt = paste(paste(emptyPrompt, many), many.toUpperCase())
    expect(prompt.text).toBe('[pasted 120 lines][pasted 120 lines #2]')
    expect(editPrompt(emptyPrompt, { type: 'paste', text: 'line\n'.repeat(10_000) })?.text).toBe(
      '[pasted 10000 lines]',
    )
    expect(promptText(prompt)).toBe(many + many.toUpperCase())
  })

  it('stays a placeholder when recalled, and is sent in full again', () => {
    const sent = clearPrompt(edit(' please', paste(edit('fix '), many)))
    const back = edit('<up>', sent)
    expect([shown(back), promptText(back)]).toEqual(['fix [pasted 120 lines] please|', `fix ${many} please`])
    expect(shown(edit('<up><down>', sent))).toBe('|')
  })

  it('keeps its own text when sent messages are put back before another paste', () => {
    const other = many.toUpperCase()
    const sent = [many, other].map((one) => clearPrompt(paste(emptyPrompt, one)).history[0] ?? emptyPrompt)
    const back = giveBack(paste(emptyPrompt, 'x\n'.repeat(120)), sent)
    expect(back.text).toBe('[pasted 120 lines]\n[pasted 120 lines #2]\n[pasted 120 lines #3]')
    expect(promptText(back)).toBe(`${many}\n${other}\n${'x\n'.repeat(120)}`)
  })

  it('is removed by one backspace', () => {
    expect(shown(edit('<backspace>', paste(edit('a'), many)))).toBe('a|')
  })

  it('is plain text if it has a few lines', () => {
    expect(shown(paste(edit('a'), 'b\nc'))).toBe('ab\nc|')
  })
})
