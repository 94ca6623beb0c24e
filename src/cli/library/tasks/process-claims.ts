import { throwIfAborted } from '../../../error.ts'
import type { TaskClaims } from '../../../event-store.ts'
import type { TaskId } from '../../../id.ts'

/** Creates claims that hold among the workers of this process which share them. */
export function createProcessClaims(): TaskClaims {
  const held = new Set<TaskId>()
  return {
    claim: async (taskId, { signal }) => {
      throwIfAborted(signal)
      if (held.has(taskId)) return undefined
      held.add(taskId)
      let isHeld = true
      return {
        lost: new AbortController().signal,
        release: async () => {
          if (isHeld) held.delete(taskId)
          isHeld = false
        },
      }
    },
  }
}
