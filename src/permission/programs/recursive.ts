import { isReader } from './read-only.ts'

const aliases: Readonly<Record<string, string>> = {
  egrep: 'grep',
  fgrep: 'grep',
  rgrep: 'grep',
  fdfind: 'fd',
  'ack-grep': 'ack',
  '7za': '7z',
  '7zr': '7z',
  '7zz': '7z',
  gtar: 'tar',
  bsdtar: 'tar',
}

/** The name under which a program's options are listed. */
export function knownAs(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name
}

const always = new Set('rg ag ack find fd tar rsync zip 7z du tree'.split(' '))

const own: Readonly<Record<string, RegExp>> = {
  ls: /^-[A-Za-z0-9]*R|^--rec/,
  grep: /^-[A-Za-z0-9]*[rRd]|^--(rec|de|di)/,
}
const ofReaders = /^-[A-Za-z]*[rR]|^--rec/
const ofOthers = /^-[A-Za-z]*[rRa]|^--(rec|arc)/

/** Whether a command reads folders recursively. */
export function isRecursive(name: string, args: readonly string[]): boolean {
  const program = knownAs(name)
  if (name === 'rgrep' || always.has(program)) return true
  const options = Object.hasOwn(own, program) ? own[program] : isReader(program) ? ofReaders : ofOthers
  return args.some((arg) => options?.test(arg) === true)
}
