import { expandText, printed } from '../bash/expansion.ts'
import type { Field } from '../bash/fields.ts'
import type { ScannedCommand, Script } from '../bash/syntax.ts'
import type { CommandContext } from '../command-line.ts'
import { programOf } from '../programs/program-table.ts'

/** Words to consider. */
const mostWords = 200

/** Words that xargs certainly reads: from a here-document, a here-string, or an `echo` piped into it. */
export function stdinWords({ commands }: Script, { cwd, home }: CommandContext): readonly Field[] {
  const variables = new Map([
    ['HOME', new Set([home])],
    ['PWD', new Set([cwd])],
  ])
  const texts = commands.flatMap((command, i) => {
    if (!isFed(command)) return []
    const here = command.redirects.filter(({ operator }) => operator.startsWith('<<'))
    const before = command.piped ? commands.slice(0, i).slice(-1) : []
    return [
      ...here.flatMap(({ body, target }) => expandText(body ?? target.parts, variables)),
      ...before.flatMap((one) => printed(one, variables)),
    ]
  })
  const words = texts.flatMap((text) => text?.match(/[^\s"'\0]+/g) ?? [])
  // `echo` expands an unquoted glob to file names.
  return words.slice(0, mostWords).map((text) => ({ text, known: true, glob: /[*?[]/.test(text) }))
}

/** Other words, such as `timeout 5`, may precede `xargs`. */
function isFed({ words }: ScannedCommand): boolean {
  return words.some(
    ({ parts: [part] }) => part?.type === 'text' && programOf(part.text.split('/').at(-1) ?? '')?.feeds,
  )
}
