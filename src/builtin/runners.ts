import { ask } from './ask.ts'
import { bash } from './command/bash.ts'
import { processTool } from './command/process.ts'
import { edit } from './edit/edit.ts'
import { write } from './edit/write.ts'
import { read } from './read/read.ts'
import { recall } from './recall.ts'
import { remember } from './remember.ts'
import type { Runner } from './runner.ts'
import { glob } from './search/glob.ts'
import { grep } from './search/grep.ts'
import { task } from './task.ts'
import { todo } from './todo.ts'
import { fetch } from './web/fetch.ts'

const all = [read, write, edit, bash, processTool, grep, glob, fetch, todo, recall, task, ask, remember]

/** The runner of each tool, by name. */
export const runners: ReadonlyMap<string, Runner> = new Map(all.map((runner) => [runner.name, runner]))
