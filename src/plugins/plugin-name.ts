import { ok, type Result, refused } from '../machine/result.ts'

/** The names of plugins and marketplaces, which are names of folders and parts of names of commands too. */
export const pluginNameForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** Names fields of a document, none of which can forge a line. */
export function shownFields(fields: readonly string[]): string {
  const shown = fields.slice(0, 8).map((one) => `the field ${JSON.stringify(one.slice(0, 40))}`)
  return shown.join(', ') + (fields.length > 8 ? ` and ${fields.length - 8} more` : '')
}

/** Turns a name into a plain one: blanks and dots become `-`. Refuses one that could be a path or hides characters. */
export function readPluginName(text: string): Result<string> {
  const name = text.trim()
  const spelled = JSON.stringify(name.slice(0, 80))
  if (/[\p{C}\p{Zl}\p{Zp}/\\]|\.\./u.test(name)) return refused(`${spelled} is not a name`)
  const plain = name.replace(/[^\w-]+/g, '-').replace(/^[-_]+|-+$/g, '')
  return pluginNameForm.test(plain)
    ? ok(plain)
    : refused(`${spelled} is not a name: it takes 1 to 64 letters, digits, _ and -`)
}
