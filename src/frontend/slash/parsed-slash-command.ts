import type { MemoryScope } from '../../memory/memories.ts'
import type { PermissionMode } from '../../permission.ts'
import type { ThinkingLevel } from '../../provider.ts'
import type { Copied } from './slash-arguments.ts'

/** A parsed slash command. */
export type SlashCommand =
  | { readonly type: 'help' }
  | { readonly type: 'model'; readonly name: string | undefined }
  | { readonly type: 'thinking'; readonly level: ThinkingLevel | undefined }
  | { readonly type: 'mode'; readonly mode: PermissionMode | undefined }
  | { readonly type: 'compact'; readonly keep: string | undefined }
  | { readonly type: 'context' }
  | { readonly type: 'cost' }
  /** Shows what all turns have changed, or the last one. */
  | { readonly type: 'diff'; readonly isAll: boolean }
  | { readonly type: 'copy'; readonly what: Copied }
  | { readonly type: 'undo'; readonly redo: boolean; readonly force: boolean }
  | { readonly type: 'clear' }
  | { readonly type: 'resume'; readonly id: string | undefined }
  | { readonly type: 'rename'; readonly title: string }
  | { readonly type: 'rewind'; readonly argument: string | undefined }
  | { readonly type: 'tree'; readonly argument: string | undefined }
  | { readonly type: 'export'; readonly file: string | undefined }
  | { readonly type: 'recall'; readonly words: string }
  | { readonly type: 'remember'; readonly text: string; readonly scope: MemoryScope }
  | { readonly type: 'tasks' }
  | { readonly type: 'elves' }
  | { readonly type: 'task'; readonly text: string }
  | { readonly type: 'fork' }
  | { readonly type: 'permissions' }
  /** Shows how the MCP servers stand, this one started anew. */
  | { readonly type: 'mcp'; readonly name: string | undefined }
  | { readonly type: 'hooks' }
  | { readonly type: 'skills' }
  | { readonly type: 'agents' }
  | { readonly type: 'processes' }
  | { readonly type: 'status' }
  /** Shows the settings, those of this key, or sets it. */
  | { readonly type: 'config'; readonly key: string | undefined; readonly value: string | undefined }
  | { readonly type: 'theme'; readonly name: string | undefined }
  | { readonly type: 'vim' }
  | { readonly type: 'login'; readonly provider: string | undefined }
  | { readonly type: 'doctor' }
  /** Sends this text as a message. */
  | { readonly type: 'prompt'; readonly text: string }
  | { readonly type: 'quit' }
