import { describe, expect, it } from 'vitest'
import { clipboardFacts, clipboardSequence } from '../../src/terminal/clipboard.ts'

describe('a text for the clipboard', () => {
  const plain = '\u001b]52;c;w6kg8J+YgA==\u0007'

  it('is sent as UTF-8 in base64', () => {
    expect(clipboardSequence('é 😀', { isTmux: false })).toBe(plain)
  })

  it('is sent to tmux, and past it', () => {
    const passed = `\u001bPtmux;\u001b${plain}\u001b\\`
    expect(clipboardSequence('é 😀', { isTmux: true })).toBe(plain + passed)
  })

  it.each([
    [{}, { isTmux: false }],
    [
      { TMUX: '/tmp/tmux-0/default,1,0' },
      { isTmux: true, doubt: 'if it did not arrive, run: tmux set -g set-clipboard on' },
    ],
    [
      { TERM_PROGRAM: 'Apple_Terminal' },
      { isTmux: false, doubt: 'Terminal.app takes no text from programs' },
    ],
    [{ TERM: 'linux' }, { isTmux: false, doubt: 'the console has no clipboard' }],
  ])('may not arrive, as the environment tells: %j', (env, facts) => {
    expect(clipboardFacts(env)).toEqual(facts)
  })
})
