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
  /** May hold places for words. */
  readonly text: string
  /** Names of its words, in their order. */
  readonly parameters?: readonly string[]
  /** Others wrote the text, which then calls nothing by a slash at its beginning. */
  readonly isForeign?: true
  /** Says whose it is: `yours`, or `of this project`. */
  readonly source: string
}

/** A text with places for words. */
type Template = Pick<OwnPrompt, 'text' | 'parameters'>

/** Returns the prompt with the words after its name in their place; after it, if it names none. */
export function withArguments({ text, parameters }: Template, words: string | undefined): string {
  const given = words ?? ''
  const whole = wordFiller({ text, ...(parameters && { parameters }) }, given)(text)
  return given === '' || whole !== text || text.includes('$ARGUMENTS') ? whole : `${text}\n\n${given}`
}

/**
 * Returns a function that puts words into the places that a text has for them, in any part of it: `$ARGUMENTS`, `$ARGUMENTS[0]`, `$issue`
 * for a parameter of that name, and `$1` to `$9`, or from `$0` on if the text has that. Numbers alone stay as they are if no word is given,
 * or the text has neither `$0` nor `$1`; so do amounts such as `$1.50`. In a command, numbers without a word become empty, as in a shell.
 */
export function wordFiller(
  { text, parameters = [] }: Template,
  given: string,
): (part: string, kind?: 'command') => string {
  const words = Array.from(given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, ...each]) => each.join(''))
  const places = placesOf(parameters)
  const numbers = new Set(Array.from(text.matchAll(places), ([, , number]) => number))
  const first = numbers.has('0') ? 0 : 1
  const hasNumbers = numbers.has('0') || numbers.has('1')
  const fill = (part: string, isKept: boolean) =>
    part.replace(places, (place, index?: string, number?: string, name?: string) => {
      if (index !== undefined) return words[Number(index)] ?? ''
      if (name !== undefined) return words[parameters.indexOf(name)] ?? ''
      if (number === undefined) return given
      return hasNumbers && !isKept ? (words[Number(number) - first] ?? '') : place
    })
  if (words.length > 0) return (part) => fill(part, false)
  // Single quotes keep `$1` for another program, such as awk.
  return (part, kind) =>
    kind === undefined
      ? fill(part, true)
      : part.replace(/'[^']*'|"[^"]*"|[^'"]+/g, (piece) => fill(piece, piece.startsWith("'")))
}

/** Finds places for words. An amount such as `$1.50` is none. */
function placesOf(parameters: readonly string[]): RegExp {
  const named = parameters
    .filter((name) => /^[A-Za-z_][\w-]*$/.test(name))
    .toSorted((a, b) => b.length - a.length)
  const names = named.length === 0 ? '(?!)' : named.join('|')
  return new RegExp(
    String.raw`(?<!\\)\$(?:ARGUMENTS(?:\[(\d{1,3})\])?|(\d)(?!\d|[.,]\d)|(${names})(?!\w))`,
    'g',
  )
}

/** Returns the name that a text calls by a slash at its beginning; `undefined` if it is a message. */
export function calledName(text: string): string | undefined {
  return call.exec(text)?.[1]
}

const call = /^\/([\p{L}\p{N}_:-]+)(?=\s|$)([\s\S]*)$/u

/** Returns the text that a line such as `/fix 12` sends; `undefined` if none of these prompts has the name. */
export function calledPrompt(line: string, prompts: readonly OwnPrompt[]): string | undefined {
  const [, name, rest = ''] = call.exec(line) ?? []
  const prompt =
    prompts.find((one) => one.name === name) ??
    prompts.find(({ alias }) => alias !== undefined && alias === name)
  const text = prompt && withArguments(prompt, rest.trim()).trimEnd()
  return prompt?.isForeign === true && text?.startsWith('/') === true ? ` ${text}` : text
}
