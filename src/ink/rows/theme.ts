import type { CodeKind } from '../../frontend/code/coloured-line.ts'

/** Names of the text colours of the screen. A theme gives each its terminal codes. */
export type Color =
  | 'muted'
  | 'faint'
  | 'accent'
  | 'good'
  | 'bad'
  | 'warning'
  | 'heading'
  | 'list'
  | 'code'
  | CodeKind

/** Names of the tints behind text. */
export type Tint = 'said' | 'added' | 'removed' | 'added_word' | 'removed_word' | 'chosen'

/** The names of the themes. */
export const themeNames = ['dark', 'light', 'ansi', 'none'] as const

export type ThemeName = (typeof themeNames)[number]

/** A theme as the user sets it. `auto` follows the background of the terminal. */
export type ThemeSetting = 'auto' | ThemeName

/** A theme: the parameters of the SGR sequence for each name; empty for no change. */
export interface Theme {
  readonly colors: Readonly<Record<Color, string>>
  readonly tints: Readonly<Record<Tint, string>>
  /** For text on a tint that has no colour of its own: readable even if the terminal's background was taken for another. */
  readonly onTint: string
  /** Whether the terminal shows no italics. */
  readonly isUpright?: boolean
}

// Text takes the 16 colours of the terminal's own palette; greys and tints need the 256.
const hues = {
  accent: '36',
  good: '32',
  bad: '31',
  warning: '33',
  heading: '35',
  list: '34',
  code: '36',
  keyword: '35',
  string: '32',
  number: '36',
  title: '34',
  type: '33',
} as const

const noTints = { said: '', added: '', removed: '', added_word: '', removed_word: '', chosen: '' } as const

export const themes: Readonly<Record<ThemeName, Theme>> = {
  dark: {
    colors: { ...hues, muted: '38;5;246', faint: '38;5;241', comment: '38;5;246' },
    tints: {
      said: '48;5;236',
      added: '48;5;22',
      removed: '48;5;52',
      added_word: '48;5;28',
      removed_word: '48;5;88',
      chosen: '48;5;238',
    },
    onTint: '38;5;253',
  },
  light: {
    colors: { ...hues, muted: '38;5;242', faint: '38;5;247', comment: '38;5;242' },
    tints: {
      said: '48;5;254',
      added: '48;5;194',
      removed: '48;5;224',
      added_word: '48;5;157',
      removed_word: '48;5;217',
      chosen: '48;5;252',
    },
    onTint: '38;5;236',
  },
  ansi: {
    colors: { ...hues, muted: '2', faint: '2', comment: '2' },
    tints: { ...noTints, added_word: '7', removed_word: '7' },
    onTint: '',
  },
  none: {
    colors: {
      accent: '',
      good: '',
      bad: '',
      warning: '',
      heading: '',
      list: '',
      code: '',
      keyword: '',
      string: '',
      number: '',
      title: '',
      type: '',
      muted: '2',
      faint: '2',
      comment: '2',
    },
    tints: { ...noTints, added_word: '7', removed_word: '7' },
    onTint: '',
  },
}

/** Softer tints, for terminals that show any colour. */
const exactTints: Partial<Record<ThemeName, Theme['tints']>> = {
  dark: {
    said: '48;2;43;47;56',
    added: '48;2;24;51;36',
    removed: '48;2;62;30;34',
    added_word: '48;2;36;92;58',
    removed_word: '48;2;116;46;54',
    chosen: '48;2;52;57;68',
  },
  light: {
    said: '48;2;237;240;245',
    added: '48;2;221;244;227',
    removed: '48;2;253;226;226',
    added_word: '48;2;168;226;184',
    removed_word: '48;2;250;187;187',
    chosen: '48;2;224;229;238',
  },
}

const exactThemes = new Map(
  themeNames.map((name) => [name, { ...themes[name], tints: exactTints[name] ?? themes[name].tints }]),
)

const uprightThemes = new Map(
  [...Object.values(themes), ...exactThemes.values()].map((theme) => [theme, { ...theme, isUpright: true }]),
)

/** Describes the colours and letters of a terminal. */
interface Looks {
  readonly theme: ThemeName
  /** Whether the terminal shows any colour. */
  readonly hasTrueColor: boolean
  readonly hasItalics: boolean
}

/** Returns the theme of a screen. */
export function themeOn({ theme: name, hasTrueColor, hasItalics }: Looks): Theme {
  const theme = (hasTrueColor ? exactThemes.get(name) : undefined) ?? themes[name]
  return hasItalics ? theme : (uprightThemes.get(theme) ?? theme)
}
