import { describe, expect, it } from 'vitest'
import { isLastReply, terminalQuery, themeOf } from '../../../src/ink/tty/background.ts'

describe('the background that a terminal tells', () => {
  it.each([
    ['\u001b]11;rgb:0000/0000/0000\u001b\\', 'dark'],
    ['\u001b]11;rgb:1e1e/1e1e/2e2e\u0007', 'dark'],
    ['\u001b]11;rgb:fdfd/f6f6/e3e3\u001b\\', 'light'],
    ['\u001b]11;rgb:ff/ff/ff\u0007', 'light'],
    ['\u001b]11;rgba:FFFF/FFFF/FFFF/FFFF\u0007', 'light'],
    ['\u001b]11;#002b36\u0007', 'dark'],
    // Blue looks darker than its number, green brighter.
    ['\u001b]11;rgb:0000/0000/ffff\u0007', 'dark'],
    ['\u001b]11;rgb:0000/ffff/0000\u0007', 'light'],
    ['\u001b]11;?\u0007', undefined],
    ['\u001b]10;rgb:ffff/ffff/ffff\u0007', undefined],
    ['\u001b[I', undefined],
  ])('of %j is %s', (reply, theme) => {
    expect(themeOf(reply)).toBe(theme)
  })

  it('is asked of terminals that answer, behind a fence where there is one', () => {
    const names = [undefined, 'tmux', 'xterm_like', 'screen', 'dvtm', 'emacs'] as const
    const colour = '\u001b]11;?\u001b\\'
    expect(names.map((name) => terminalQuery(name, true))).toEqual([
      `${colour}\u001b[c`,
      `${colour}\u001b[c`,
      `\u001b[>0q${colour}\u001b[c`,
      colour,
      ...['', ''],
    ])
    expect(names.map((name) => terminalQuery(name, false))).toEqual([
      '',
      '',
      '\u001b[>0q\u001b[c',
      '',
      '',
      '',
    ])
  })

  it('is not told by a terminal that answers only the second question', () => {
    const replies = ['\u001b[?1;2c', '\u001b]11;rgb:0/0/0\u0007', '\u001b[O']
    expect(replies.map((one) => isLastReply(one, undefined))).toEqual([true, false, false])
    expect(replies.map((one) => isLastReply(one, 'screen'))).toEqual([false, true, false])
  })
})
