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
import { fetch } from './web/fetch.ts'
import { ask } from './work/ask.ts'
import { task } from './work/task.ts'
import { todo } from './work/todo.ts'

const all = [read, write, edit, rename, bash, process, grep, glob, fetch, todo, recall, task, ask, remember]

/** The runner of each tool, by name. */
export const runners: ReadonlyMap<string, Runner> = new Map(all.map((runner) => [runner.name, runner]))
