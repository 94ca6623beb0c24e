import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { readPrivateFile, writePrivateFile } from '../../../config/private-file.ts'
import type { JsonValue } from '../../../json-value.ts'
import { lockHolder, type Machine } from '../../machine.ts'
import { createRandomBytes } from '../../random.ts'

const pattern = /^[A-Za-z0-9_-]{43}$/

/**
 * Reads the token of this user's servers from `serve.json`, and makes one of 256 random bits where there is none. It stays the same, so
 * that a phone needs to be told once; deleting the file makes another. Throws `config`, and `conflict` if the file is locked.
 */
export async function openToken(machine: Machine, signal: AbortSignal): Promise<string> {
  const path = join(findDirectories(machine.env, machine.home).config, 'serve.json')
  const known = async () => {
    const { fields, warnings } = await readPrivateFile(path)
    for (const warning of warnings) machine.warn(warning)
    return readToken(fields?.['token'])
  }
  const found = await known()
  if (found !== undefined) return found
  let token = ''
  await writePrivateFile(
    path,
    async () => {
      token = (await known()) ?? Buffer.from(createRandomBytes()(32)).toString('base64url')
      return { token }
    },
    lockHolder(machine, signal),
  )
  return token
}

function readToken(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}
