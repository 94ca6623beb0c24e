import type { Field } from '../bash/fields.ts'
import { cdOption, valuesAfter } from '../programs/arguments.ts'
import { commandName } from '../programs/command-name.ts'
import { findStarts, runsBelow } from '../programs/find.ts'

/** Start folders of one `find`; with more, all count as unknown. */
const mostStarts = 8

/** Folders that a command changes to, or runs others in, as written; `undefined` for one that is not known. */
export function enteredFolders(fields: readonly Field[]): readonly (string | undefined)[] {
  const args = fields.slice(1)
  switch (commandName(fields)) {
    case 'cd':
    case 'pushd': {
      const field = args.find(({ text }) => !cdOption.test(text))
      return [field === undefined ? '~' : folderOf(field)]
    }
    case 'env':
      return valuesAfter(ownOptions(args), /^(-[A-Za-z]*C|--c[a-z]*)/)
    case 'sudo':
      return valuesAfter(ownOptions(args), /^(-[A-Za-z]*D|--chd[a-z]*)/)
    case 'find': {
      if (!runsBelow(fields)) return []
      const starts = findStarts(args)
      return starts.length > mostStarts ? [undefined] : starts.map(folderOf)
    }
    default:
      return []
  }
}

function folderOf({ text, known, glob }: Field): string | undefined {
  return known && !glob && text !== '-' ? text : undefined
}

/** Words before the command that `env` or `sudo` runs. A glob among them counts as unknown. */
function ownOptions(args: readonly Field[]): readonly Field[] {
  const isOwn = ({ text }: Field, i: number) =>
    /^-|=/.test(text) || /^-[A-Za-z]*[CDugU]$|^--[a-z-]+$/.test(args[i - 1]?.text ?? '')
  const end = args.findIndex((field, i) => !isOwn(field, i))
  const own = end === -1 ? args : args.slice(0, end)
  return own.map((field) => ({ ...field, known: field.known && !field.glob }))
}
