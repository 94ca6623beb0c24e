import type { Language } from './program.ts'

/** A language in which any word may be code. */
export const anyWord: Language = { code: /^(?=.)/, valued: /^-$/ }

/** Signs of code that runs commands. */
const runsCommands =
  /system|exec|p(roc_)?open|spawn|subprocess|child_process|passthru|readpipe|[Oo]pen3|pexpect|Process|Deno\.run|Command|shell|[`|]|qx|%x/

const literal = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs

/** The string literals in code, alone and joined with the next ones (`["rm", "x"]`). None if the code runs no commands. */
export function literalsOf(code: string): readonly string[] {
  if (!runsCommands.test(code)) return []
  const literals = [...code.matchAll(literal)].map(([, , text = '']) => text)
  return literals.slice(0, 32).flatMap((text, i) => [text, literals.slice(i, i + 4).join(' ')])
}

/** Signs of code that changes files: functions, modes to open a file in, and redirects. */
const changesFiles =
  /writ|unlink|remov|renam|cop[iy]|mov|truncat|appendF|dump\(|sav|creat|chmod|mkdir|touch|\brm|["'`]\+?>|["'][rbt]*[wax][bt+]*["']/i

interface FilesInCode {
  /** String literals that may be paths. `undefined` if there are too many. */
  readonly files: readonly string[] | undefined
  readonly mayWrite: boolean
}

/** Characters of a path, and literals, to consider. */
const longestPath = 300
const mostLiterals = 400

/** The files that code may open, as far as it names them. */
export function filesInCode(code: string): FilesInCode {
  const literals = [...code.matchAll(literal)].map(([, , text = '']) => text.replace(/^[<>+|\s]+/, ''))
  const files = [...new Set(literals)].filter((text) => text !== '' && text.length <= longestPath)
  return { files: files.length > mostLiterals ? undefined : files, mayWrite: changesFiles.test(code) }
}

/** The words of code that runs commands; none if it runs none. */
export function mentionsInCode(code: string): readonly string[] {
  return runsCommands.test(code) ? wordsIn(code) : []
}

/** The words of a text, whatever separates them. */
export function wordsIn(text: string): readonly string[] {
  return text.match(/[\w./:@%+~-]+/g) ?? []
}
