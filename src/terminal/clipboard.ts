import { type TerminalName, terminalName } from './terminal-name.ts'

const start = '\u001b]52;c;'
const end = '\u0007'

/** Asks a terminal for the text on its clipboard. */
export const clipboardQuery = `${start}?${end}`

/** Facts about the clipboard behind a terminal. */
export interface ClipboardFacts {
  /** Whether tmux runs between the program and the terminal: the sequence is then sent past it, too. */
  readonly isTmux: boolean
  /** Says why the terminal may ignore it, for the user. Absent if nothing speaks against it. */
  readonly doubt?: string | undefined
  /** The same of a text of more than so many bytes. */
  readonly ofLong?: { readonly bytes: number; readonly doubt: string } | undefined
}

/**
 * Says why a text of this many bytes may not arrive; `undefined` if nothing speaks against it. `name`: the terminal, as it turned out.
 */
export function clipboardDoubt(
  bytes: number,
  { doubt, ofLong }: ClipboardFacts,
  name?: TerminalName,
): string | undefined {
  if (ofLong !== undefined && bytes > ofLong.bytes) return ofLong.doubt
  return doubt ?? (name === undefined ? undefined : doubts[name])
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
  const name = terminalName(env)
  const doubt = doubtOf(env, name)
  // mosh says nothing of itself but this.
  const isMosh = env['NCURSES_NO_UTF8_ACS'] === '1'
  const ofLong = name === 'tmux' ? longInTmux : isMosh && doubt === undefined ? longInMosh : undefined
  return { isTmux: (env['TMUX'] ?? '') !== '', doubt, ofLong }
}

/** Terminals get no more of a sequence, and take what was cut for an empty text. */
const longInTmux = {
  bytes: 6_000,
  doubt: 'more than 6 kB may not pass tmux and the terminal behind it, and what is cut empties the clipboard',
}
/** mosh takes sequences of 16 KiB. */
const longInMosh = { bytes: 12_000, doubt: 'mosh takes no more than 12 kB' }

const doubts: Partial<Record<TerminalName, string>> = {
  screen: 'screen may not pass it on to your terminal',
  dvtm: 'dvtm does not pass it on to your terminal',
  emacs: 'the terminal of Emacs takes no text from programs',
  linux: 'the console has no clipboard',
  tmux: 'if it did not arrive, run: tmux set -g set-clipboard on',
  xterm: 'xterm takes it only with the resource XTerm*allowWindowOps: true',
  rxvt: 'urxvt takes it only with an extension for OSC 52',
  st: 'st takes it only if it was built with allowwindowops = 1',
}

function doubtOf(env: Readonly<Record<string, string>>, name: TerminalName | undefined): string | undefined {
  if (env['TERM_PROGRAM'] === 'Apple_Terminal') return 'Terminal.app takes no text from programs'
  const doubt = name === undefined ? undefined : doubts[name]
  return doubt ?? ((env['VTE_VERSION'] ?? '') === '' ? undefined : 'your terminal may not allow it')
}
