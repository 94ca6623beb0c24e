import type { CommandContext } from '../command-line.ts'
import { expandText, printed } from './expansion.ts'
import type { Field } from './fields.ts'
import type { ScannedCommand, Script } from './syntax.ts'

/** Words that are told apart of all that is fed to commands. */
const mostWords = 200

/** The words that xargs is certain to be fed: by a here-document, a here-string, or an `echo` before it in a pipe. */
export function fedWords({ commands }: Script, { cwd, home }: CommandContext): readonly Field[] {
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
  // Without quotes `echo` is given the names that answer to a glob.
  return words.slice(0, mostWords).map((text) => ({ text, known: true, glob: /[*?[]/.test(text) }))
}

/** It may stand behind others, which only say how it runs. */
function isFed({ words }: ScannedCommand): boolean {
  return words.some(({ parts: [part] }) => part?.type === 'text' && /(^|\/)xargs$/.test(part.text))
}
