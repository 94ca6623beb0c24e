import type { TerminalName } from '../../terminal/terminal-name.ts'

/** The bytes that set a terminal's modes and put them back. */
export interface Modes {
  readonly take: string
  /** Sets them again: another program, or a new terminal behind a multiplexer, may have other ones. */
  readonly refresh: string
  readonly give: string
  /** Switch to the other screen and back. */
  readonly cover: string
  /** Sets those of both screens again while the other one is shown. */
  readonly recover: string
  readonly uncover: string
}

// Distinct codes for otherwise equal keys, with what they are on other layouts (kitty keyboard protocol, which other terminals support
// too). The modes are a stack, one for each screen. Pop first what a killed run left on it.
const kittyKeys = { pop: '\u001b[<u', push: '\u001b[>5u' }
/** Shift+Enter and the like in xterm's own form; then as the user's settings have it. */
const xtermKeys = { set: '\u001b[>4;1m', reset: '\u001b[>4m' }
/** Alt as an escape character before the key. xterm otherwise makes letters such as `â` of it. */
const altKeys = { save: '\u001b[?1036s', set: '\u001b[?1036h', restore: '\u001b[?1036r' }
/** The wheel scrolls the other screen by sending arrow keys. */
const wheelKeys = { save: '\u001b[?1007s', set: '\u001b[?1007h', restore: '\u001b[?1007r' }
const pasteMarks = { set: '\u001b[?2004h', reset: '\u001b[?2004l' }
const cursor = { hide: '\u001b[?25l', show: '\u001b[?25h' }
const otherScreen = { set: '\u001b[?1049h', reset: '\u001b[?1049l' }

/** Terminals that take the codes of keyboard modes for something else, such as `CSI u`, which moves the cursor. */
const keyless: ReadonlySet<TerminalName | undefined> = new Set<TerminalName>(['dvtm', 'emacs', 'linux'])

/** Whether a terminal gets the sequences for the shape of its cursor. */
export function takesShapes(name: TerminalName | undefined): boolean {
  return !keyless.has(name)
}

/** Returns the modes for a terminal. */
export function modesOf(name: TerminalName | undefined): Modes {
  const hasKeys = !keyless.has(name)
  const hasAlt = name === 'xterm' || name === 'xterm_like'
  const { pop, push } = hasKeys ? kittyKeys : { pop: '', push: '' }
  const own = name === 'xterm' ? xtermKeys : { set: '', reset: '' }
  const refresh = pop + pasteMarks.set + push + own.set + (hasAlt ? altKeys.set : '') + cursor.hide
  const wheel = hasKeys ? wheelKeys : { save: '', set: '', restore: '' }
  return {
    take: (hasAlt ? altKeys.save : '') + refresh,
    refresh,
    give: pasteMarks.reset + own.reset + (hasAlt ? altKeys.restore : '') + pop + cursor.show,
    cover: otherScreen.set + push + cursor.hide + wheel.save + wheel.set,
    recover: refresh + otherScreen.set + pop + push + cursor.hide + wheel.set,
    uncover: wheel.restore + pop + otherScreen.reset,
  }
}
