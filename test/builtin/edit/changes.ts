import { sha256 } from '../../../src/files/lazy-crypto.ts'
import type { Bench, Said } from '../bench.ts'

export const hash = (text: string): string => sha256(text)

/** Helpers for tests of tools that change files, on the current bench. */
export function changes(bench: () => Bench) {
  return {
    /** Writes a file and lets the model read it. */
    async putRead(path: string, content: string | Uint8Array): Promise<void> {
      await bench().put(path, content)
      await bench().call('read', { path })
    },
    edit(path: string, oldText: string, newText: string, replaceAll?: boolean): Promise<Said> {
      const more = replaceAll === undefined ? {} : { replace_all: replaceAll }
      return bench().call('edit', { path, old_text: oldText, new_text: newText, ...more })
    },
  }
}
