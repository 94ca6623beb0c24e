import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from '../machine/plugin.ts'
import { readAnswers } from './option-file.ts'
import { isUnchanged } from './pinned-content.ts'
import { readPlugin } from './plugin-content.ts'
import { type InstalledPlugin, readPluginRecord } from './plugin-record.ts'

/** The places of a plugin in the folder of plugins. */
export function placesOf(
  folder: string,
  { name, hash }: Pick<InstalledPlugin, 'name' | 'hash'>,
): { readonly root: string; readonly stamps: string; readonly data: string } {
  const version = `${name}-${hash.slice(0, 16)}`
  return {
    root: join(folder, 'files', version),
    stamps: join(folder, 'files', `${version}.json`),
    data: join(folder, 'data', name),
  }
}

/** Lists the parts that an approval covers besides files. */
export function moreOf({ components }: Pick<InstalledPlugin, 'components'>): string {
  return JSON.stringify(components ?? null)
}

/** A plugin that does not count, and why. */
export interface PluginFault {
  readonly name: string
  readonly reason: string
}

export interface EnabledPlugins {
  /** In the order of their names. */
  readonly plugins: readonly Plugin[]
  readonly faults: readonly PluginFault[]
}

/** Reads the plugins that are on, and whose files are those that the user approved. Others cost only themselves. Throws `config`. */
export function readEnabled(folder: string): EnabledPlugins {
  const plugins: Plugin[] = []
  const faults: PluginFault[] = []
  for (const installed of readPluginRecord(folder).plugins.values()) {
    if (!installed.isEnabled) continue
    const reason = contentFault(folder, installed)
    const { name, components } = installed
    const { root, data } = placesOf(folder, installed)
    const read =
      reason === undefined
        ? readPlugin({
            root,
            data,
            name,
            answers: readAnswers(folder, name),
            ...(components && { components }),
          })
        : undefined
    if (read?.type === 'ok') plugins.push(read.value.plugin)
    else faults.push({ name, reason: reason ?? read?.reason ?? 'it cannot be read' })
  }
  plugins.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { plugins, faults }
}

/** Says why the files of a plugin are not what the user approved; `undefined` if they are. */
export function contentFault(folder: string, installed: InstalledPlugin): string | undefined {
  const { root, stamps } = placesOf(folder, installed)
  if (!existsSync(root)) return 'its files are gone'
  const isSame = isUnchanged({ root, stamps, hash: installed.hash, more: moreOf(installed) })
  return isSame ? undefined : 'its files have changed since you approved them'
}
