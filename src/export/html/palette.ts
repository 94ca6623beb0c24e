/** Colours by use. Text on `paper` and `panel` has a contrast of 4.5 or more (WCAG AA). */
export interface Palette {
  readonly paper: string
  /** Behind code and prompts. */
  readonly panel: string
  readonly ink: string
  readonly muted: string
  /** Lines and borders. */
  readonly rule: string
  readonly accent: string
  readonly link: string
  readonly ok: string
  readonly bad: string
  /** Behind added and removed lines, and their changed words. */
  readonly added: string
  readonly addedWord: string
  readonly removed: string
  readonly removedWord: string
  /** Parts of code. */
  readonly keyword: string
  readonly string: string
  readonly number: string
  readonly comment: string
  readonly name: string
  readonly kind: string
}

export const light: Palette = {
  paper: '#fcfbf8',
  panel: '#f4f2ec',
  ink: '#23211d',
  muted: '#67625a',
  rule: '#dfdbd1',
  accent: '#9a4522',
  link: '#1c5a8c',
  ok: '#2c6a3c',
  bad: '#a52a22',
  added: '#e2f1e1',
  addedWord: '#b9e0b8',
  removed: '#fbe4e0',
  removedWord: '#f4bfb7',
  keyword: '#8a2c6c',
  string: '#2c6a3c',
  number: '#9a4522',
  comment: '#69645b',
  name: '#1c5a8c',
  kind: '#75540b',
}

export const dark: Palette = {
  paper: '#181715',
  panel: '#211f1c',
  ink: '#e5e1d8',
  muted: '#a59f93',
  rule: '#3a3732',
  accent: '#e29a72',
  link: '#8fc0e8',
  ok: '#8fcb9b',
  bad: '#f2958c',
  added: '#1b3021',
  addedWord: '#2c5a38',
  removed: '#3d211e',
  removedWord: '#6e322c',
  keyword: '#dd9fc9',
  string: '#9ccf9f',
  number: '#e6a883',
  comment: '#a09a8e',
  name: '#92c1e6',
  kind: '#d6bd7a',
}
