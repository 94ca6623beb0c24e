import type { ModelChoice } from '../../../engine.ts'
import { hasCode } from '../../../error.ts'
import type { Machine } from '../../machine.ts'
import { readAllSettings } from '../read-settings.ts'
import type { Choices } from '../run-choices.ts'
import { chooseModel, lazyCatalog } from './chosen-model.ts'
import { openTransport } from './open-network.ts'

/** Finds the model that a new conversation would use. Throws `usage`, `config` or `auth` if there is none. */
export async function findModelInUse(
  machine: Machine,
  choices: Choices,
  signal: AbortSignal,
): Promise<ModelChoice> {
  const { settings } = await readAllSettings(machine, choices)
  const transport = openTransport(machine, settings)
  try {
    const catalog = lazyCatalog(settings)
    const sources = { choices, settings, session: undefined, machine, transport, signal, catalog }
    return (await chooseModel(sources)).choice
  } finally {
    transport.close()
  }
}

/**
 * Checks the model of a task. Throws `usage` or `config` for a name that stands for no model in the folder of `machine`, `input` for a
 * recording that is not there. A model that lacks only its key passes: a worker may have it.
 */
export async function requireModel(machine: Machine, choices: Choices, signal: AbortSignal): Promise<void> {
  try {
    await findModelInUse(machine, { ...choices, interactive: false }, signal)
  } catch (error) {
    if (!hasCode(error, 'auth')) throw error
  }
}
