import { describe, expect, it } from 'vitest'
import { HiddenLine } from '../../../src/cli/commands/secret.ts'

describe('a hidden line', () => {
  it.each([
    [['sk-1', '\r'], 'sk-1', 'entered'],
    [['sk-1\nls -l\n'], 'sk-1', 'entered'],
    [['s', 'x\u007f', 'k', 'y\b', '\n'], 'sk', 'entered'],
    [['wrong', '\u0015', 'right\r'], 'right', 'entered'],
    [['\u001b[200~sk', '-1\u001b[201~\r'], 'sk-1', 'entered'],
    [['sk\u0004'], 'sk', 'entered'],
    [['sk', '\u0003'], 'sk', 'interrupted'],
    [['sk'], 'sk', undefined],
    [['\u007f\u007f'], '', undefined],
  ] as const)('%j is %j', (typed, text, end) => {
    const line = new HiddenLine()
    const ends = typed.map((part) => line.type(part))
    expect({ text: line.text, end: ends.at(-1) }).toEqual({ text, end })
  })
})
