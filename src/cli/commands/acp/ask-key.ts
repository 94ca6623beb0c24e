import { PipeError } from '../../../error.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { readKeyText } from '../../wiring/model/provider-keys.ts'
import { openKeyStore } from '../../wiring/model/saved-keys.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { readSecret } from '../secret.ts'

/** Asks for a key in the terminal of an editor and stores it. Throws `input` for none, or one that does not tell its provider, and `auth`. */
export async function askKey({ host, flags, signal, interruption }: RunContext): Promise<void> {
  const { settings } = await readAllSettings(host, readOwnSettings(flags))
  const keys = await openKeyStore({ machine: host, settings })
  const key = readKeyText(await readSecret('Key of a provider (hidden): ', interruption))
  const provider = keys.providerOf(key)
  if (provider === undefined)
    throw new PipeError(
      'input',
      'pipe cannot tell which provider this key belongs to; nothing was stored. Use: pipe auth set PROVIDER',
    )
  host.stdout.write(`${await keys.store(provider, key, signal)}\n`)
}
