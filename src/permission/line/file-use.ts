import { isAbsolute, resolve } from 'node:path'
import { isDescriptorPath, opensFile } from '../bash/descriptors.ts'
import { type Field, knownField, unknownField } from '../bash/fields.ts'
import type { CommandContext, FileUse } from '../command-line.ts'
import { filesInCode } from '../programs/code.ts'
import { commandName } from '../programs/command-name.ts'
import { programIn, programOf } from '../programs/program-table.ts'
import { type FilesRead, filesRead } from '../programs/read-only.ts'
import { followsLinks, isRecursive, startsBelow } from '../programs/recursive.ts'
import { filledBy, gatheredBy, mayWrite, targetsOf } from '../programs/targets.ts'
import { fieldsOf, textsOf } from '../programs/word-fields.ts'
import type { Execution } from './execution.ts'
import { enter, foldersOf } from './folders.ts'
import { namesRemoteFile } from './remote.ts'

/**
 * Every file that a line may open, as far as known: too many rather than too few. `keepsNames`: commands are what their names say,
 * so a word of `scp` or `rsync` may be a remote file.
 */
export function filesOf(
  execution: Execution,
  context: CommandContext,
  keepsNames: boolean,
): readonly FileUse[] {
  const folders = foldersOf(execution, context)
  const isLost = execution.folders.includes(undefined)
  const isBelow = execution.commands.some((one) => startsBelow(one).length > 0)
  const isScripted = isBelow && execution.commands.some((one) => programIn(one)?.isShell)
  const isCertain =
    execution.opaque === undefined && !execution.commands.some((one) => programIn(one)?.renames)
  const uses = new Map<string, FileUse>()
  const add = (field: Field, access: FileUse['access'], by: FileUse['by']) => {
    if (!field.known) uses.set(`${by} ${access} ?`, { path: undefined, access, glob: false, by })
    for (const text of field.known ? spellings(field.text) : []) {
      const isAnywhere = isLost || (access === 'write' && (by === 'redirect' ? isScripted : isBelow))
      if (isAnywhere && !/^[/~]/.test(text))
        uses.set(`${by} ${access} ?`, { path: undefined, access, glob: false, by })
      const entered = folders.map((folder) => enter(folder, text, context.home))
      // `/proc/PID/cwd` of another process leads elsewhere, so also keep the path as written.
      for (const path of isAbsolute(text) ? [...entered, resolve(text)] : entered) {
        uses.set(`${by} ${access} ${path}`, { path, access, glob: field.glob, by })
      }
    }
  }
  const back = mayWriteBack(execution)
  for (const { operator, target } of openedBy(execution)) {
    if (operator.includes('<')) add(target, 'read', 'redirect')
    if (operator.includes('>') || (back && operator === '<')) add(target, 'write', 'redirect')
  }
  for (const fields of execution.commands) {
    const name = commandName(fields)
    const program = programOf(name)
    const texts = textsOf(fields.slice(1))
    const follows = followsLinks(name, texts)
    const by = follows !== undefined ? 'links' : isRecursive(name, texts) ? 'tree' : 'word'
    const args = fields.filter(
      (field, i) =>
        i > 0 &&
        !isMessage(fields, i) &&
        !isName(fields, i) &&
        !(keepsNames && namesRemoteFile(fields, field)),
    )
    const named = isCertain ? namedFiles(fields) : undefined
    const isListing = program?.walksNames && named?.contents.length === 0
    if (follows === 'here') add(knownField('.'), isListing ? 'list' : 'read', by)
    const read = named === undefined ? args : [...fieldsOf(named.contents), ...args.filter(isOpen)]
    if (!program?.opensNone) for (const field of read) add(field, 'read', by)
    for (const field of fieldsOf(program?.mayRead?.(texts) ?? [])) add(field, 'read', 'word')
    for (const field of gatheredBy(fields)) add(field, 'read', 'tree')
    if (program?.readsListed?.(texts)) add(unknownField, 'read', 'word')
    for (const field of fieldsOf(named?.names ?? [])) add(field, 'list', by)
    if (named !== undefined) continue
    const { certain, possible } = targetsOf(fields)
    const more = mayWrite(fields)
    const isAny = more === 'any word' || more === 'any file'
    const maybe = more === undefined ? [] : args.filter(({ known }) => !known || isAny)
    for (const field of [...certain, ...possible, ...maybe])
      add(field, 'write', program?.mayWriteBelow ? 'tree' : by)
    for (const field of filledBy(fields)) add(field, 'write', 'tree')
    // An unknown folder is most often the project, which any program may write to.
    for (const field of program?.worksIn?.(fields.slice(1)) ?? [])
      if (field.known) add(field, 'write', 'walk')
  }
  for (const { files, mayWrite } of execution.code.map(filesInCode)) {
    for (const field of files?.map(knownField) ?? [unknownField]) {
      add(field, 'read', 'walk')
      if (mayWrite) add(field, 'write', 'walk')
    }
  }
  return [...uses.values()]
}

/** Whether an unknown word is certainly not a file. */
function isName(fields: readonly Field[], at: number): boolean {
  const subcommand = fields[1]
  if (subcommand?.known !== true || fields[at]?.known !== false) return false
  return programIn(fields)?.takesNames?.test(subcommand.text) === true
}

/** The redirects that open, or may open, a file. */
export function openedBy({ redirects }: Execution): Execution['redirects'] {
  return redirects.filter(
    ({ operator, target }) => !target.known || target.glob || opensFile({ operator, target: target.text }),
  )
}

/** Whether something writes to a descriptor's path, which may be a file that a redirect opened for reading. */
function mayWriteBack({ redirects, commands }: Execution): boolean {
  const isDescriptor = ({ text }: Field) => isDescriptorPath(text)
  return (
    redirects.some(({ operator, target }) => operator.includes('>') && isDescriptor(target)) ||
    commands.some((fields) => mayWriteTo(fields).some(isDescriptor))
  )
}

/** The words that a command may write to. */
function mayWriteTo(fields: readonly Field[]): readonly Field[] {
  if (mayWrite(fields) === 'any file') return fields
  const { certain, possible } = targetsOf(fields)
  return [...certain, ...possible]
}

/** Characters. A longer command counts as opening every file among its words. */
const longest = 2_000

/** The files that a command reads; `undefined` if it may do more than read. */
function namedFiles(fields: readonly Field[]): FilesRead | undefined {
  const words = textsOf(fields)
  if (!fields.every(({ known }) => known) || words.join(' ').length > longest) return undefined
  return filesRead(
    words,
    fields.some(({ glob }) => glob),
  )
}

/** Whether a word may name files besides the operands: through an option's value or a glob. */
function isOpen({ text, glob }: Field): boolean {
  return glob || text.startsWith('-')
}

/** Whether a word is a message to record. After another option, `-m` may be that option's value instead. */
function isMessage(fields: readonly Field[], at: number): boolean {
  if (!programIn(fields)?.recordsMessage?.test(fields[1]?.text ?? '')) return false
  const [before, option, word] = fields.slice(at - 2, at + 1)
  if (word?.text.startsWith('--message=') === true) return true
  return /^(-[a-z]*m|--message)$/.test(option?.text ?? '') && before?.known === true && !isOpen(before)
}

/** Possible file names in a word: the word itself, an option's value, the part after `@`, `if=` or `HEAD:`. */
function spellings(text: string): readonly string[] {
  // The value is a pattern to exclude or search for, not a file to open.
  if (/^--(exclude(-dir)?|grep)=/.test(text)) return []
  const inside = [/^[^=]*=(.+)$/s, /^[^:]*:(.+)$/s, /^.*?@(.+)$/s, /^-[A-Za-z](.+)$/s].flatMap((pattern) => {
    const found = pattern.exec(text)?.[1]
    return found === undefined ? [] : [found]
  })
  const all = text.startsWith('-') ? inside : [text, ...inside]
  return all.map((one) => one.replace(/^file:\/\//, ''))
}
