/** A part of a text: as it stands, or a command whose output stands there instead. */
export type SkillPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'command'; readonly line: string; readonly written: string }

/** Commands of one text that run. More of them stay as they are written. */
const mostCommands = 20

/**
 * Splits the text of a skill or command at the commands in it: those in backquotes behind a `!` that begins a word, and blocks of lines
 * whose fence has the sign.
 */
export function splitCommands(text: string): readonly SkillPart[] {
  const parts: SkillPart[] = []
  let end = 0
  let count = 0
  for (const { from, to, line } of found(text)) {
    if (line === '' || ++count > mostCommands) continue
    const written = text.slice(from, to)
    parts.push({ type: 'text', text: text.slice(end, from) }, { type: 'command', line, written })
    end = to
  }
  return [...parts, { type: 'text', text: text.slice(end) }]
}

/** Lists the commands in a text, as they are written. */
export function commandsIn(text: string): readonly string[] {
  return splitCommands(text).flatMap((part) => (part.type === 'command' ? part.line : []))
}

interface Found {
  readonly from: number
  readonly to: number
  readonly line: string
}

const start = /(?<=^|\s)!`([^`\n]+)`|^[ \t]*```!/gm
const fence = /^[ \t]*```[ \t]*$/gm

/** Finds each command in one pass: a fence that nothing closes is the last that is looked for. */
function* found(text: string): Generator<Found, void, undefined> {
  if (!text.includes('!`') && !text.includes('```!')) return
  let at = 0
  let mayClose = true
  for (;;) {
    start.lastIndex = at
    const match = start.exec(text)
    if (match === null) return
    const from = match.index
    const opened = from + match[0].length
    at = opened
    if (match[1] !== undefined) {
      yield { from, to: opened, line: match[1].trim() }
      continue
    }
    const below = text.indexOf('\n', opened)
    if (!mayClose || below < 0) continue
    fence.lastIndex = below + 1
    const close = fence.exec(text)
    if (close === null) {
      mayClose = false
      continue
    }
    at = close.index + close[0].length
    yield { from, to: at, line: text.slice(opened, close.index).trim() }
  }
}
