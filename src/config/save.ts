import { dirname } from 'node:path'
import { writeAtomically } from '../files/atomic.ts'
import { type PatientLockOptions, waitForLock } from '../files/lock.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { isJsonObject } from '../json-value.ts'
import { readDocument, readText } from './document.ts'

/**
 * Adds rules to what the user's settings allow; those that stand there already are left alone. Comments and layout stay as they
 * are. A file that is not there is made. Throws `config` for one that cannot be read, `conflict` where another process is at
 * it for 3 s, `permission`, `internal`.
 */
export async function saveAllowRules(
  path: string,
  rules: readonly string[],
  holder: PatientLockOptions,
): Promise<void> {
  makePrivateFolder(dirname(path))
  const lock = await waitForLock(`${path}.lock`, holder)
  try {
    const document = await readDocument(path)
    const old = readText(path) ?? ''
    const known = allowedIn(document)
    const { modify, applyEdits } = await import('jsonc-parser')
    let text = old.trim() === '' ? '{}\n' : old
    let end = known?.length ?? 0
    for (const rule of rules.filter((one) => known?.includes(one) !== true)) {
      const place =
        known === undefined && end === 0 ? ['permissions', 'allow'] : ['permissions', 'allow', end]
      const value = place.length === 2 ? [rule] : rule
      const options = {
        formattingOptions: { insertSpaces: true, tabSize: 2 },
        isArrayInsertion: place.length === 3,
      }
      text = applyEdits(text, modify(text, place, value, options))
      end++
    }
    if (text !== old) await writeAtomically(path, Buffer.from(text))
  } finally {
    lock.release()
  }
}

/** The list as it stands; `undefined` where there is none yet. */
function allowedIn(document: unknown): readonly unknown[] | undefined {
  const permissions = isJsonObject(document) ? document['permissions'] : undefined
  const allow = isJsonObject(permissions) ? permissions['allow'] : undefined
  return Array.isArray(allow) ? allow : undefined
}
