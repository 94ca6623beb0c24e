import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer } from '../bench/model-server.js'

/** With code for calls, the cache is an eighth larger and the first call a tenth faster. */
export const ways = {
  prompt: ['-m', 'warm/m', 'warm'],
  calls: ['--yolo', '-m', 'warm/m', 'warm'],
  continue: ['-c', '-m', 'warm/m', 'warm'],
  anthropic: ['-m', 'anthropic/claude-sonnet-4-6', 'warm'],
  terminal: ['-m', 'warm/m'],
  recall: ['recall', 'warm'],
}

/** Serves the model of a way, and writes settings with it into a home. Returns the variables that a run needs, and what ends it. */
export async function serveModel(home, way) {
  const { host, close } = await startModelServer({ rounds: way === 'calls' ? 2 : 0 })
  const providers = {
    warm: { dialect: 'openai-chat', base_url: `${host}/v1`, api_key_env: 'WARM_KEY' },
    anthropic: { dialect: 'anthropic', base_url: host, api_key_env: 'WARM_KEY' },
  }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ providers }))
  return { env: { PIPE_HOME: home, WARM_KEY: 'warm' }, close }
}
