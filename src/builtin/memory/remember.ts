import { isPipeError, PipeError } from '../../error.ts'
import type { Memories, MemoryDraft } from '../../memory/memories.ts'
import { errorResult, textResult } from '../../tool.ts'
import { defineRunner } from '../runner.ts'
import type { Workspace } from '../workspace.ts'

export const remember = defineRunner({
  name: 'remember',
  schema: (schemas) => schemas.remember(),
  consent: async (order, workspace) => {
    const { text, scope, path } = draft(order, await open(workspace))
    return {
      title: scope === 'user' ? 'Remember this in all projects?' : 'Remember this in this project?',
      description: `later conversations begin with it; kept in ${path}`,
      content: text,
      contentKind: 'plain_text',
    }
  },
  run: async (order, workspace, { approved, signal }) => {
    // The text may come from a file or a page: nothing but a yes to this very call makes it a memory.
    if (approved !== true) return errorResult('nothing was kept: no user was asked')
    const memories = await open(workspace)
    try {
      const { memory, path, isNew } = await memories.keep(draft(order, memories), { signal })
      const { id, scope, text } = memory
      return textResult(isNew ? 'kept' : 'it was already saved', { id, scope, text, path })
    } catch (error) {
      if (!isPipeError(error) || !['input', 'config', 'conflict'].includes(error.code)) throw error
      return errorResult(error.message)
    }
  },
})

interface Order {
  readonly text: string
  /** For all projects of the user. Default: for this one. */
  readonly user?: boolean | undefined
}

function draft({ text, user = false }: Order, memories: Memories): MemoryDraft {
  return memories.draft(text, user ? 'user' : 'project')
}

function open({ memories }: Workspace): Promise<Memories> {
  if (memories === undefined) throw new PipeError('invalid', 'nothing can be kept here')
  return memories()
}
