import { escaped } from './visible.ts'

const control = String.raw`\0-\x08\x0b-\x1f\x7f-\x9f`
/** Invisible characters that no displayed script needs: direction and layout controls, fillers, tags. */
const deceptive =
  String.raw`\u061c\u17b4\u17b5\u200e\u200f\u202a-\u202e\u2061-\u206f\u3164\uffa0\ufff0-\ufffb` +
  String.raw`\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}`
/** Matches a character that is never written to a terminal as is. Needs the flag `u`. */
export const unwanted = String.raw`[${control}${deceptive}\ud800-\udfff]`
const selectors = String.raw`\ufe00-\ufe0f\u{e0100}-\u{e01ef}`
/** A variation selector after another or after an invisible character varies nothing and may encode hidden text. */
export const idleSelector = String.raw`[${selectors}](?<=[${selectors}\xad\u034f\u200b-\u200d\u2060\ufeff][${selectors}])`

/** Control sequences (ECMA-48) without their last character: colours, cursor movement, modes. */
const controlSequence = String.raw`(?:\x1b\[|\x9b)[0-?]{0,128}[ -/]{0,8}`
/** The start of a control string: OSC (titles, links, the clipboard), DCS, APC, PM, SOS. */
const stringStart = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])`
/** Bounded and within one line, so that an unterminated string swallows nothing. */
const stringBody = String.raw`[^${control}\n]{0,4096}`
const stringEnd = String.raw`(?:[\x07\x18\x1a\x9c]|\x1b\\)`
const shortSequence = String.raw`\x1b[!-/]{0,2}`

const suspect = new RegExp(unwanted, 'u')
const idle = new RegExp(idleSelector, 'gu')

/** Removes only the start of an unterminated string: the rest is text. */
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

/** An end of text whose meaning depends on the next character. */
const undecided = new RegExp(
  String.raw`(?:${controlSequence}|${stringStart}${stringBody}\x1b?|${shortSequence}|[\ud800-\udbff])$`,
  'u',
)

/**
 * Makes untrusted text safe to write to a terminal. Removes escape sequences and control characters other than tab and line feed. Shows
 * characters that hide or reorder text as escapes, such as `\u202e`, and half a surrogate pair as U+FFFD.
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

/** `printable` for text in chunks: the joined outputs equal `printable` of the joined inputs. */
export interface ScreenFilter {
  /** Returns the text that can be shown so far. Holds back at most the start of an escape sequence, or half a character. */
  write(chunk: string): string
  /** Returns the text held back and resets the filter. */
  end(): string
}

/** Creates a filter for one stream of text. */
export function createScreenFilter(): ScreenFilter {
  let held = ''
  /** The previous character, which a selector may vary. */
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
