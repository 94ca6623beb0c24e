import { expect, it } from 'vitest'
import { usualTheme } from '../../../../src/cli/run/screen/usual-theme.ts'

const xterm = { TERM: 'xterm-256color' }

it.each([
  [xterm, 'dark'],
  [{ TERM: 'xterm' }, 'ansi'],
  [{ TERM: 'xterm', COLORTERM: 'truecolor' }, 'dark'],
  [{ TERM: 'linux' }, 'ansi'],
  [{}, 'ansi'],
  [{ TERM: 'xterm-kitty' }, 'dark'],
  [{ ...xterm, COLORFGBG: '0;15' }, 'light'],
  [{ ...xterm, COLORFGBG: '15;default;0' }, 'dark'],
  [{ ...xterm, COLORFGBG: 'default;default' }, 'dark'],
  [{ ...xterm, NO_COLOR: '1' }, 'none'],
  [{ ...xterm, NO_COLOR: '' }, 'dark'],
  [{ ...xterm, FORCE_COLOR: '0' }, 'none'],
  [{ TERM: 'linux', NO_COLOR: '1', FORCE_COLOR: '3' }, 'dark'],
  [{ TERM: 'linux', NO_COLOR: '1', FORCE_COLOR: '1' }, 'ansi'],
] as const)('takes the colours of %j: %s', (env, theme) => {
  expect(usualTheme('auto', { ...env })).toBe(theme)
})

it('follows the setting before all else', () => {
  expect(usualTheme('light', { NO_COLOR: '1', TERM: 'linux' })).toBe('light')
})
