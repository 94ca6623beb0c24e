import { dirname, join } from 'node:path'
import { PipeError } from '../error.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { writeAtomically } from '../files/writing/atomic.ts'
import { isJsonObject, parseJson } from '../json-value.ts'
import { readPluginFile } from './plugin-record.ts'

/** Holds the user's options of a plugin by key, secrets as they are. */
export type PluginAnswers = Readonly<Record<string, string>>

/** The file of what the user has set of a plugin, in the folder of plugins. */
export function optionPath(folder: string, name: string): string {
  return join(folder, 'options', `${name}.json`)
}

/** Reads what the user has set of a plugin; nothing if there is no file. Throws `config`. */
export function readAnswers(folder: string, name: string): PluginAnswers {
  const path = optionPath(folder, name)
  const text = readPluginFile(path)
  if (text === undefined) return {}
  const document = parseJson(text)
  if (!isJsonObject(document))
    throw new PipeError('config', `${path} is broken: delete it, and run pipe plugin config ${name}`)
  return Object.fromEntries(
    Object.entries(document).filter((one): one is [string, string] => typeof one[1] === 'string'),
  )
}

/** Writes it for the user alone. */
export async function writeAnswers(folder: string, name: string, answers: PluginAnswers): Promise<void> {
  const path = optionPath(folder, name)
  makePrivateFolder(dirname(path))
  await writeAtomically(path, Buffer.from(`${JSON.stringify(answers, undefined, 2)}\n`), { mode: 0o600 })
}
