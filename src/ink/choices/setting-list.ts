import { oneLine } from '../../characters/one-line.ts'
import type { SettingActions, ShownSetting } from '../../frontend/setting-actions.ts'
import type { PickerItem } from '../picker/picker-item.ts'
import type { Picking } from '../picker/picking.ts'
import type { Store } from '../store.ts'

export interface SettingListOptions {
  readonly store: Store
  readonly picking: Picking
  readonly settings: SettingActions | undefined
  readonly note: (text: string) => void
  /** Sets the colours of the open screen too. */
  readonly chooseTheme: (name: string) => Promise<void>
}

/** Characters of a value that a row shows. */
const longestValue = 20

/** Stands for a secret, and must not be written back. */
const masked = '***'

/** Lists the settings, and lets the user change one: by choosing a value, or by writing it in the prompt. */
export class SettingList {
  readonly #options: SettingListOptions

  constructor(options: SettingListOptions) {
    this.#options = options
  }

  /** Sets a setting, or lists the values of one, or all settings. Throws `usage`, `config`. */
  async open(key: string | undefined, value: string | undefined): Promise<void> {
    const { settings, picking } = this.#options
    if (settings === undefined) return
    if (key !== undefined && value !== undefined) return this.#set(key, value)
    const all = await settings.list()
    const one = all.find((each) => each.key === key)
    if (one !== undefined) return this.#change(one)
    await picking.open({
      title: 'Which setting?',
      noun: 'setting',
      filter: key,
      keepsOrder: true,
      enter: 'changes it',
      items: all.map(rowOf),
      none: '',
      onChosen: (id) => this.#changeKey(id, all),
    })
  }

  #changeKey(key: string, all: readonly ShownSetting[]): Promise<void> | undefined {
    const one = all.find((each) => each.key === key)
    return one && this.#change(one)
  }

  /** Lists the values of a setting. Without a list, the prompt gets the command with the value in force. */
  async #change({ key, value, values, meaning = '', usual }: ShownSetting): Promise<void> {
    const { picking, store } = this.#options
    if (values === undefined) {
      const now = value === undefined || value.includes(masked) ? '' : plain(value)
      const text = `/config ${key} ${now}`
      return store.dispatch({ type: 'given_back', written: { text, pastes: [] } })
    }
    await picking.open({
      title: key,
      keepsOrder: true,
      items: values.map((one) => ({
        id: one,
        label: one,
        facts: [one === usual ? 'the default' : ''],
        preview: meaning,
        isCurrent: one === plain(value),
        isFocused: one === (plain(value) ?? usual),
      })),
      none: '',
      onChosen: (id) => this.#set(key, id),
    })
  }

  async #set(key: string, text: string): Promise<void> {
    const { settings, note, chooseTheme } = this.#options
    if (key === 'tui.theme') return chooseTheme(text)
    const told = await settings?.set(key, text)
    if (told !== undefined) note(told)
  }
}

function rowOf({ key, value, origin, usual = '', meaning = '' }: ShownSetting): PickerItem {
  const shown = oneLine(value ?? usual, longestValue)
  return {
    id: key,
    label: key,
    facts: [shown],
    preview: [meaning, origin === undefined ? `default: ${usual}` : `${value}, set in ${origin}`]
      .filter(Boolean)
      .join('\n'),
  }
}

/** Writes a JSON text without its quotes. */
function plain(value: string | undefined): string | undefined {
  return value?.replace(/^"(.*)"$/, '$1')
}
