import { changeKeys } from '../../../config/auth-file.ts'
import { findDirectories } from '../../../config/directories.ts'
import { PipeError } from '../../../error.ts'
import { lockHolder } from '../../machine.ts'
import type { RunContext } from '../../run-context.ts'
import { keyHolder } from '../../wiring/model/chosen-server.ts'
import { findKey, openKeys } from '../../wiring/model/provider-keys.ts'
import { findModelInUse } from '../../wiring/model/required-model.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import type { Choices } from '../../wiring/run-choices.ts'

/** Deletes the stored key of the provider that a new conversation would use. Throws `not_found` if its key is not stored, `config`, `auth`. */
export async function signOut({ host }: RunContext, usual: Choices, signal: AbortSignal): Promise<void> {
  const { name } = (await findModelInUse(host, usual, signal)).provider
  const { settings } = await readAllSettings(host, usual)
  const stored = await openKeys(host)
  const source = findKey(keyHolder(name, settings), { env: host.env, stored })?.source
  if (source === undefined) throw new PipeError('not_found', `${name} needs no key`)
  if (!stored.has(name))
    throw new PipeError('not_found', `the key of ${name} comes from ${source}: unset it there`)
  const { config } = findDirectories(host.env, host.home)
  await changeKeys(config, (keys) => keys.delete(name), lockHolder(host, signal))
  if (source !== 'auth.json')
    throw new PipeError(
      'not_found',
      `the stored key of ${name} is deleted, but ${source} is set and is still used`,
    )
}
