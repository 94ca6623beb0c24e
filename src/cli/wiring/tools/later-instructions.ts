import { resolve } from 'node:path'
import { LaterInstructions } from '../../../config/context/context-files.ts'
import { followed } from '../../../files/real-path.ts'
import { instructionsIn, type Message } from '../../../message.ts'
import type { ToolExecutor, ToolOutput } from '../../../tool.ts'
import { instructionFrame, instructionName, shownInstructions } from '../instruction-frame.ts'

export interface LaterOptions {
  /** A real path. */
  readonly cwd: string
  readonly home: string
  /** The user's config folder. */
  readonly config: string
  /** The messages of earlier runs, with the instructions that the model has already. */
  readonly earlier: readonly Message[]
  readonly mayRead: (path: string) => boolean
  readonly mayImport: (path: string) => boolean
  /** Whether a user watches or asked to be told more: then what was read is named. */
  readonly isWatched: boolean
}

/** Adds instructions to the first result of a call on the files that they are about: those of subfolders, and rules with paths. */
export function withLaterInstructions(executor: ToolExecutor, options: LaterOptions): ToolExecutor {
  const { cwd, earlier, mayRead } = options
  const given = earlier.flatMap((message) => instructionsIn(message)?.files ?? [])
  const later = new LaterInstructions(options, given)
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const result = yield* executor.execute(name, args, context)
      const tool = executor.tools().find((one) => one.name === name)
      if (result.isError || tool?.paths === undefined) return result
      const paths = tool.paths(args).map(({ path }) => followed(resolve(cwd, path)))
      const { files, faults } = shownInstructions(later.about(paths), mayRead)
      const told = faults.filter(
        ({ isBroken, isDetail }) => isBroken || (options.isWatched && isDetail !== true),
      )
      for (const { path, what } of told) yield notice(`${instructionName(path, options)} ${what}`)
      if (files.length === 0) return result
      const names = files.map(({ path }) => instructionName(path, options)).join(', ')
      if (options.isWatched) yield notice(`${names} loaded`)
      const frames = files.map((file) => instructionFrame(file, cwd)).join('\n')
      const text = `\n\n[Instructions that count for what this call is about:\n${frames}\n]`
      return {
        ...result,
        content: [...result.content, { type: 'text', text }],
        instructions: files.map(({ path }) => path),
      }
    },
  }
}

function notice(text: string): ToolOutput {
  return { type: 'notice', text }
}
