import { sha256 } from '../../../src/files/lazy-crypto.ts'
import type { CallResult, Toolbox } from '../toolbox.ts'

export const hash = (text: string): string => sha256(text)

/** Creates shorthands for tests of tools that change files, with the current toolbox. */
export function changes(toolbox: () => Toolbox) {
  return {
    /** Writes a file and lets the model read it. */
    async putRead(path: string, content: string | Uint8Array): Promise<void> {
      await toolbox().put(path, content)
      await toolbox().call('read', { path })
    },
    edit(path: string, oldText: string, newText: string, replaceAll?: boolean): Promise<CallResult> {
      const more = replaceAll === undefined ? {} : { replace_all: replaceAll }
      return toolbox().call('edit', { path, old_text: oldText, new_text: newText, ...more })
    },
  }
}
