import { ask } from './ask.ts'
import { bash } from './bash.ts'
import { edit } from './edit.ts'
import { fetch } from './fetch.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { processTool } from './process.ts'
import { read } from './read.ts'
import type { Runner } from './runner.ts'
import { todo } from './todo.ts'
import { write } from './write.ts'

const all = [read, write, edit, bash, processTool, grep, glob, fetch, todo, ask]

/** Who carries out the calls of each tool. */
export const runners: ReadonlyMap<string, Runner> = new Map(all.map((runner) => [runner.name, runner]))
