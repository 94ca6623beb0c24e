import { basename, join } from 'node:path'
import type { Field } from '../bash/fields.ts'
import { fieldsAfter } from './arguments.ts'
import { findWrites } from './find.ts'
import { commandName } from './inner.ts'
import { hasKnownOptions, knownOperands } from './known-options.ts'
import { namedInAwk, namedInSed } from './script-targets.ts'

/** Commands that write to, create or remove all their operands. */
const writers = new Set(
  (
    'tee touch truncate sponge chmod chown chgrp patch ed ex vi vim nano rm rmdir unlink shred srm trash mkdir mkfifo mknod ' +
    'setfacl chattr'
  ).split(' '),
)

/** Commands that write to their last operand, unless an option names the target folder. */
const copiers = /^(cp|mv|install|ln|scp|rsync)$/

/** Commands that can also copy to another machine or a container, `HOST:PATH`. */
const senders = /^(scp|rsync|docker|podman|kubectl)$/

/** Commands that replace their operands, unless an option prevents it. */
const compressors = /^(gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|unzstd|lzma|unlzma|compress|uncompress)$/

/** Commands that write to any operand after the first. */
const converters = /^(uniq|xxd|split)$/

/** Options that make a command change its operands in place. */
const inPlace: readonly (readonly [name: RegExp, word: RegExp])[] = [
  [/^(sed|perl|ruby)$/, /^-[A-Za-z]*i|^--in-p/],
  [/^g?awk$/, /^(-i|--include=)?inplace$/],
  [/^(gofmt|goimports|prettier)$/, /^(--?w|--write)$/],
  [/^(eslint|stylelint|oxlint|ruff|biome)$/, /^--(fix|write)/],
  [/^(clang-format|shfmt|autopep8|yapf)$/, /^(-[iw]|--in-place|--write)$/],
]

/** Options whose value is the next word. */
const valued = new Map([
  ['uniq', /^-[^-fsw]*[fsw]$/],
  ['xxd', /^-(c|cols|g|l|len|n|o|s|seek)$/],
  ['split', /^-[^-abClnt]*[abClnt]$/],
  ['script', /^-[a-z]*[cEom]$/],
])

/** Options before an output file or folder. */
const outputs: readonly (readonly [name: RegExp, flag: RegExp])[] = [
  [
    /^curl$/,
    /^(-[^-]*?[oDc]|--(output(-dir)?|dump-header|cookie-jar|trace(-ascii)?|stderr|hsts|alt-svc|etag-save|libcurl)(?==|$))/,
  ],
  [
    /^wget$/,
    /^(-[A-Za-z]*?[OPoa]|--(output-document|directory-prefix|output-file|append-output|save-cookies))/,
  ],
  [/^(.*-)?(gcc|cc|tcc|[gc]\+\+|clang(\+\+)?|ld|as|gfortran|rustc|nasm|yasm)(-[\d.]+)?$/, /^(-o|--output)/],
  [/^openssl$/, /^--?(out|keyout|writerand)$/],
  [/^(sort|shuf)$/, /^(-[A-Za-z]*?o|--o[a-z]*)/],
  [
    /^(gpg2?|age|pandoc|tree|strace|ltrace|xmllint|xsltproc|iconv|bison|flex|m4|time)$/,
    /^(-[a-z]*?o|--output)/,
  ],
  [/^go$/, /^--?o(?==|$)/],
  [/^(tsc|esbuild)$/, /^--?out(file|dir)?(?==|$)/i],
  [/^git$/, /^(-o|--output(-directory)?|--directory|--separate-git-dir)(?==|$)/],
  [/^script$/, /^(-[a-z]*[IOBT]|--log-[a-z]+)/],
  [/^csplit$/, /^(-[A-Za-z]*?f|--p[a-z]*)/],
  [/^unzip$/, /^-[a-zA-Z]*?d/],
  [/^7z[az]?$/, /^-o/],
  [/^gh$/, /^(-[DO]|--(dir|output))/],
  [/^pip[\d.]*$/, /^(-t|--(target|prefix|root))/],
  [/^cpio$/, /^(-[A-Za-z]*?[DFO]|--(directory|file))/],
]

/**
 * What a command writes to, creates or removes, including unknown words. With an option that is not listed, any of its words may
 * be a target.
 */
export function targetsOf(fields: readonly Field[]): readonly Field[] {
  const name = commandName(fields)
  const args = fields.slice(1)
  const operands = knownOperands(name, args)
  if (operands !== undefined) return targetsAmong(name, args, operands)
  const certain = targetsAmong(name, args, operandsOf(args, valued.get(name)))
  if (!hasKnownOptions(name)) return certain
  const all = valuesIn(args)
  const folders = copiers.test(name) ? all.slice(-mostFolders) : []
  return [...certain, ...all, ...copiesOf(name, all, folders)]
}

/** Trailing words that may be the target folder, because the words after it may be option values. */
const mostFolders = 3

/** Whether a command may write to any file that it names: it runs code, links the file, or has git change it. */
export function mayWriteAny(fields: readonly Field[]): boolean {
  const words = fields.slice(1).map(({ text }) => text)
  const name = commandName(fields)
  if (name === 'git')
    return !leavesFiles.test(words.join(' ')) || words.some((word) => /^(-o|--ou)/.test(word))
  return /^(perl|ruby|ln)$/.test(name)
}

/** Git calls that change none of the files they name. */
const leavesFiles =
  /^((--no-pager|-P) )*(add|commit|push|fetch|log|show|diff|status|blame|grep|ls-files|rev-parse|branch|tag|rm --cached)( |$)/

function targetsAmong(name: string, args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const has = (flag: RegExp) => args.some(({ text }) => flag.test(text))
  if (writers.has(name)) return valuesIn(args)
  if (compressors.test(name)) return has(/^-[A-Za-z]*[clt]|^--(st|to-st|l|te)/) ? [] : operands
  if (copiers.test(name)) return copierTargets(name, args, operands)
  if (inPlace.some(([command, word]) => command.test(name) && has(word))) return operands
  const named = outputs.flatMap(([command, flag]) => (command.test(name) ? fieldsAfter(args, flag) : []))
  if (converters.test(name)) return behindFirst(operands)
  switch (name) {
    case 'sed':
      return args.flatMap(namedInSed)
    case 'awk':
    case 'gawk':
    case 'mawk':
      return args.flatMap(namedInAwk)
    case 'find':
      return findWrites(args)
    case 'dd':
      return args.flatMap((field) =>
        field.text.startsWith('of=') ? [{ ...field, text: field.text.slice(3) }] : [],
      )
    case 'tar':
    case 'gtar':
    case 'bsdtar':
      return archiveTargets(args, operands)
    case 'unzip':
      return [...named, ...behindFirst(operands)]
    case 'zip':
    case 'script':
      return [...named, ...operands.slice(0, 1)]
    case 'git':
      return [...named, ...gitTargets(operands, has)]
    case 'docker':
    case 'podman':
    case 'kubectl':
      return operands.some(({ text }) => text === 'cp') ? copiesOf(name, operands, []) : []
    case 'curl':
      return [...named, ...(has(/^-[A-Za-z]*O|^--remote-name/) ? operands.flatMap(fileOfUrl) : [])]
    case 'wget':
      return [...named, ...(has(/^-[A-Za-z]*O|^--output-document/) ? [] : operands.flatMap(fileOfUrl))]
    default:
      return named
  }
}

/** The operands after the first. A single glob may match several files, so it counts too. */
function behindFirst(operands: readonly Field[]): readonly Field[] {
  return operands.length === 1 ? operands.filter(({ glob }) => glob) : operands.slice(1)
}

/** The words that are not options. Unknown words stay, because they count as operands. */
function operandsOf(args: readonly Field[], takesNext = /^--(exclude|include)$/): readonly Field[] {
  return args.filter(({ text }, i) => !text.startsWith('-') && !takesNext.test(args[i - 1]?.text ?? ''))
}

/** Operands, and option values within their option's word. */
function valuesIn(args: readonly Field[]): readonly Field[] {
  return args
    .map((field) => ({ ...field, text: field.text.replace(/^-(-[^=]*=?|.?)/s, '') }))
    .filter(({ text, known }) => text !== '' || !known)
}

function copierTargets(name: string, args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const isFolder = args.some(({ text }) => /^-[A-Za-z]*d|^--d/.test(text))
  if (name === 'install' && isFolder) return operands
  if (name === 'ln' && operands.length === 1)
    return operands.map((one) => ({ ...one, text: basename(one.text) }))
  const into = senders.test(name) ? [] : fieldsAfter(args, /^(-[A-Za-z]*?t|--t[a-z-]*)/)
  return copiesOf(name, operands, into)
}

/** The last operand. If it may expand to no word or to several, the operands before it may be last, too. */
function lastOf(operands: readonly Field[]): readonly Field[] {
  const certain = operands.findLastIndex(({ known, glob }) => known && !glob)
  return operands.length === 1 ? behindFirst(operands) : operands.slice(Math.max(1, certain))
}

/** The target: a file, or a folder with the sources in it. `mv` also removes the sources. */
function copiesOf(name: string, operands: readonly Field[], named: readonly Field[]): readonly Field[] {
  const isLocal = ({ text }: Field) => !(senders.test(name) && /^[^/]*:/.test(text))
  const folders = (named.length > 0 ? named : lastOf(operands)).filter(isLocal)
  const inside = folders.flatMap((folder) =>
    operands
      // For a folder with a trailing slash, rsync copies the contents.
      .filter((one) => one !== folder && !(name === 'rsync' && one.text.endsWith('/')))
      .map((one) => ({
        text: join(folder.text, basename(one.text)),
        known: folder.known && one.known,
        glob: folder.glob || one.glob,
      })),
  )
  return [...(name === 'mv' ? operands : []), ...folders, ...inside]
}

/**
 * What tar writes or removes: extracted files and their folder, the archive that it makes, or files deleted with
 * `--remove-files`.
 */
function archiveTargets(args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const [first] = args
  const isOld = first !== undefined && /^[A-Za-z]+$/.test(first.text)
  const letters = isOld ? [`-${first.text}`] : []
  const modes = [...letters, ...args.map(({ text }) => text)]
  const has = (mode: RegExp) => modes.some((text) => mode.test(text))
  if (has(/^--remove-files$/)) return operands
  if (has(/^-[A-Za-z]*x|^--(ext|ge)/))
    return [...operands, ...fieldsAfter(args, /^(-[A-Za-z]*?C|--di[a-z]*|--cd|--one[a-z-]*)/)]
  if (!has(/^-[A-Za-z]*[cruA]|^--(cr|app|up|cat|con|del)/)) return []
  // In the old style without a dash, values follow the cluster, one for each letter that takes one.
  const values = isOld ? args.slice(1, 1 + first.text.replace(/[^bfCTXgVNKHLFI]/g, '').length) : []
  return [...values, ...fieldsAfter(args, /^(-[A-Za-z]*?f|--fi[a-z]*)/)]
}

/** Paths that git creates, moves or restores, if the subcommand comes first. */
function gitTargets(operands: readonly Field[], has: (flag: RegExp) => boolean): readonly Field[] {
  const [subcommand, ...rest] = operands
  const here: Field = { text: '.', known: true, glob: false }
  switch (subcommand?.text) {
    case 'checkout':
    case 'restore':
    case 'init':
      return rest
    case 'rm':
      return has(/^--cached$/) ? [] : rest
    case 'mv':
      return copiesOf('mv', rest, [])
    case 'clean':
      return rest.length === 0 ? [here] : rest
    case 'clone':
      return rest.length === 1 ? rest.flatMap(fileOfUrl) : rest.slice(-1)
    case 'worktree':
    case 'bundle':
      return /^(add|create)$/.test(rest[0]?.text ?? '') ? rest.slice(1, 2) : []
    default:
      return []
  }
}

/** The file name under which a download is saved. */
function fileOfUrl(url: Field): readonly Field[] {
  const name = basename(url.text.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#].*$/s, ''))
  return name === '' ? [] : [{ ...url, text: name.replace(/\.git$/, '') || name }]
}
