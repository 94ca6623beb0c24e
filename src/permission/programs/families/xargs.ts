import { type Field, unknownField } from '../../bash/fields.ts'
import type { Program, ReadsOnly } from '../program.ts'
import { valuesAfter } from '../word-fields.ts'
import { wrapper } from '../wrapping.ts'

export const xargs: Program = {
  ...wrapper({ filled }),
  reads: {
    files: (_, args, readsOnly) => readsOnly(commandOf(args)) ?? [],
    accepts: (_, args, readsOnly) => isFedSafely(args, readsOnly),
  },
  programs: (args) => args,
  feeds: true,
  obeysInput: (args, readsOnly) => {
    const at = args.findIndex((arg) => !/^-([0rt]|[nPL]\d+)$/.test(arg))
    return at === -1 || readsOnly(args.slice(at)) === undefined
  },
  endsOptions: true,
}

/** The words, with an unknown word at each placeholder and at the end. */
function filled(args: readonly Field[]): readonly Field[] {
  const marks = ['{}', ...valuesAfter(args, /^(-[Ii]|--replace)/)].filter((mark) => mark)
  const isFed = ({ text }: Field) => marks.some((mark) => mark !== undefined && text.includes(mark))
  return [...args.map((field) => (isFed(field) ? unknownField : field)), unknownField]
}

/** The command that it runs. Default: `echo`. The input may only replace `{}` or `%`. */
function commandOf(args: readonly string[]): readonly string[] {
  let at = 0
  while (at < args.length) {
    if (/^-([0r]|[nP]\d+|I(\{\}|%))$/.test(args[at] ?? '')) at++
    else if (args[at] === '-I' && /^(\{\}|%)$/.test(args[at + 1] ?? '')) at += 2
    else return args.slice(at)
  }
  return ['echo']
}

/** Whether it prints only counts and checksums of the files that its input names, which can be any files. */
function isFedSafely(args: readonly string[], readsOnly: ReadsOnly): boolean {
  const [name = '', ...words] = commandOf(args)
  const isPut = args.slice(0, args.length - words.length).some((arg) => arg.startsWith('-I'))
  const safe = isPut ? /^(echo|basename|dirname)$/ : /^(echo|wc|basename|dirname|cksum|(md5|sha\d+)sum)$/
  return safe.test(name) && readsOnly([name, ...words]) !== undefined
}
