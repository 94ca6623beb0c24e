/** Holds the options of a plugin by key: the user's values, else those of its author. */
export interface PluginOptions {
  readonly values: Readonly<Record<string, string>>
  /** The keys of those that are shown nowhere, and that no text for a model holds. */
  readonly secret: readonly string[]
}

const place = /\$\{user_config\.([A-Za-z_]\w*)\}/g

/** The variable of a server for an option, as `expandServer` knows it. */
const variableOf = (key: string) => `user_config.${key}`

/** Puts the options that are no secrets in their places in a text. */
export function withPluginOptions(text: string, options: PluginOptions | undefined): string {
  if (options === undefined) return text
  const { values, secret } = options
  return text.replace(place, (whole, key: string) => (secret.includes(key) ? whole : (values[key] ?? whole)))
}

/** The options as variables that stand in the entries of servers, secrets too. */
export function optionsOfServers({ values }: PluginOptions): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [variableOf(key), value]))
}

/** The options as variables of the programs of hooks, secrets too: as the key is written, and in capitals. */
export function optionVariables(options: PluginOptions | undefined): Readonly<Record<string, string>> {
  const all = Object.entries(options?.values ?? {})
  return Object.fromEntries(
    all.flatMap(([key, value]) => [key, key.toUpperCase()].map((name) => [`${prefix}${name}`, value])),
  )
}

/** Names an option in a line of `sh`, so that no value is read as a command. */
export function optionsByName(line: string): string {
  return line.replace(place, (_, key: string) => `\${${prefix}${key}}`)
}

/** Puts the variables of options in the places of a text that no shell reads. */
export function optionsFromVariables(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(place, (whole, key: string) => env[`${prefix}${key}`] ?? whole)
}

/** Names the variable that programs of hooks have for `user_config.KEY`; `undefined` for another name. */
export function optionVariable(name: string): string | undefined {
  const [, key] = /^user_config\.(\w+)$/.exec(name) ?? []
  return key && `${prefix}${key}`
}

const prefix = 'CLAUDE_PLUGIN_OPTION_'
