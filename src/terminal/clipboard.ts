const start = '\u001b]52;c;'
const end = '\u0007'

/** Facts about the clipboard behind a terminal. */
export interface ClipboardFacts {
  /** Whether tmux runs between the program and the terminal: the sequence is then sent past it, too. */
  readonly isTmux: boolean
  /** Says why the terminal may ignore it, for the user. Absent if nothing speaks against it. */
  readonly doubt?: string
}

/** Returns the sequence that asks a terminal to put a text on the clipboard (OSC 52). */
export function clipboardSequence(text: string, { isTmux }: ClipboardFacts): string {
  const bytes = new TextEncoder().encode(text)
  const encoded = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const plain = start + encoded + end
  // tmux takes the plain form if `set-clipboard` is on, and passes the other on if `allow-passthrough` is.
  return isTmux ? `${plain}\u001bPtmux;${plain.replaceAll('\u001b', '\u001b\u001b')}\u001b\\` : plain
}

/** Tells from the environment what is known of the clipboard. */
export function clipboardFacts(env: Readonly<Record<string, string>>): ClipboardFacts {
  const isTmux = (env['TMUX'] ?? '') !== ''
  const doubt = doubtOf(env, isTmux)
  return { isTmux, ...(doubt === undefined ? {} : { doubt }) }
}

function doubtOf(env: Readonly<Record<string, string>>, isTmux: boolean): string | undefined {
  if (env['TERM_PROGRAM'] === 'Apple_Terminal') return 'Terminal.app takes no text from programs'
  if ((env['STY'] ?? '') !== '') return 'screen may not pass it on to your terminal'
  if (env['TERM'] === 'linux') return 'the console has no clipboard'
  if (isTmux) return 'if it did not arrive, run: tmux set -g set-clipboard on'
  if ((env['VTE_VERSION'] ?? '') !== '') return 'your terminal may not allow it'
  return undefined
}
