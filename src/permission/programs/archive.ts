import type { Field } from '../bash/fields.ts'
import { fieldsAfter } from './arguments.ts'

/**
 * Returns the paths that tar writes or removes: extracted files and their folder, the archive that it makes, or files deleted with
 * `--remove-files`.
 */
export function archiveTargets(args: readonly Field[], operands: readonly Field[]): readonly Field[] {
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
