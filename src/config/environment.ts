import { isPipeError, PipeError } from '../error.ts'
import { type PermissionMode, permissionModes } from '../permission.ts'
import type { Layer } from './layers.ts'
import { parseModelName } from './models/model-name.ts'
import { databaseUrl, stdinUses } from './own-choices.ts'
import { readPermissionMode } from './permission-mode.ts'
import type { Settings } from './settings-schema.ts'

/**
 * Reads settings from the environment, one layer per variable: `PIPE_MODEL`, `PIPE_PERMISSION_MODE`, `PIPE_STDIN`, `PIPE_DATABASE_URL`. An
 * empty variable counts as unset. Throws `config`.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): readonly Layer[] {
  return Object.entries(variables).flatMap(([name, read]) => {
    const text = env[name]
    if (text === undefined || text === '') return []
    return [{ source: { type: 'environment', name }, settings: read(text, name) }]
  })
}

const variables: Readonly<Record<string, (text: string, name: string) => Settings>> = {
  PIPE_MODEL: (text, name) => ({ model: checkModel(text, name) }),
  PIPE_STDIN: (text, name) => ({ stdin: readStdinUse(text, name) }),
  PIPE_DATABASE_URL: (text, name) => ({ tasks: { store: checkDatabaseUrl(text, name) } }),
  PIPE_PERMISSION_MODE: (text, name) => ({ permissions: { mode: readMode(text, name) } }),
}

function checkModel(text: string, name: string): string {
  try {
    parseModelName(text)
    return text
  } catch (error) {
    if (!isPipeError(error)) throw error
    throw new PipeError('config', `${name}: ${error.message}`, { cause: error })
  }
}

/** Does not repeat the text, which may hold a password. */
function checkDatabaseUrl(text: string, name: string): string {
  if (databaseUrl.test(text)) return text
  throw new PipeError('config', `${name} takes a URL such as postgres://user@host/database`)
}

function readStdinUse(text: string, name: string): (typeof stdinUses)[number] {
  const use = stdinUses.find((one) => one === text)
  if (use !== undefined) return use
  throw new PipeError('config', `${name} takes ${stdinUses.join(', ')}, not ${JSON.stringify(text)}`)
}

function readMode(text: string, name: string): PermissionMode {
  const mode = readPermissionMode(text)
  if (mode !== undefined) return mode
  const modes = permissionModes.join(', ')
  throw new PipeError('config', `${name} takes ${modes}, not ${JSON.stringify(text)}`)
}
