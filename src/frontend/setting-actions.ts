/** A setting, as a list shows it. */
export interface ShownSetting {
  /** Names joined by dots, such as `tui.theme`. */
  readonly key: string
  /** The value in force as JSON, without secrets. Absent: it is not set. */
  readonly value?: string | undefined
  /** The file, variable or flag that sets it. */
  readonly origin?: string | undefined
  /** The default, in words. */
  readonly usual?: string | undefined
  readonly meaning?: string | undefined
  /** All values that it can have, as JSON or plain words. Absent: there are too many to list. */
  readonly values?: readonly string[] | undefined
}

/** Reads and changes the settings of the user. */
export interface SettingActions {
  /** Lists all settings with a fixed name, and those that are set. Throws `config`. */
  list(): Promise<readonly ShownSetting[]>
  /**
   * Writes a setting to the user's file: `text` is JSON, or text that needs no quotes. Returns a note that says where, and from when on it
   * counts. Throws `usage` for an unknown setting or a value that it does not take, `config`.
   */
  set(key: string, text: string): Promise<string>
}
