import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readAuthFile } from '../../../config/auth-file.ts'
import type { Directories } from '../../../config/directories.ts'
import type { Settings } from '../../../config/settings.ts'
import { readOwnSettings } from '../../choices.ts'
import type { Flags } from '../../flags.ts'
import type { Machine } from '../../machine.ts'
import { keyHolder, providerNames } from '../../wiring/model/chosen-server.ts'
import { findKey } from '../../wiring/model/provider-keys.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { broken, type CheckContext, type Checkup } from './checkup.ts'

/** Checks the settings files and returns the merged settings; empty if a file is broken. */
export async function checkSettingsFiles(
  machine: Machine,
  flags: Flags,
  directories: Directories,
): Promise<{ readonly settings: Settings; readonly checks: readonly Checkup[] }> {
  try {
    const { settings, layers, warnings, peer } = await readAllSettings(machine, readOwnSettings(flags))
    const files = layers.flatMap(({ source }) => (existsSync(source.name) ? [source.name] : []))
    const text =
      files.length === 0
        ? `none; they would be in ${join(directories.config, 'config.json')}`
        : files.join(', ')
    const problems = warnings.map(
      (warning): Checkup => ({ name: 'settings', state: 'missing', text: warning }),
    )
    const remarks = [...peer.taken, ...peer.ignored].map(
      (text): Checkup => ({ name: 'settings', state: 'ok', text }),
    )
    return { settings, checks: [{ name: 'settings', state: 'ok', text }, ...remarks, ...problems] }
  } catch (error) {
    return { settings: {}, checks: [broken('settings', error)] }
  }
}

/** Reports which keys are known and their sources, never a key. */
export async function checkKeys({
  machine,
  settings,
  directories,
}: CheckContext): Promise<readonly Checkup[]> {
  try {
    const { keys, warnings } = await readAuthFile(directories.config)
    const found = providerNames(settings).flatMap((name) => {
      const key = findKey(keyHolder(name, settings), { env: machine.env, stored: keys })
      return key === undefined ? [] : [`${name} (${key.source})`]
    })
    const text = found.join(', ')
    const checkup: Checkup =
      text === ''
        ? {
            name: 'keys',
            state: 'missing',
            text: 'none',
            remedy: 'pipe auth set PROVIDER, or export the variable that it reads',
          }
        : { name: 'keys', state: 'ok', text }
    return [
      checkup,
      ...warnings.map((warning): Checkup => ({ name: 'keys', state: 'missing', text: warning })),
    ]
  } catch (error) {
    return [broken('keys', error)]
  }
}
