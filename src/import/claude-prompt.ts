/** The output of a command that ran in the agent, not in its model. */
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

/** Shows a command that the user ran with `!`, or its output, without tags. */
export function shellAsTyped(words: string): string {
  if (words.startsWith('<bash-input>')) return `! ${tagged(words, 'bash-input') ?? words}`
  return words.startsWith('<bash-std') ? words.replace(/<\/?bash-std(out|err)>/g, '') : words
}

/** Removes the notes that the agent put into a text for its model, in linear time. */
export function withoutReminders(words: string): { readonly words: string; readonly removed: number } {
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
