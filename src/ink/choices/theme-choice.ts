import { PipeError } from '../../error.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { nearest } from '../../ranking/nearest.ts'
import type { PickerItem } from '../picker/picker-item.ts'
import type { Picking } from '../picker/picking.ts'
import { type ThemeName, type ThemeSetting, themeNames } from '../rows/theme.ts'
import type { Store } from '../store.ts'
import { themeSample } from './theme-sample.ts'

export interface ThemeChoiceOptions {
  readonly store: Store
  readonly api: Pick<FrontendApi, 'saveTheme'>
  readonly picking: Picking
  readonly note: (text: string) => void
  /** The user's setting at the start. */
  readonly setting: ThemeSetting
}

const settings: readonly ThemeSetting[] = ['auto', ...themeNames]

const meanings: Readonly<Record<ThemeSetting, string>> = {
  auto: 'follows the background of the terminal',
  dark: 'for a dark background',
  light: 'for a light background',
  ansi: 'the 16 colours of the terminal',
  none: 'no colour',
}

/** Lets the user choose the colours of the screen. */
export class ThemeChoice {
  readonly #options: ThemeChoiceOptions
  #setting: ThemeSetting
  /** The theme that the terminal decided. */
  #auto: ThemeName

  constructor(options: ThemeChoiceOptions) {
    this.#options = options
    this.#setting = options.setting
    this.#auto = options.store.screen.theme
  }

  /** Sets a theme by its name, or lists all: each is shown while it has the focus. Throws `usage` for an unknown name. */
  async choose(name: string | undefined): Promise<void> {
    const { store, picking } = this.#options
    if (this.#setting === 'auto') this.#auto = store.screen.theme
    if (name !== undefined) return this.#set(readTheme(name))
    const before = store.screen.theme
    await picking.open({
      title: 'Colours',
      items: settings.map((one) => this.#item(one)),
      none: '',
      onFocused: (id) => this.#show(readTheme(id)),
      onLeft: () => store.dispatch({ type: 'theme', theme: before }),
      onChosen: (id) => this.#set(readTheme(id)),
    })
  }

  #item(setting: ThemeSetting): PickerItem {
    const isCurrent = setting === this.#setting
    return {
      id: setting,
      label: setting,
      facts: [meanings[setting]],
      isFocused: isCurrent,
      isCurrent,
      sample: themeSample,
    }
  }

  async #set(setting: ThemeSetting): Promise<void> {
    this.#show(setting)
    this.#setting = setting
    const note = await this.#options.api.saveTheme?.(setting)
    if (note !== undefined) this.#options.note(note)
  }

  #show(setting: ThemeSetting): void {
    this.#options.store.dispatch({ type: 'theme', theme: setting === 'auto' ? this.#auto : setting })
  }
}

function readTheme(name: string): ThemeSetting {
  const found = settings.find((one) => one === name)
  if (found !== undefined) return found
  const near = nearest(name, settings)
  const hint = near === undefined ? `choose ${settings.join(', ')}` : `did you mean ${near}?`
  throw new PipeError('usage', `no theme ${name}: ${hint}`)
}
