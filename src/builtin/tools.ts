import type { Tool } from '../tool.ts'
import { bashTool } from './command/bash-tool.ts'
import { processTool } from './command/process-tool.ts'
import { editTool } from './edit/edit-tool.ts'
import { renameTool } from './edit/rename-tool.ts'
import { writeTool } from './edit/write-tool.ts'
import { recallTool } from './memory/recall-tool.ts'
import { rememberTool } from './memory/remember-tool.ts'
import { readTool } from './read/read-tool.ts'
import { globTool } from './search/glob-tool.ts'
import { grepTool } from './search/grep-tool.ts'
import { fetchTool } from './web/fetch-tool.ts'
import { askTool } from './work/ask-tool.ts'
import { taskTool } from './work/task-tool.ts'
import { todoTool } from './work/todo-tool.ts'

/** The tools of every session, in the order the model sees them. */
export const tools: readonly Tool[] = [
  readTool,
  writeTool,
  editTool,
  renameTool,
  bashTool,
  processTool,
  grepTool,
  globTool,
  fetchTool,
  todoTool,
]

/** All tools of this room, those included that a session may lack. */
export const allTools: readonly Tool[] = [...tools, recallTool, taskTool, askTool, rememberTool]
