import { accessSync, constants } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { ModelChoice } from '../../../engine.ts'
import { PipeError } from '../../../error.ts'
import { fileError } from '../../../files/system-error.ts'

/** Records for `--record FILE`. Without the flag it does nothing. */
export interface RunRecording {
  record(choice: ModelChoice): ModelChoice
  /** Writes the script if anything was recorded. */
  save(): Promise<void>
}

/** Opens a recording. Throws `input` if the file's folder is not writable, before any request costs money. */
export async function openRecording(file: string | undefined, cwd: string): Promise<RunRecording> {
  if (file === undefined) return { record: (choice) => choice, save: () => Promise.resolve() }
  const path = resolve(cwd, file)
  requireFolder(dirname(path))
  const { createRecorder } = await import('../../../replay/recorder.ts')
  const recorder = createRecorder()
  return {
    record: (choice) => ({ ...choice, provider: recorder.record(choice.provider) }),
    save: async () => {
      const script = recorder.script()
      if (script === undefined) return
      const { writeAtomically } = await import('../../../files/writing/atomic.ts')
      await writeAtomically(path, Buffer.from(`${JSON.stringify(script, undefined, 2)}\n`))
    },
  }
}

function requireFolder(folder: string): void {
  try {
    // `/.` fails for anything but a folder.
    accessSync(`${folder}/.`, constants.W_OK)
  } catch (error) {
    throw new PipeError('input', fileError(error, folder, 'record into').message, { cause: error })
  }
}
