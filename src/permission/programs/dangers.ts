import { enumerate } from '../../characters/enumerate.ts'
import type { Field } from '../bash/fields.ts'
import { withoutOptions } from './copying.ts'
import type { Program } from './program.ts'
import { hasWord, textsOf } from './word-fields.ts'

/** Words for people about what a command does, for the rows of programs. Deletions name the paths as they are written. */
type Danger = NonNullable<Program['danger']>

export const says =
  (text: string): Danger =>
  () =>
    text

export const asRoot = says('runs as root')
export const networkDanger = says('uses the network')

/** A command that does this with these words only. */
export const saysIf =
  (word: RegExp, text: string): Danger =>
  (args) =>
    hasWord(args, word) ? text : undefined

/** Names to list before the rest is counted. */
const mostNames = 3

function namesOf(fields: readonly Field[], suffix = ''): string {
  const names = fields.map(({ text }) => (suffix === '' || /[/*?\]}]$/.test(text) ? text : text + suffix))
  return enumerate(names, mostNames)
}

export function removed(args: readonly Field[]): string | undefined {
  if (hasWord(args, /^--(help|version)$/)) return undefined
  const operands = withoutOptions(args)
  if (operands.length === 0) return 'deletes what its input names'
  if (operands.some(({ known }) => !known)) return 'deletes files that are only known when it runs'
  const isTree = hasWord(args, /^-[A-Za-z]*[rR]|^--rec/)
  return `deletes ${namesOf(operands, isTree ? '/' : '')}`
}

/** Options of `curl` and `wget` that send data. */
const sends = /^(-[A-Za-z]*[dFT]|--(data|form|upload-file|post|body|json))/

export function sent(args: readonly Field[]): string {
  return hasWord(args, sends) || hasWord(args, /^-?(X|-request=?)?(POST|PUT|PATCH|DELETE)$/)
    ? 'sends data over the network'
    : 'uses the network'
}

export function published(args: readonly Field[]): string | undefined {
  const [first] = withoutOptions(args)
  return /^(publish|upload|push)$/.test(first?.text ?? '') ? 'publishes a package' : undefined
}

export function opened(args: readonly Field[]): string | undefined {
  if (!hasWord(args, /^-[A-Za-z]*R|^--rec/)) return undefined
  const [, ...paths] = withoutOptions(args)
  return `changes who may use everything in ${namesOf(paths)}`
}

export function inContainers(args: readonly Field[]): string | undefined {
  const words = textsOf(withoutOptions(args)).join(' ')
  if (
    /^((system|volume|image|container|network|builder) )?prune|^(volume|image|container|network) rm/.test(
      words,
    )
  )
    return 'deletes containers, images or volumes'
  if (hasWord(args, /^--privileged$/)) return 'runs as root'
  return /^(push|image push)\b/.test(words) ? 'publishes an image' : undefined
}

export function stopped(args: readonly Field[]): string {
  return `stops every process named ${namesOf(withoutOptions(args))}`
}
