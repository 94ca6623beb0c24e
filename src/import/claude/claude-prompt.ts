/** Whether a text is the output of a command of Claude Code itself, such as `/model`. */
export function isOwnOutput(words: string): boolean {
  return /^\s*<local-command-(stdout|stderr|caveat)>/.test(words)
}

/** Returns a slash command as the user typed it, if a text is one: `/review src`. */
export function readCommand(words: string): string | undefined {
  const name = tagged(words, 'command-name')
  if (name === undefined || name === '' || !/^\s*<command-/.test(words)) return undefined
  const args = tagged(words, 'command-args') ?? ''
  return `${name.startsWith('/') ? '' : '/'}${name} ${args}`.trim()
}

/** Returns what a sub-agent or a command in the background reported, if a text is such a report. */
export function readReport(words: string): string | undefined {
  if (!/^\s*<task-notification>/.test(words)) return undefined
  const summary = tagged(words, 'summary')
  const result = tagged(words, 'result')
  return summary === undefined || result === undefined ? words : `[${summary}]\n\n${result}`
}

/** Shows a command that the user ran with `!`, or its output, without tags. */
export function shellAsTyped(words: string): string {
  if (words.startsWith('<bash-input>')) return `! ${tagged(words, 'bash-input') ?? words}`
  return words.startsWith('<bash-std') ? words.replace(/<\/?bash-std(out|err)>/g, '') : words
}

/** A text without the notes that the agent put into it for its model. */
export interface Reminded {
  readonly words: string
  /** The number of notes. */
  readonly removed: number
}

/** Removes the notes at the end of a result. What looks like one further up is what the tool found. */
export function withoutLastReminders(words: string): Reminded {
  let kept = words.trimEnd()
  let removed = 0
  while (kept.endsWith(closing)) {
    const from = kept.lastIndexOf(opening)
    if (from === -1) break
    kept = kept.slice(0, from).trimEnd()
    removed++
  }
  return removed === 0 ? { words, removed } : { words: kept, removed }
}

/** Removes the notes anywhere in a text, in linear time. */
export function withoutReminders(words: string): Reminded {
  const kept: string[] = []
  let at = 0
  for (;;) {
    const from = words.indexOf(opening, at)
    const to = from === -1 ? -1 : words.indexOf(closing, from)
    if (to === -1) break
    kept.push(words.slice(at, from))
    at = to + closing.length
  }
  if (kept.length === 0) return { words, removed: 0 }
  return { words: [...kept, words.slice(at)].join('').trim(), removed: kept.length }
}

const opening = '<system-reminder>'
const closing = '</system-reminder>'

function tagged(words: string, tag: string): string | undefined {
  const from = words.indexOf(`<${tag}>`)
  const to = words.indexOf(`</${tag}>`, from)
  return from === -1 || to === -1 ? undefined : words.slice(from + tag.length + 2, to).trim()
}
