import { columnsOf } from '../rows/columns.ts'
import { cut, type Line, line, span, wrap } from '../rows/line.ts'
import type { Key } from '../tty/key.ts'

/** A line whose characters are not shown, such as a key. */
export interface SecretEntry {
  readonly title: string
  /** Explains what happens with it. */
  readonly about: string
  readonly text: string
  /** Why the last one was not taken. */
  readonly fault?: string
  /** The work that goes on with it, such as `checking the key with acme`. Keys other than Esc do nothing meanwhile. */
  readonly doing?: string
}

export type SecretAction =
  | { readonly type: 'change_secret'; readonly secret: SecretEntry }
  | { readonly type: 'enter_secret'; readonly text: string }
  | { readonly type: 'cancel_secret' }
  | { readonly type: 'nothing' }

/** Longest secret in characters. */
const longest = 16_384
/** Dots that stand for a longer text. */
const mostDots = 24

const nothing: SecretAction = { type: 'nothing' }

/** Maps a key to an action. Pure. */
export function readSecretKey(secret: SecretEntry, key: Key): SecretAction {
  if (key.type === 'press' && leaving.has(key.name)) return { type: 'cancel_secret' }
  if (secret.doing !== undefined) return nothing
  const { fault: _, ...entry } = secret
  const change = (text: string): SecretAction => ({ type: 'change_secret', secret: { ...entry, text } })
  if (key.type === 'text' || key.type === 'paste') {
    // No key has spaces: those of a paste come from around it.
    const text = secret.text + key.text.replace(/\s+/g, '')
    return text.length > longest ? nothing : change(text)
  }
  if (key.type !== 'press') return nothing
  switch (key.name) {
    case 'enter':
      return secret.text === '' ? nothing : { type: 'enter_secret', text: secret.text }
    case 'backspace':
    case 'ctrl+h':
      return change(secret.text.slice(0, -1))
    case 'ctrl+u':
    case 'ctrl+w':
      return change('')
    default:
      return nothing
  }
}

const leaving: ReadonlySet<string> = new Set(['esc', 'ctrl+c', 'ctrl+d'])

/** Draws the title, the explanation, a dot for each character, and what became of the last one. */
export function drawSecret({ title, about, text, fault, doing }: SecretEntry, columns: number): Line[] {
  const dots = '•'.repeat(Math.min(mostDots, text.length))
  const count = text.length > mostDots ? ` ${text.length} characters` : ''
  const state =
    doing === undefined
      ? line(`  ${fault ?? ''}`, { color: 'bad' })
      : line(`  ${doing} …`, { color: 'muted' })
  return [
    cut(line(title, { bold: true }), columns),
    ...wrap(line(about, { color: 'muted' }), columns),
    cut(
      [
        span('› ', { color: 'accent', bold: true }),
        span(dots),
        span(' ', { inverse: true }),
        span(count, { color: 'muted' }),
      ],
      columns,
    ),
    ...wrap(state, columns, 2),
  ]
}

/** Explains the keys. */
export function secretHint({ doing }: SecretEntry, columns: number): string {
  if (doing !== undefined) return 'Esc cancels'
  const text = 'paste or type it · Enter goes on · Esc cancels'
  return columnsOf(text) <= columns ? text : 'Enter goes on · Esc cancels'
}
