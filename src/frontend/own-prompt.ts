/** A prompt that the user has written to a file, sent by its name as a slash command. */
export interface OwnPrompt {
  /** Without the slash. */
  readonly name: string
  /** Another name, which lists show where the first one is taken. */
  readonly alias?: string
  /** One line for lists. */
  readonly description: string
  /** Shows what words it takes: `[issue]`. */
  readonly hint?: string
  /** May hold `$ARGUMENTS`, and `$1` to `$9`. */
  readonly text: string
  /** Says whose it is: `yours`, or `of this project`. */
  readonly source: string
}

/** The words of a call, and each of them. An amount such as `$1.50` is no place for one. */
const places = /(?<!\\)\$(?:ARGUMENTS|([1-9])(?!\d|[.,]\d))/g

/** Returns the prompt with the words after its name in their place; after it, if it names none. */
export function withArguments({ text }: Pick<OwnPrompt, 'text'>, words: string | undefined): string {
  const given = words ?? ''
  const whole = fillIn(text, given)
  return given === '' || whole !== text || text.includes('$ARGUMENTS') ? whole : `${text}\n\n${given}`
}

/** Puts words into the places that a text has for them. `$1` to `$9` stay as they are if it has no `$1`, or no word is given. */
export function fillIn(text: string, given: string): string {
  const words = Array.from(given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, ...each]) => each.join(''))
  const hasNumbers =
    words.length > 0 && Array.from(text.matchAll(places)).some(([, number]) => number === '1')
  return text.replace(places, (place, number: string | undefined) => {
    if (number === undefined) return given
    return hasNumbers ? (words[Number(number) - 1] ?? '') : place
  })
}

/** Returns the text that a line such as `/fix 12` sends; `undefined` if none of these prompts has the name. */
export function calledPrompt(line: string, prompts: readonly OwnPrompt[]): string | undefined {
  const [, name, rest = ''] = /^\/([\p{L}\p{N}_:-]+)(?=\s|$)([\s\S]*)$/u.exec(line) ?? []
  const prompt =
    prompts.find((one) => one.name === name) ??
    prompts.find(({ alias }) => alias !== undefined && alias === name)
  return prompt && withArguments(prompt, rest.trim()).trimEnd()
}
