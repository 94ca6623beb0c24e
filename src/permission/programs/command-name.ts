import type { Field } from '../bash/fields.ts'

/** A command's name, without its folder and in lower case. */
export function commandName(fields: readonly Field[]): string {
  return (fields[0]?.text.split('/').at(-1) ?? '').toLowerCase()
}

const systemFolders = /^\/(usr\/(local\/)?)?s?bin\/(?=[^/]+$)/

/** The plain name of a system command. Any other path stays as it is. */
export function systemName(word: string): string {
  return word.replace(systemFolders, '')
}
