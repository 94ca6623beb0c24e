/** The command behind wrappers that only change how it runs, such as `timeout`, `nice` or `stdbuf`. */
export function stripWrappers(words: readonly string[]): readonly string[] {
  let rest = words
  for (let next = strip(rest); next !== undefined; next = strip(rest)) rest = next
  return rest
}

/** Removes one wrapper. `undefined` unless every one of its words is understood. */
function strip([name = '', ...args]: readonly string[]): readonly string[] | undefined {
  const count = Object.hasOwn(wrappers, name) ? wrappers[name]?.(args) : undefined
  const rest = count === undefined ? [] : args.slice(count)
  return rest.length === 0 || rest[0]?.startsWith('-') === true ? undefined : rest
}

/** Counts the words that belong to the wrapper itself. */
const wrappers: Readonly<Record<string, (args: readonly string[]) => number | undefined>> = {
  timeout: (args) => {
    let i = 0
    for (; args[i]?.startsWith('-') === true; i++) {
      const option = args[i] ?? ''
      if (/^-[ks]$/.test(option)) i++
      else if (
        !/^(--foreground|--preserve-status|-v|--verbose|--(signal|kill-after)=\w+|-[ks]\w+)$/.test(option)
      )
        return undefined
    }
    return /^\d+(\.\d+)?[smhd]?$/.test(args[i] ?? '') ? i + 1 : undefined
  },
  time: ([option]) => (option === '-p' ? 1 : 0),
  nice: ([option = '', value = '']) => {
    if (option === '-n') return /^-?\d+$/.test(value) ? 2 : undefined
    return /^(-n|-)-?\d+$/.test(option) ? 1 : 0
  },
  nohup: () => 0,
  stdbuf: (args) => {
    const count = args.findIndex((arg) => !/^-[ioe](L|\d+)$/.test(arg))
    return count > 0 ? count : undefined
  },
  command: () => 0,
  builtin: () => 0,
  noglob: () => 0,
}
