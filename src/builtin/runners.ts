import { bash } from './command/bash.ts'
import { process } from './command/process.ts'
import { edit } from './edit/edit.ts'
import { rename } from './edit/rename.ts'
import { write } from './edit/write.ts'
import { recall } from './memory/recall.ts'
import { remember } from './memory/remember.ts'
import { read } from './read/read.ts'
import type { Runner } from './runner.ts'
import { glob } from './search/glob.ts'
import { grep } from './search/grep.ts'
import type { ToolName } from './tool-signature.ts'
import { fetch } from './web/fetch.ts'
import { ask } from './work/ask.ts'
import { task } from './work/task.ts'
import { todo } from './work/todo.ts'

/** The runner of each tool. The compiler requires one of each that has arguments in `arguments.ts`. */
export const runners: Readonly<Record<ToolName, Runner>> = {
  read,
  write,
  edit,
  rename,
  bash,
  process,
  grep,
  glob,
  fetch,
  todo,
  recall,
  task,
  ask,
  remember,
}

/** Finds the runner of a tool by the name that a model wrote. */
export function findRunner(name: string): Runner | undefined {
  return isToolName(name) ? runners[name] : undefined
}

function isToolName(name: string): name is ToolName {
  return Object.hasOwn(runners, name)
}
