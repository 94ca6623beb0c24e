import { isDeepStrictEqual } from 'node:util'
import type { PatientLockOptions } from '../files/lock/lock.ts'
import { writeAtomically } from '../files/writing/atomic.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { holdsSecret } from './masked-setting.ts'
import { whileLocked } from './private-file.ts'
import { parseDocument, readJsonWithComments, readSettingsText } from './settings-document.ts'

/**
 * Adds rules to the user's allow list without duplicates. Keeps comments and layout. Creates a missing file. Throws `config` for
 * an unreadable file, `conflict` if another process holds the lock for 3 s, `permission`, `internal`.
 */
export async function saveAllowRules(
  path: string,
  rules: readonly string[],
  holder: PatientLockOptions,
): Promise<void> {
  await saveAdditions(
    path,
    { fields: [], lists: [{ field: ['permissions', 'allow'], values: rules }] },
    holder,
  )
}

/** Adds to settings, and leaves present values as they are. */
export interface SettingsAdditions {
  /** Set where they are absent. */
  readonly fields: readonly { readonly field: readonly string[]; readonly value: JsonValue }[]
  /** Entries of lists that do not have them. */
  readonly lists: readonly { readonly field: readonly string[]; readonly values: readonly JsonValue[] }[]
  /** They may hold secrets, so the file becomes the owner's alone. Default: it keeps its mode. */
  readonly isPrivate?: boolean
}

/** Adds fields and entries to a settings file. Keeps comments and layout. Throws as `saveAllowRules`. */
export async function saveAdditions(
  path: string,
  { fields, lists, isPrivate = false }: SettingsAdditions,
  holder: PatientLockOptions,
): Promise<void> {
  await whileLocked(path, holder, async () => {
    const { modify, applyEdits } = await import('jsonc-parser')
    const old = readSettingsText(path) ?? ''
    let text = old.trim() === '' ? '{}\n' : old
    let isChanged = false
    // Several additions may be for one list: each sees those before it.
    const current = async (field: readonly string[]) => valueAt(await parseDocument(text, path), field)
    const put = (at: readonly (string | number)[], value: JsonValue, isArrayInsertion = false) => {
      isChanged = true
      text = applyEdits(text, modify(text, [...at], value, { formattingOptions, isArrayInsertion }))
    }
    for (const { field, value } of fields) if ((await current(field)) === undefined) put(field, value)
    for (const { field, values } of lists) {
      const there = await current(field)
      const known = Array.isArray(there) ? there : []
      const added = values.filter((one) => !known.some((other) => isDeepStrictEqual(other, one)))
      if (added.length === 0) continue
      if (Array.isArray(there))
        for (const [i, value] of added.entries()) put([...field, known.length + i], value, true)
      else put(field, added)
    }
    if (isChanged) await writeAtomically(path, Buffer.from(text), isPrivate ? { mode: 0o600 } : {})
  })
}

/** Returns the value of a field of a document; `undefined` if there is none. */
export function valueAt(document: JsonValue | undefined, field: readonly string[]): JsonValue | undefined {
  return field.reduce(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    document,
  )
}

/**
 * Sets a field of a settings file, such as `['tui', 'theme']`; `undefined` removes it. Keeps comments and layout. A file that
 * gets a secret becomes the owner's alone. Throws as `saveAllowRules`.
 */
export async function saveSetting(
  path: string,
  field: readonly string[],
  value: JsonValue | undefined,
  holder: PatientLockOptions,
): Promise<void> {
  await whileLocked(path, holder, async () => {
    // A broken file is left as it is.
    await readJsonWithComments(path)
    const text = readSettingsText(path) ?? ''
    const old = text.trim() === '' ? '{}\n' : text
    const changed = value === undefined ? await without(old, field) : await withField(old, field, value)
    const isPrivate = value !== undefined && holdsSecret(field, value)
    await writeAtomically(path, Buffer.from(changed), isPrivate ? { mode: 0o600 } : {})
  })
}

async function withField(text: string, field: readonly string[], value: JsonValue): Promise<string> {
  const { modify, applyEdits } = await import('jsonc-parser')
  return applyEdits(text, modify(text, [...field], value, { formattingOptions }))
}

async function without(text: string, field: readonly string[]): Promise<string> {
  const { withoutField } = await import('./removed-field.ts')
  return withoutField(text, field)
}

const formattingOptions = { insertSpaces: true, tabSize: 2 }
