import { programOf } from './table.ts'

/** The command behind wrappers that only change how it runs, such as `timeout`, `nice` or `stdbuf`. */
export function stripPrefixes(words: readonly string[]): readonly string[] {
  let rest = words
  for (let next = strip(rest); next !== undefined; next = strip(rest)) rest = next
  return rest
}

/** Removes one wrapper. `undefined` unless every one of its words is understood. */
function strip([name = '', ...args]: readonly string[]): readonly string[] | undefined {
  const count = programOf(name)?.prefix?.(args)
  const rest = count === undefined ? [] : args.slice(count)
  return rest.length === 0 || rest[0]?.startsWith('-') === true ? undefined : rest
}
