import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileError } from '../../files/system-error.ts'
import type { CliCommands } from '../commands/cli-command.ts'
import { explain } from './explain.ts'

/** Returns what `pipe help` prints about a topic: what `explain` does, or the licences of the packages that pipe contains. */
export function helpTopic(
  topic: readonly string[],
  commands: CliCommands,
  packageFolder: () => string,
): string | Promise<string> {
  return /^licen[cs]es$/.test(topic.join(' ')) ? readLicences(packageFolder()) : explain(topic, commands)
}

/** Reads the licences as the build wrote them. Throws `not_found` without a build. */
async function readLicences(packageFolder: string): Promise<string> {
  const path = join(packageFolder, 'dist', 'licences.txt')
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}
