/** A prompt that the user has written to a file, sent by its name as a slash command. */
export interface OwnPrompt {
  /** Without the slash. */
  readonly name: string
  /** One line for lists. */
  readonly description: string
  /** May hold `$ARGUMENTS`. */
  readonly text: string
  /** Says whose it is: `yours`, or `of this project`. */
  readonly source: string
}

/** Returns the prompt with the words after its name in their place; after it, if it names none. */
export function withArguments({ text }: Pick<OwnPrompt, 'text'>, words: string | undefined): string {
  const given = words ?? ''
  if (text.includes('$ARGUMENTS')) return text.replaceAll('$ARGUMENTS', () => given)
  return given === '' ? text : `${text}\n\n${given}`
}
