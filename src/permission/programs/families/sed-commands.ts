/** An address, such as `2`, `$`, `0~3`, `+1`, `/re/I` or `\,re,`. `name`: of its group for the delimiter. */
const address = (name: string) =>
  String.raw`(?:[+~]?\d+(?:~\d+)?|\$|(?:\/(?:\\.|[^\\\n/])*\/|\\(?<${name}>.)(?:\\.|(?!\k<${name}>)[^\\\n])*\k<${name}>)[IM]*)`
/** Blanks, up to two addresses, and the name of a command. */
const next = new RegExp(
  String.raw`[\s;{}]*(?:${address('first')}(?:\s*,\s*${address('second')})?)?[\s!]*(?<command>[a-zA-Z:#=])`,
  'y',
)
const flag = /\w*/y
const number = /\s*\d*/y
const label = /[ \t]*[^\s;}]*/y
const text = /(?:\\\n|[^\n])*/y
const line = /[^\n]*/y

/** The commands that a sed script runs: those of `e` and of `s///e`. An empty one stands for the text that sed reads. */
export function runBySed(code: string): readonly string[] {
  const found: string[] = []
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(code)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  const nextName = () => take(next)?.groups?.['command']
  for (let name = nextName(); name !== undefined; name = nextName()) {
    if (name === 's' || name === 'y') {
      const delimiter = code[at++]
      const start = end(code, at, delimiter) + 1
      at = end(code, start, delimiter) + 1
      const replacement = code.slice(start, at - 1)
      const flags = take(flag)?.[0] ?? ''
      if (name === 's' && /^[gpiIMm\d]*e/.test(flags)) found.push(replacement)
      if (flags.includes('w')) take(line)
    } else if (name === 'e') found.push(take(line)?.[0].trim() ?? '')
    else if ('aic'.includes(name)) take(text)
    else if ('rRwW#'.includes(name)) take(line)
    else take('btTv:'.includes(name) ? label : number)
  }
  return found
}

/** Index of the next delimiter without a backslash, or of the end. */
function end(code: string, from: number, delimiter: string | undefined): number {
  let at = from
  while (at < code.length && code[at] !== delimiter) at += code[at] === '\\' ? 2 : 1
  return at
}
