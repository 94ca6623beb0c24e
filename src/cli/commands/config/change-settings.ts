import { existsSync } from 'node:fs'
import { holdsSecret, maskedSetting } from '../../../config/masked-setting.ts'
import { saveSetting, valueAt } from '../../../config/save.ts'
import { readSettings, requirePermissions } from '../../../config/settings.ts'
import { readJsonWithComments } from '../../../config/settings-document.ts'
import { PipeError } from '../../../error.ts'
import { writeAtomically } from '../../../files/writing/atomic.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { lockHolder } from '../../machine.ts'
import { editFile } from '../../run/screen/user-editor.ts'
import type { RunContext } from '../../run-context.ts'
import { readValue, requireProjects } from './checked-setting.ts'
import { parseSettingKey, spellKey } from './setting-key.ts'
import { type SettingsFile, settingsFile } from './settings-file.ts'

/** Sets a setting in the file of `--scope`, and prints it. Throws as `keepSetting`. */
export async function setSetting(key: string, words: readonly string[], context: RunContext): Promise<void> {
  const { host } = context
  const file = settingsFile(context)
  const told = await keepSetting(key, words.join(' '), { context, file })
  host.stdout.write(`${told}\n`)
  if (spellKey(parseSettingKey(key)) === 'permissions.allow' && file.scope !== 'user')
    printWarning(host, 'these rules take effect once you approve them: pipe trust')
}

/** Sets a setting in a file. Keeps everything else in it, comments included. Returns a line that says so. Throws `usage`, `config`. */
export async function keepSetting(
  key: string,
  text: string,
  { context, file }: { readonly context: RunContext; readonly file: SettingsFile },
): Promise<string> {
  const { host, signal } = context
  const field = parseSettingKey(key)
  const value = await readValue(field, text)
  if (file.scope !== 'user') {
    await requireProjects(field, value, ownFile(context))
    if (holdsSecret(field, value))
      throw new PipeError('usage', 'a secret does not belong in a project file; leave out --scope')
  }
  await requireObjects(field, file)
  await saveSetting(file.path, field, value, lockHolder(host, signal))
  const shown = visibleLine(JSON.stringify(maskedSetting(field, value)))
  return `${visibleLine(spellKey(field))} = ${shown} in ${visibleLine(file.path)}`
}

/** Removes a setting from the file of `--scope`. Returns 1 if it was not there. Throws `config`. */
export async function unsetSetting(key: string, context: RunContext): Promise<number> {
  const { host, signal } = context
  const field = parseSettingKey(key)
  const { path } = settingsFile(context)
  if (valueAt(await readJsonWithComments(path), field) === undefined) {
    printWarning(host, `${visibleLine(path)} does not set ${visibleLine(spellKey(field))}`)
    return 1
  }
  await saveSetting(path, field, undefined, lockHolder(host, signal))
  host.stdout.write(`removed ${visibleLine(spellKey(field))} from ${visibleLine(path)}\n`)
  return 0
}

/** Opens the file of `--scope` in the editor, and checks it afterwards. Throws `config` for what cannot be used, `tool`. */
export async function editSettings(context: RunContext): Promise<void> {
  const { host } = context
  const file = settingsFile(context)
  // A new file is the owner's alone, because keys may be written into it.
  if (!existsSync(file.path))
    await writeAtomically(file.path, Buffer.from('{}\n'), file.scope === 'user' ? { mode: 0o600 } : {})
  await editFile(file.path, host, `look at ${file.path}`)
  if (file.scope === 'user') await readSettings(file.path)
  else await requirePermissions((await readJsonWithComments(file.path)) ?? {}, file.path)
}

/** Returns the user's own file. */
export function ownFile({ host, flags }: RunContext): SettingsFile {
  return settingsFile({ host, flags: flags.with('scope', 'user') })
}

/** Throws `config` where a value that is no object stands on the way to a setting. */
async function requireObjects(field: readonly string[], { path }: SettingsFile): Promise<void> {
  const document = await readJsonWithComments(path)
  for (const depth of field.keys()) {
    const value = valueAt(document, field.slice(0, depth))
    if (value === undefined) return
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new PipeError(
        'config',
        `${path}: ${spellKey(field.slice(0, depth)) || 'the document'} is not an object`,
      )
  }
}
