import { resolve } from 'node:path'
import type { ModelChoice } from '../engine.ts'
import { writeAtomically } from '../files/atomic.ts'
import { createRecorder } from '../replay/recorder.ts'

/** What `--record FILE` asks for. Without it choices stay as they are, and there is nothing to save. */
export interface Recording {
  record(choice: ModelChoice): ModelChoice
  /** Writes the script, where anything was said. */
  save(): Promise<void>
}

export function openRecording(file: string | undefined, cwd: string): Recording {
  if (file === undefined) return { record: (choice) => choice, save: () => Promise.resolve() }
  const recorder = createRecorder()
  return {
    record: (choice) => ({ ...choice, provider: recorder.record(choice.provider) }),
    save: async () => {
      const script = recorder.script()
      if (script === undefined) return
      await writeAtomically(resolve(cwd, file), Buffer.from(`${JSON.stringify(script, undefined, 2)}\n`))
    },
  }
}
