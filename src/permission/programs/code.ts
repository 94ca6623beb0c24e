import type { Language } from './program.ts'

/** A language in which any word may be code. */
export const anyWord: Language = { code: /^(?=.)/, valued: /^-$/ }

/** Signs of code that runs commands. */
const runsCommands =
  /system|exec|p(roc_)?open|spawn|subprocess|child_process|passthru|readpipe|[Oo]pen3|pexpect|Process|Deno\.run|Command|shell|[`|]|qx|%x/

/** The string literals in code, alone and joined with the next ones (`["rm", "x"]`). None if the code runs no commands. */
export function literalsOf(code: string): readonly string[] {
  if (!runsCommands.test(code)) return []
  const literals = [...code.matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs)].map(([, , text = '']) => text)
  return literals.slice(0, 32).flatMap((text, i) => [text, literals.slice(i, i + 4).join(' ')])
}

/** The words of code that runs commands; none if it runs none. */
export function mentionsInCode(code: string): readonly string[] {
  return runsCommands.test(code) ? wordsIn(code) : []
}

/** The words of a text, whatever separates them. */
export function wordsIn(text: string): readonly string[] {
  return text.match(/[\w./:@%+~-]+/g) ?? []
}
