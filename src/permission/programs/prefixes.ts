import { programOf } from './program-table.ts'

/** The command behind wrappers that only change how it runs, such as `timeout`, `nice` or `stdbuf`. */
export function stripPrefixes(words: readonly string[]): readonly string[] {
  let rest = words
  for (let next = strip(rest); next !== undefined; next = strip(rest)) rest = next
  return rest
}

/** Removes one wrapper. Returns `undefined` unless all of its words are understood. */
function strip([name = '', ...args]: readonly string[]): readonly string[] | undefined {
  const count = programOf(name)?.prefix?.(args)
  const rest = count === undefined ? [] : args.slice(count)
  return rest.length === 0 || rest[0]?.startsWith('-') === true ? undefined : rest
}

/** The first words of a command, if any words may safely follow them. */
export function safePrefix(words: readonly string[]): readonly string[] | undefined {
  const { openAfter } = programOf(words[0] ?? '') ?? {}
  const starts = [words.slice(0, 2), words.slice(0, 3)]
  return starts.find(
    (some) => !some.some((word) => word.includes(' ')) && openAfter?.test(some.slice(1).join(' ')),
  )
}

/** The reason why no rule may allow a command for good, even by its exact words. `inner`: the command behind wrappers. */
export function riskOf(
  words: readonly string[],
  [name = '', ...args]: readonly string[],
): string | undefined {
  const code = words.find((word, i) => {
    const program = programOf(word.slice(word.lastIndexOf('/') + 1))
    return program?.runsCode?.(words.slice(i + 1))
  })
  return programOf(name)?.risk?.(args) ?? (code && `${code} runs any code that it is given`)
}
