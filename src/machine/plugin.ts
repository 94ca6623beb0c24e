import type { JsonValue } from '../json-value.ts'
import type { PluginOptions } from './plugin-options.ts'

/** Lists the parts of a plugin: folders and files of its own folder, and the entries of its documents. All paths are absolute. */
export interface Plugin {
  /** Letters, digits, `_` and `-`. What it brings is called `NAME:…`. */
  readonly name: string
  /** Its folder. `pluginVariables` names it. */
  readonly root: string
  /** The folder that it may write to, which has a variable too. */
  readonly data: string
  /** Folders of skills. */
  readonly skills: readonly string[]
  /** Folders of commands, and files that are one. */
  readonly commands: readonly string[]
  /** Folders of agents, and files that are one. */
  readonly agents: readonly string[]
  readonly hooks: readonly PluginHooks[]
  readonly servers: readonly PluginServer[]
  /** The user's options of it. Absent if it asks for none. */
  readonly options?: PluginOptions
}

/** The hooks of one of its files. */
export interface PluginHooks {
  readonly path: string
  /** The events with their groups. */
  readonly hooks: JsonValue
}

/** A server of tools, as one of its files has it. */
export interface PluginServer {
  /** In the words of the file. */
  readonly name: string
  readonly path: string
  /** The entry, with the folders of the plugin in the place of their variables. */
  readonly fields: JsonValue
  /** Where it starts. Default: the folder of the run. */
  readonly folder?: string
}
