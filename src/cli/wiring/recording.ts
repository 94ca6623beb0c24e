import { resolve } from 'node:path'
import type { ModelChoice } from '../../engine.ts'

/** What `--record FILE` asks for. Without it choices stay as they are, and there is nothing to save. */
export interface Recording {
  record(choice: ModelChoice): ModelChoice
  /** Writes the script, where anything was said. */
  save(): Promise<void>
}

export async function openRecording(file: string | undefined, cwd: string): Promise<Recording> {
  if (file === undefined) return { record: (choice) => choice, save: () => Promise.resolve() }
  const { createRecorder } = await import('../../replay/recorder.ts')
  const recorder = createRecorder()
  return {
    record: (choice) => ({ ...choice, provider: recorder.record(choice.provider) }),
    save: async () => {
      const script = recorder.script()
      if (script === undefined) return
      const { writeAtomically } = await import('../../files/atomic.ts')
      await writeAtomically(resolve(cwd, file), Buffer.from(`${JSON.stringify(script, undefined, 2)}\n`))
    },
  }
}
