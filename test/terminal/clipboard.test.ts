import { describe, expect, it } from 'vitest'
import { clipboardDoubt, clipboardFacts, clipboardSequence } from '../../src/terminal/clipboard.ts'

describe('a text for the clipboard', () => {
  const plain = '\u001b]52;c;w6kg8J+YgA==\u0007'

  it('is sent as UTF-8 in base64', () => {
    expect(clipboardSequence('é 😀', { isTmux: false })).toBe(plain)
  })

  it('is sent to tmux, and past it', () => {
    const passed = `\u001bPtmux;\u001b${plain}\u001b\\`
    expect(clipboardSequence('é 😀', { isTmux: true })).toBe(plain + passed)
  })

  const long = /more than 6 kB may not pass tmux/
  const mosh = /mosh takes no more than 12 kB/
  it.each([
    [{ TERM: 'xterm-kitty' }, 90_000, undefined],
    [{ TERM: 'xterm-256color' }, 90_000, undefined],
    [{ TERM: 'xterm-256color', NCURSES_NO_UTF8_ACS: '1' }, 12_000, undefined],
    [{ TERM: 'xterm-256color', NCURSES_NO_UTF8_ACS: '1' }, 12_001, mosh],
    [{ TMUX: '/tmp/tmux-0/default,1,0' }, 6_000, /tmux set -g set-clipboard on/],
    [{ TMUX: '/tmp/tmux-0/default,1,0' }, 6_001, long],
    [{ TERM: 'xterm', XTERM_VERSION: 'XTerm(379)' }, 1, /allowWindowOps/],
    [{ TERM: 'rxvt-unicode-256color' }, 1, /urxvt/],
    [{ TERM: 'st-256color' }, 1, /allowwindowops/],
    [{ TERM: 'screen', STY: '1.pts' }, 1, /screen may not/],
    [{ TERM: 'dvtm-256color' }, 1, /dvtm does not/],
    [{ TERM: 'eterm-color' }, 1, /Emacs/],
    [{ TERM: 'xterm-256color', VTE_VERSION: '7900' }, 1, /may not allow it/],
    [{ TERM_PROGRAM: 'Apple_Terminal', TERM: 'xterm-256color' }, 1, /Terminal\.app takes no text/],
    [{ TERM: 'linux' }, 1, /the console has no clipboard/],
  ] as const)('may not arrive, as the environment and the size tell: %j, %i bytes', (env, bytes, doubt) => {
    const told = clipboardDoubt(bytes, clipboardFacts(env))
    if (doubt === undefined) expect(told).toBeUndefined()
    else expect(told).toMatch(doubt)
  })
})
