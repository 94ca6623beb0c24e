import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { look, lookThrough } from '../files/look.ts'
import { followed } from '../files/real-path.ts'
import { systemCode } from '../files/system-error.ts'
import { type JsonValue, parseJson } from '../json-value.ts'
import { isWithin } from '../machine/path.ts'
import { ok, type Result, refused } from '../machine/result.ts'

/** Largest document of a plugin or marketplace, in bytes. Public lists of plugins have some hundred KiB. */
const mostBytes = 4 * 1024 * 1024

/** Reads a JSON file below a folder; `undefined` if there is none. Refuses one that is broken, too large or leads out. */
export function readJsonFile(root: string, path: string): Result<JsonValue | undefined> {
  const place = join(root, path)
  if (look(place) === undefined) return ok(undefined)
  if (!isWithin(followed(place), followed(root))) return refused(`${path} leads out`)
  const found = lookThrough(place)
  if (found?.isFile() !== true) return refused(`${path} is no file`)
  if (found.size > mostBytes) return refused(`${path} has more than 4 MiB`)
  try {
    const value = parseJson(readFileSync(place, 'utf8').replace(/^\uFEFF/, ''))
    return value === undefined ? refused(`${path} is not valid JSON`) : ok(value)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return refused(`${path} cannot be read: ${code}`)
  }
}
