import { isJsonObject, type JsonObject, type JsonValue, textField } from '../../json-value.ts'
import { counted } from './amount.ts'

/** Counts the new errors that language servers found after a call, such as `2 new errors`. Empty for none. */
export function errorCount(details: JsonValue | undefined): string {
  const count = errorsIn(details).length
  return count === 0 ? '' : counted(count, 'new error')
}

/** Lists the new errors that language servers found after a call, each as `PATH:LINE:COLUMN MESSAGE`, and how many more there are. */
export function errorLines(details: JsonValue | undefined, most: number): readonly string[] {
  const errors = errorsIn(details)
  const more = errors.length - most
  const rows = errors.slice(0, most).map(({ path, error }) => {
    const { line, column } = error
    return `${path}:${String(line)}:${String(column)} ${textField(error, 'message') ?? ''}`
  })
  return more > 0 ? [...rows, `… ${more} more`] : rows
}

function errorsIn(
  details: JsonValue | undefined,
): readonly { readonly path: string; readonly error: JsonObject }[] {
  const files = isJsonObject(details) ? details['diagnostics'] : undefined
  if (!Array.isArray(files)) return []
  return files.flatMap((file: JsonValue) => {
    const found = isJsonObject(file) ? file['new'] : undefined
    if (!Array.isArray(found)) return []
    const path = textField(file, 'path') ?? ''
    return found.filter(isJsonObject).map((error) => ({ path, error }))
  })
}
