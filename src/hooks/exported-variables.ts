type Variables = Readonly<Record<string, string>>

/** The variables that a script sets, and the numbers of its lines that are not read. */
export interface ExportedVariables {
  readonly variables: Variables
  readonly unread: readonly number[]
}

/** Most characters of a value: Linux starts no program with a longer one. */
const longest = 100_000

const reference = String.raw`\$\w+|\$\{\w+\}`
const quoted = String.raw`'[^']*'|"(?:[^"\\$\x60]|\\[\s\S]|${reference})*"`
const value = String.raw`(?:${quoted}|\\[\s\S]|${reference}|[^\s'"\\$\x60;&|<>()])*`
const assignment = String.raw`[A-Za-z_]\w*=${value}`
const exported = String.raw`(?:export|declare[ \t]+-\w*x\w*)(?:[ \t]+(?:${assignment}|[A-Za-z_]\w*))+`
/** Some assignments, or none, up to the next statement. */
const statement = new RegExp(
  String.raw`[ \t]*(${exported}|${assignment}(?:[ \t]+${assignment})*)?[ \t]*(?:#[^\n]*)?(?:;|\n|$)`,
  'y',
)
const assignments = new RegExp(String.raw`(?<=^|[ \t])([A-Za-z_]\w*)=(${value})`, 'g')
const pieces =
  /'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[\s\S])*)"|\\(?<escaped>[\s\S])|\$\{?(?<name>\w+)\}?|[^'"\\$]+/g

/**
 * Reads the variables that a script for a shell sets: `export NAME=value`, `NAME=value` and `declare -x NAME=value`, with quotes, `~` and
 * `$NAME`. Runs nothing: any other line has no effect. `known` are the variables that values may name.
 */
export function readExports(script: string, known: Variables): ExportedVariables {
  const variables: Record<string, string> = {}
  const unread: number[] = []
  let [at, line] = [0, 1]
  while (at < script.length) {
    const begin = at
    statement.lastIndex = at
    const read = statement.exec(script)
    const values = read && readAssignments(read[1] ?? '', { ...known, ...variables })
    if (read === null || values === undefined) {
      unread.push(line)
      at = endOfLine(script, at)
    } else {
      Object.assign(variables, values)
      at = statement.lastIndex
    }
    line += script.slice(begin, at).split('\n').length - 1
  }
  return { variables, unread }
}

/** Reads the assignments of one statement, of which the later ones see the earlier. `undefined` for a value that no program can have. */
function readAssignments(text: string, known: Variables): Variables | undefined {
  const variables: Record<string, string> = {}
  for (const [, name = '', written = ''] of text.matchAll(assignments)) {
    const read = expand(written, { ...known, ...variables })
    if (read.length > longest || read.includes('\0')) return undefined
    variables[name] = read
  }
  return variables
}

function expand(written: string, known: Variables): string {
  const texts = [...written.matchAll(pieces)].map(({ 0: plain, index, groups }) => {
    const { single, double, escaped, name } = groups ?? {}
    if (single !== undefined) return single
    if (double !== undefined) return inDoubleQuotes(double, known)
    if (escaped !== undefined) return escaped === '\n' ? '' : escaped
    if (name !== undefined) return known[name] ?? ''
    const home = `$1${known['HOME'] ?? ''}`
    return plain.replace(index === 0 ? /(^|:)~(?=[/:]|$)/g : /(:)~(?=[/:]|$)/g, home)
  })
  return texts.join('')
}

function inDoubleQuotes(text: string, known: Variables): string {
  return text.replace(/\\([$`"\\\n])|\$\{?(\w+)\}?/g, (_, escaped?: string, name?: string) =>
    name === undefined ? (escaped ?? '').replace('\n', '') : (known[name] ?? ''),
  )
}

/** Returns where the next line begins. After text that goes on in other lines, nothing more is read. */
function endOfLine(script: string, at: number): number {
  const end = script.indexOf('\n', at)
  const line = script.slice(at, end === -1 ? undefined : end)
  const isOpen = /['"]|<</.test(line.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./g, ''))
  return end === -1 || isOpen || line.endsWith('\\') ? script.length : end + 1
}
