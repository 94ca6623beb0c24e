import { settingFacts } from '../../../config/setting-facts.generated.ts'
import type { SettingActions, ShownSetting } from '../../../frontend/setting-actions.ts'
import { belowHome } from '../../../machine/path.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { keepSetting, ownFile } from './change-settings.ts'
import { type SettingRow, settingRows, sourcesOf } from './show-settings.ts'

/** Opens the settings for a front end. Changes go to the user's own file. */
export function openSettingActions(context: RunContext): SettingActions {
  const rows = async () =>
    settingRows(await readAllSettings(context.host, readOwnSettings(context.flags))).map((row) =>
      shownSetting(row, context),
    )
  return {
    list: async () => {
      const set = await rows()
      const known = new Set(set.map(({ key }) => key))
      const others = Object.entries(settingFacts).filter(([key]) => !known.has(key))
      return [...set, ...others.map(([key, facts]) => ({ key, ...facts }))]
    },
    set: async (key, text) => {
      const file = ownFile(context)
      const told = await keepSetting(key, text, { context, file })
      const origin = (await rows()).find((row) => row.key === key)?.origin
      const path = belowHome(file.path, context.host.home)
      return origin === undefined || origin.split(', ').includes(path)
        ? `${told}; ${countsFrom(key)}`
        : `${told}; ${origin} sets it too, and counts more`
    },
  }
}

function shownSetting(row: SettingRow, { host }: RunContext): ShownSetting {
  const origin = sourcesOf(row)
    .map((name) => belowHome(name, host.home))
    .join(', ')
  return { key: row.key, value: JSON.stringify(row.value), origin, ...settingFacts[row.key] }
}

/** Says from when on a change counts: what the screen and a conversation read, they read when they open. */
function countsFrom(key: string): string {
  return key.startsWith('tui.')
    ? 'it counts from the next start on'
    : 'it counts from the next conversation on'
}
