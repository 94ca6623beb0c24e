import { isJsonObject, type JsonValue, textField } from '../../json-value.ts'
import type { FormatterEntry, LanguageEntry } from '../../machine/language-setup.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { fileEnding } from '../own-choices.ts'

/** The programs that a settings file names to follow edits, and the one for the status. */
export interface EditPrograms {
  /** False: no language server runs. */
  readonly languages: readonly LanguageEntry[] | false
  readonly formatters: readonly FormatterEntry[]
  /** A command line. Absent: none. */
  readonly statusLine?: string
  /** Say what cannot be used, a field each. */
  readonly faults: readonly string[]
}

/** Holds the fields of settings that name such programs. */
export interface NamedPrograms {
  readonly lsp?: unknown
  readonly formatters?: unknown
  readonly tui?: unknown
}

/** Reads `lsp`, `formatters` and `tui.status_line` of settings. A broken entry costs only itself. */
export function readEditPrograms({ lsp, formatters, tui }: NamedPrograms): EditPrograms {
  const faults: string[] = []
  const languages = Object.entries(isJsonObject(lsp) ? lsp : {}).flatMap(([name, fields]) => {
    const entry = readLanguage(name, fields)
    if (typeof entry !== 'string') return [entry]
    faults.push(`lsp.${shortKey(name)}: ${entry}`)
    return []
  })
  const programs = Object.entries(isJsonObject(formatters) ? formatters : {}).flatMap(
    ([extension, value]) => {
      const command = readWords(value)
      if (fileEnding.test(extension) && command !== undefined) return [{ extension, command }]
      faults.push(
        `formatters.${shortKey(extension)}: expected a file extension such as ".ts" with a list of words`,
      )
      return []
    },
  )
  const statusLine = isJsonObject(tui) ? tui['status_line'] : undefined
  const isLine = typeof statusLine === 'string' && statusLine !== ''
  if (statusLine !== undefined && !isLine) faults.push('tui.status_line: expected a command line')
  return {
    languages: lsp === false ? false : languages,
    formatters: programs,
    ...(isLine && { statusLine }),
    faults,
  }
}

/** Returns why an entry cannot be used instead of it. */
function readLanguage(name: string, fields: JsonValue): LanguageEntry | string {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name) || !isJsonObject(fields)) return 'expected an object'
  const { command, extensions, initialization_options: initialization, disabled } = fields
  const words = readWords(command)
  const endings = readWords(extensions)
  if (command !== undefined && words === undefined) return 'command: expected a list of words'
  if (extensions !== undefined && endings?.every((one) => fileEnding.test(one)) !== true)
    return 'extensions: expected file extensions such as .ts'
  return {
    name,
    ...omitUndefined({
      command: words,
      extensions: endings,
      languageId: textField(fields, 'language_id'),
      initialization: isJsonObject(initialization) ? initialization : undefined,
      isDisabled: disabled === true ? true : undefined,
    }),
  }
}

function readWords(value: JsonValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const words = value.filter((one): one is string => typeof one === 'string' && one !== '')
  return words.length === value.length ? words : undefined
}

function shortKey(key: string): string {
  return JSON.stringify(key.slice(0, 40))
}
