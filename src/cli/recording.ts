import { resolve } from 'node:path'
import type { ModelChoice } from '../engine.ts'
import { writeAtomically } from '../files/atomic.ts'
import { createRecorder } from '../replay/recorder.ts'

/** What `--record FILE` asks for. Without it the choice as it is, and nothing to save. */
export interface Recording {
  readonly choice: ModelChoice
  /** Writes the script, where anything was said. */
  save(): Promise<void>
}

export function openRecording(choice: ModelChoice, file: string | undefined, cwd: string): Recording {
  if (file === undefined) return { choice, save: () => Promise.resolve() }
  const recorder = createRecorder(choice.provider)
  return {
    choice: { ...choice, provider: recorder.provider },
    save: async () => {
      const script = recorder.script()
      if (script === undefined) return
      await writeAtomically(resolve(cwd, file), Buffer.from(`${JSON.stringify(script, undefined, 2)}\n`))
    },
  }
}
