import { escaped } from './visible.ts'

const control = String.raw`\0-\x08\x0b-\x1f\x7f-\x9f`
/** Invisible, and needed by no writing that a terminal shows: controls of direction and layout, fillers, tag characters. */
const deceptive =
  String.raw`\u061c\u17b4\u17b5\u200e\u200f\u202a-\u202e\u2061-\u206f\u3164\uffa0\ufff0-\ufffb` +
  String.raw`\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}`
/** A character that is never written to a terminal as it is: a regular expression with the flag `u`. */
export const unwanted = String.raw`[${control}${deceptive}\ud800-\udfff]`
const selectors = String.raw`\ufe00-\ufe0f\u{e0100}-\u{e01ef}`
/** A variation selector behind another, or behind what nobody sees: it varies nothing, and may be a byte of hidden text. */
export const idleSelector = String.raw`[${selectors}](?<=[${selectors}\xad\u034f\u200b-\u200d\u2060\ufeff][${selectors}])`

/** Control sequences (ECMA-48) without their last character: colours, movement, modes. */
const controlSequence = String.raw`(?:\x1b\[|\x9b)[0-?]{0,128}[ -/]{0,8}`
/** What begins a control string: OSC (titles, links, the clipboard), DCS, APC, PM, SOS. */
const stringStart = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])`
/** Bounded, and within a line, so that a string without end swallows nothing. */
const stringBody = String.raw`[^${control}\n]{0,4096}`
const stringEnd = String.raw`(?:[\x07\x18\x1a\x9c]|\x1b\\)`
const shortSequence = String.raw`\x1b[!-/]{0,2}`

const suspect = new RegExp(unwanted, 'u')
const idle = new RegExp(idleSelector, 'gu')

/** A string that never ends is text: only what began it goes. */
const foreign = new RegExp(
  [
    `${controlSequence}[@-~]?`,
    stringStart + stringBody + stringEnd,
    String.raw`${stringStart}(?:(?<=[\]\x9d])\d{1,4};)?`,
    `${shortSequence}[0-~]?`,
    unwanted,
  ].join('|'),
  'gu',
)

/** An end of text of which the next character decides what it is. */
const undecided = new RegExp(
  String.raw`(?:${controlSequence}|${stringStart}${stringBody}\x1b?|${shortSequence}|[\ud800-\udbff])$`,
  'u',
)

/**
 * Text from elsewhere (a model, a tool, a server, a file name) made safe to write to a terminal. Escape sequences and control
 * characters other than tab and line feed are taken out; characters that would hide or reorder text are shown as escapes, such
 * as `\u202e`; half a surrogate pair becomes U+FFFD. All other text is unchanged.
 */
export function printable(text: string): string {
  return withoutActing(text).replace(idle, escaped)
}

function withoutActing(text: string): string {
  return suspect.test(text) ? text.replace(foreign, harmless) : text
}

function harmless(match: string): string {
  const first = match.charCodeAt(0)
  if (first < 0x20 || (first >= 0x7f && first <= 0x9f)) return ''
  return match.length === 1 && first >= 0xd800 && first <= 0xdfff ? '\ufffd' : escaped(match)
}

/** `printable` for text that comes in chunks: all that it gives, joined, is `printable` of all that it was given. */
export interface ScreenFilter {
  /** What can be shown so far. At most the beginning of one escape sequence, or half a character, waits for the next chunk. */
  write(chunk: string): string
  /** What still waited. The filter is as new. */
  end(): string
}

/** A filter for one stream of text. */
export function createScreenFilter(): ScreenFilter {
  let held = ''
  /** The character before, which a selector may vary. */
  let last = ''
  const show = (text: string): string => {
    const shown = last + withoutActing(text)
    const { length } = last
    last = [...shown.slice(-2)].at(-1) ?? ''
    return shown.replace(idle, escaped).slice(length)
  }
  return {
    write(chunk) {
      const text = held + chunk
      const cut = suspect.test(text) ? text.search(undecided) : -1
      held = cut === -1 ? '' : text.slice(cut)
      return show(cut === -1 ? text : text.slice(0, cut))
    },
    end() {
      const rest = show(held)
      held = ''
      last = ''
      return rest
    },
  }
}
