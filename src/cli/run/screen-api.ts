import { join } from 'node:path'
import { findDirectories } from '../../config/directories.ts'
import { saveSetting } from '../../config/save.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { readOwnSettings } from '../choices.ts'
import { lockHolder } from '../machine.ts'
import type { RunContext } from '../run-context.ts'
import { readAllSettings } from '../wiring/read-settings.ts'
import { previewReader } from './screen/preview-reader.ts'

/** Functions that only a screen has. What they need is loaded when one is used. */
export type ScreenApi = Required<
  Pick<FrontendApi, 'models' | 'usualModels' | 'saveTheme' | 'keys' | 'sessionPreview'>
>

/** Creates the functions of a screen. */
export function screenApi(context: RunContext): ScreenApi {
  const { host, flags, signal } = context
  const settings = () => readAllSettings(host, readOwnSettings(flags))
  const offers = () => import('../wiring/model/offered-models.ts')
  return {
    models: async function* (stop, current) {
      const { offerModels } = await offers()
      const loaded = await settings()
      yield* offerModels({
        machine: host,
        settings: loaded.settings,
        signal: AbortSignal.any([signal, stop]),
        current,
      })
    },
    usualModels: async () =>
      (await offers()).usualModels({ machine: host, settings: (await settings()).settings }),
    sessionPreview: previewReader(host),
    saveTheme: themeSaver(context),
    keys: async () => {
      const { openKeyStore } = await import('../wiring/model/saved-keys.ts')
      return openKeyStore({ machine: host, settings: (await settings()).settings })
    },
  }
}

/** Creates the function that keeps a theme in the user's settings. */
export function themeSaver({ host, signal }: Pick<RunContext, 'host' | 'signal'>) {
  return async (theme: string): Promise<string> => {
    const path = join(findDirectories(host.env, host.home).config, 'config.json')
    await saveSetting(path, ['tui', 'theme'], theme, lockHolder(host, signal))
    return `colours: ${theme}, saved in ${path}`
  }
}
