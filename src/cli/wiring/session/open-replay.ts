import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { PipeError } from '../../../error.ts'
import { fileError } from '../../../files/system-error.ts'
import type { Provider } from '../../../provider.ts'
import { createReplayProvider } from '../../../replay/provider.ts'
import { readScript } from '../../../replay/script.ts'
import type { Machine } from '../../machine.ts'

/** Opens a provider that replays the script at this path. */
export async function openReplay(path: string, { cwd, newId, clock }: Machine): Promise<Provider> {
  const full = resolve(cwd, path)
  let text: string
  try {
    text = readFileSync(full, 'utf8')
  } catch (error) {
    throw new PipeError('input', fileError(error, full, 'read the script').message, { cause: error })
  }
  return createReplayProvider({ script: await readScript(text, full), newId, clock })
}
