import { builtinServers } from '../../../config/models/servers.ts'
import type { Settings } from '../../../config/settings.ts'
import { PipeError } from '../../../error.ts'
import type { Machine } from '../../machine.ts'
import { keyHolder } from './chosen-server.ts'
import { findKey } from './provider-keys.ts'
import { keySources } from './server-key.ts'

/** Lists the servers with a known key for which pipe has no model, most of all those at an address of the user. */
export async function namelessServers(machine: Machine, settings: Settings): Promise<readonly string[]> {
  const keys = await keySources(machine)
  return builtinServers.flatMap(({ name, apiKeyEnv }) => {
    if (apiKeyEnv === undefined || findKey(keyHolder(name, settings), keys) === undefined) return []
    return [`${name}, at a server whose models pipe does not know: -m ${name}/MODEL`]
  })
}

/** The error of a run that found no model, with the reasons why it passed some over. */
export function noModel(rejected: readonly string[]): PipeError {
  return new PipeError(
    'auth',
    [
      'no model to talk to. Three ways to start:',
      '  a key           export ANTHROPIC_API_KEY=… (OPENAI_API_KEY, GEMINI_API_KEY …)',
      '                  or: pipe auth set PROVIDER',
      '  a local server  start Ollama, LM Studio or llama.cpp, then:',
      '                  pipe -m ollama/MODEL "…"',
      '  your own        add any compatible server under "providers" in config.json',
      'To see the agent work without any of them: pipe demo',
      ...rejected.map((line) => `Skipped: ${line}`),
    ].join('\n'),
  )
}
