import type { PatientLockOptions } from '../files/lock/lock.ts'
import { writeAtomically } from '../files/writing/atomic.ts'
import { isJsonObject } from '../json-value.ts'
import { whileLocked } from './private-file.ts'
import { readJsonWithComments, readSettingsText } from './settings-document.ts'

/**
 * Adds rules to the user's allow list without duplicates. Keeps comments and layout. Creates a missing file. Throws `config` for
 * an unreadable file, `conflict` if another process holds the lock for 3 s, `permission`, `internal`.
 */
export async function saveAllowRules(
  path: string,
  rules: readonly string[],
  holder: PatientLockOptions,
): Promise<void> {
  await whileLocked(path, holder, async () => {
    const known = allowedIn(await readJsonWithComments(path))
    const added = rules.filter((rule) => known?.includes(rule) !== true)
    if (added.length === 0) return
    const text = await insert(readSettingsText(path) ?? '', added, known?.length)
    await writeAtomically(path, Buffer.from(text))
  })
}

/** Sets one of the user's settings, such as `['tui', 'theme']`. Keeps comments and layout. Throws as `saveAllowRules`. */
export async function saveSetting(
  path: string,
  field: readonly string[],
  value: string,
  holder: PatientLockOptions,
): Promise<void> {
  await whileLocked(path, holder, async () => {
    // A broken file is left as it is.
    await readJsonWithComments(path)
    const { modify, applyEdits } = await import('jsonc-parser')
    const text = readSettingsText(path) ?? ''
    const old = text.trim() === '' ? '{}\n' : text
    const changed = applyEdits(old, modify(old, [...field], value, { formattingOptions }))
    await writeAtomically(path, Buffer.from(changed))
  })
}

const formattingOptions = { insertSpaces: true, tabSize: 2 }

/** `known`: number of existing rules; `undefined` if there is no list. */
async function insert(text: string, rules: readonly string[], known: number | undefined): Promise<string> {
  const { modify, applyEdits } = await import('jsonc-parser')
  const list = ['permissions', 'allow']
  const old = text.trim() === '' ? '{}\n' : text
  if (known === undefined) return applyEdits(old, modify(old, list, rules, { formattingOptions }))
  const options = { formattingOptions, isArrayInsertion: true }
  return rules.reduce(
    (all, rule, i) => applyEdits(all, modify(all, [...list, known + i], rule, options)),
    old,
  )
}

/** Returns the existing list; `undefined` if there is none. */
function allowedIn(document: unknown): readonly unknown[] | undefined {
  const permissions = isJsonObject(document) ? document['permissions'] : undefined
  const allow = isJsonObject(permissions) ? permissions['allow'] : undefined
  return Array.isArray(allow) ? allow : undefined
}
