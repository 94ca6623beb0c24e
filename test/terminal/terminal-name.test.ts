import { expect, it } from 'vitest'
import { terminalName } from '../../src/terminal/terminal-name.ts'

const xterm = { TERM: 'xterm-256color', XTERM_VERSION: 'XTerm(379)' }

it.each([
  [{}, undefined],
  [{ TERM: 'xterm-kitty' }, undefined],
  [{ TERM: 'foot' }, undefined],
  [xterm, 'xterm'],
  [{ TERM: 'xterm', XTERM_VERSION: 'XTerm(379)' }, 'xterm'],
  [{ TERM: 'xterm-256color' }, 'xterm_like'],
  // Another terminal that was started in xterm.
  [{ ...xterm, VTE_VERSION: '7900' }, 'xterm_like'],
  [{ ...xterm, TMUX: '/tmp/tmux' }, 'tmux'],
  [{ ...xterm, TERM: 'tmux-256color' }, 'tmux'],
  [{ ...xterm, TERM: 'screen-256color', TMUX: '/tmp/tmux' }, 'tmux'],
  [{ ...xterm, TERM: 'screen-256color', STY: '1.pts' }, 'screen'],
  [{ ...xterm, STY: '1.pts' }, 'screen'],
  [{ TERM: 'screen', STY: '1.pts', TMUX: '/tmp/tmux' }, 'screen'],
  [{ TERM: 'tmux', STY: '1.pts', TMUX: '/tmp/tmux' }, 'tmux'],
  [{ TERM: 'dvtm-256color', DVTM: '0.15', TMUX: '/tmp/tmux' }, 'dvtm'],
  [{ ...xterm, DVTM: '0.15' }, 'dvtm'],
  [{ TERM: 'eterm-color', INSIDE_EMACS: '29.4,term:0.96' }, 'emacs'],
  [{ TERM: 'rxvt-unicode-256color' }, 'rxvt'],
  [{ TERM: 'st-256color' }, 'st'],
  [{ TERM: 'linux' }, 'linux'],
] as const)('the environment %j names %s', (env, name) => {
  expect(terminalName(env)).toBe(name)
})
