import { expect, it } from 'vitest'
import { windowSigns } from '../../../../src/cli/run/screen/window-signs.ts'

const signs = (env: Readonly<Record<string, string>>, notify?: 'auto' | 'bell' | 'off') =>
  windowSigns({ TERM: 'xterm-256color', ...env }, '/home/ada/ledger', notify)
const plain = { title: true, progress: false, place: 'ledger', notify: 'bell' }

it.each([
  [{}, plain],
  [{ TERM_PROGRAM: 'iTerm.app' }, { ...plain, progress: true, notify: 'osc9' }],
  [{ TERM: 'xterm-ghostty' }, { ...plain, progress: true, notify: 'osc9' }],
  // Every OSC 9 is a notification to kitty.
  [{ TERM: 'xterm-kitty' }, { ...plain, notify: 'osc9' }],
  [{ TERM: 'foot' }, { ...plain, notify: 'osc777' }],
  [{ WT_SESSION: 'x' }, { ...plain, progress: true }],
  [{ VTE_VERSION: '7900' }, { ...plain, progress: true }],
  [{ VTE_VERSION: '6800' }, plain],
  [{ TMUX: '/tmp/tmux', TERM_PROGRAM: 'iTerm.app', WT_SESSION: 'x' }, plain],
  [{ TERM: 'screen-256color', VTE_VERSION: '7900' }, plain],
  [{ TERM: 'linux' }, {}],
  [{ TERM: 'dumb' }, {}],
  [{ CI: 'true' }, {}],
])('of %j', (env, expected) => {
  expect(signs(env)).toEqual(expected)
})

it('follow the setting', () => {
  expect(signs({ TERM_PROGRAM: 'WezTerm' }, 'bell').notify).toBe('bell')
  expect(signs({ TERM_PROGRAM: 'WezTerm' }, 'off')).toEqual({ ...plain, progress: true, notify: undefined })
})
