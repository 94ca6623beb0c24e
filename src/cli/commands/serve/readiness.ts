import { findDirectories } from '../../../config/directories.ts'
import { PipeError } from '../../../error.ts'
import type { Machine } from '../../machine.ts'
import { findModelInUse } from '../../wiring/model/required-model.ts'
import type { Choices } from '../../wiring/run-choices.ts'
import { tryToWrite } from '../../wiring/try-to-write.ts'

/**
 * Throws the reason why no turn could run: `storage` if sessions cannot be written, `config` or `auth` if there is no model to ask. Asks
 * only local servers over the network, and these only if no model is set and no key is known.
 */
export async function requireReady(machine: Machine, choices: Choices, signal: AbortSignal): Promise<void> {
  const { sessions } = findDirectories(machine.env, machine.home)
  const { refusal } = tryToWrite(sessions)
  if (refusal !== undefined) throw new PipeError('storage', refusal.message)
  await findModelInUse(machine, choices, signal)
}
