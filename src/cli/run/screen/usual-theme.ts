import type { ThemeName, ThemeSetting } from '../../../ink/rows/theme.ts'

type Environment = Readonly<Record<string, string>>

/** Terminals with 256 colours whose `TERM` does not say so. */
const colourful = /256|direct|truecolor|kitty|ghostty|alacritty|foot|wezterm|iterm|contour|rio/i

/**
 * Returns the theme of a setting as far as the environment tells. `FORCE_COLOR` overrides `NO_COLOR`, and a setting overrides both.
 * Without more news, the background counts as dark.
 */
export function usualTheme(setting: ThemeSetting, env: Environment): ThemeName {
  if (setting !== 'auto') return setting
  const forced = forcedColours(env['FORCE_COLOR'])
  const colours = forced ?? ((env['NO_COLOR'] ?? '') === '' ? coloursOf(env) : 0)
  if (colours === 0) return 'none'
  return colours < 256 ? 'ansi' : backgroundOf(env['COLORFGBG'])
}

/** Reads 0 to 3 as other programs do: none, 16 colours, 256 and all. Anything else, even nothing, means colours. */
function forcedColours(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (value === '0' || value === 'false') return 0
  return value === '2' || value === '3' ? 256 : 16
}

function coloursOf({ TERM: name = '', COLORTERM: depth = '' }: Environment): number {
  return /truecolor|24bit|256/i.test(depth) || colourful.test(name) ? 256 : 16
}

/** Reads the colour numbers that some terminals tell: of the text, then of the background. */
function backgroundOf(told = ''): 'dark' | 'light' {
  const number = Number(told.split(';').at(-1) || Number.NaN)
  return number === 7 || (number >= 9 && number <= 15) ? 'light' : 'dark'
}
