import { accessSync, constants } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { ModelChoice } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import { fileError } from '../../files/system-error.ts'

/** What `--record FILE` asks for. Without it choices stay as they are, and there is nothing to save. */
export interface Recording {
  record(choice: ModelChoice): ModelChoice
  /** Writes the script, where anything was said. */
  save(): Promise<void>
}

/** Throws `input` where nothing can be written to the file's folder: that is told before anything is paid for. */
export async function openRecording(file: string | undefined, cwd: string): Promise<Recording> {
  if (file === undefined) return { record: (choice) => choice, save: () => Promise.resolve() }
  const path = resolve(cwd, file)
  requireFolder(dirname(path))
  const { createRecorder } = await import('../../replay/recorder.ts')
  const recorder = createRecorder()
  return {
    record: (choice) => ({ ...choice, provider: recorder.record(choice.provider) }),
    save: async () => {
      const script = recorder.script()
      if (script === undefined) return
      const { writeAtomically } = await import('../../files/atomic.ts')
      await writeAtomically(path, Buffer.from(`${JSON.stringify(script, undefined, 2)}\n`))
    },
  }
}

function requireFolder(folder: string): void {
  try {
    // The dot stands in folders only.
    accessSync(`${folder}/.`, constants.W_OK)
  } catch (error) {
    throw new PipeError('input', fileError(error, folder, 'record into').message, { cause: error })
  }
}
