import { join, resolve } from 'node:path'
import { PipeError } from '../../../error.ts'
import { lookThrough } from '../../../files/look.ts'
import { makePrivateFolder } from '../../../files/private-folder.ts'
import { followed } from '../../../files/real-path.ts'
import type { Plugin } from '../../../machine/plugin.ts'
import { readAnswers } from '../../../plugins/option-file.ts'
import { readPlugin } from '../../../plugins/plugin-content.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { GivenPlugin } from '../run-choices.ts'

/**
 * Reads folders as plugins of this run, as they are now. Who types one approves it. `folder` holds what plugins keep. Throws `input` for a
 * folder that is not there, and `config` for one that is no plugin.
 */
export function readGivenPlugins(
  given: readonly GivenPlugin[],
  folder: string,
): { readonly plugins: readonly Plugin[]; readonly warnings: readonly string[] } {
  const read = given.map((one) => readGiven(one, folder))
  return { plugins: read.map(({ plugin }) => plugin), warnings: read.flatMap(({ warnings }) => warnings) }
}

function readGiven({ origin, path, hasServers }: GivenPlugin, folder: string) {
  const root = followed(resolve(path))
  if (lookThrough(root)?.isDirectory() !== true)
    throw new PipeError('input', visibleLine(`${origin}: there is no such folder`))
  const { plugin: named } = contentOf(origin, { root, data: '' })
  const data = join(folder, 'data', named.name)
  const { plugin, notes } = contentOf(origin, { root, data, answers: readAnswers(folder, named.name) })
  // Its programs may write to it from the start.
  if (plugin.hooks.length + plugin.servers.length > 0) makePrivateFolder(data)
  return {
    plugin: hasServers ? plugin : { ...plugin, servers: [] },
    warnings: notes.map((note) => visibleLine(`${origin}: ${note}`)),
  }
}

function contentOf(origin: string, place: Parameters<typeof readPlugin>[0]) {
  const read = readPlugin(place)
  if (read.type === 'ok') return read.value
  throw new PipeError('config', visibleLine(`${origin}: ${read.reason}`))
}
