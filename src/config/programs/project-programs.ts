import { join } from 'node:path'
import { isPipeError } from '../../error.ts'
import { followed } from '../../files/real-path.ts'
import { isJsonObject, type JsonObject } from '../../json-value.ts'
import { readJsonWithComments } from '../settings-document.ts'
import type { FolderTrust } from '../trust/folder-trust.ts'
import { contentHash } from '../trust/trust.ts'
import { type EditPrograms, readEditPrograms } from './language-entries.ts'

/** The programs that a file of the project names. They count once the user approved what it says of them now. */
export interface ProjectPrograms extends EditPrograms {
  readonly path: string
  readonly hash: string
  readonly isApproved: boolean
}

export interface ProgramPlaces {
  /** The user's config folder. */
  readonly config: string
  readonly trust: Pick<FolderTrust, 'root' | 'approved'>
}

/** Reads the language servers and formatters of a project, and its command for the status. A file that cannot be read is reported where its settings are. */
export async function findProjectPrograms({
  config,
  trust,
}: ProgramPlaces): Promise<readonly ProjectPrograms[]> {
  const found: ProjectPrograms[] = []
  for (const name of ['config.json', 'config.local.json']) {
    const path = join(trust.root, '.pipe', name)
    // The home folder may be the project, with the user's own settings in it.
    if (followed(path) === followed(join(config, 'config.json'))) continue
    const named = await programsIn(path)
    if (Object.keys(named).length === 0) continue
    const hash = contentHash(named)
    found.push({
      path,
      hash,
      isApproved: trust.approved('programs', hash) === true,
      ...readEditPrograms(named),
    })
  }
  return found
}

async function programsIn(path: string): Promise<JsonObject> {
  try {
    const document = await readJsonWithComments(path)
    const { lsp, formatters, tui } = isJsonObject(document) ? document : {}
    const statusLine = isJsonObject(tui) ? tui['status_line'] : undefined
    return {
      ...(lsp !== undefined && { lsp }),
      ...(formatters !== undefined && { formatters }),
      ...(statusLine !== undefined && { tui: { status_line: statusLine } }),
    }
  } catch (error) {
    if (!isPipeError(error)) throw error
    return {}
  }
}

/** Writes each program of a file as the user approves it, a line each. */
export function programLines({
  languages,
  formatters,
  statusLine,
  faults,
  path,
}: ProjectPrograms): readonly string[] {
  const servers = languages === false ? [] : languages
  return [
    ...(languages === false ? [`no language server (${path})`] : []),
    ...servers.map(
      ({ name, command, initialization, isDisabled }) =>
        `language server ${name}: ${isDisabled === true ? 'off' : command === undefined ? 'as usual' : quotedWords(command)}${initialization === undefined ? '' : ` ${JSON.stringify(initialization)}`} (${path})`,
    ),
    ...formatters.map(
      ({ extension, command }) => `formatter ${extension}: ${quotedWords(command)} (${path})`,
    ),
    ...(statusLine === undefined ? [] : [`status line: ${statusLine} (${path})`]),
    ...faults.map((fault) => `${path}: ${fault}`),
  ]
}

function quotedWords(command: readonly string[]): string {
  return command.map((word) => (/^[\w@%+=:,./~{}-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}
