import { resolve } from 'node:path'
import { LaterInstructions } from '../../../config/context/context-files.ts'
import { scopeOf } from '../../../config/context/rule-files.ts'
import { projectRoot } from '../../../config/git-head.ts'
import type { Skill } from '../../../config/skills/skill.ts'
import { followed } from '../../../files/real-path.ts'
import { instructionsIn, type Message } from '../../../message.ts'
import { type ToolExecutor, type ToolOutput, withText } from '../../../tool.ts'
import { instructionFrame, instructionName, shownInstructions } from '../instruction-frame.ts'
import { framedSkills } from '../skills/framed-skills.ts'

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
  /** Returns the skills of the conversation. */
  readonly skills: () => readonly Skill[]
  /** Whether a user watches or asked to be told more: then what was read is named. */
  readonly isWatched: boolean
}

/**
 * Adds instructions to the first result of a call on the files that they are about: those of subfolders, and rules with paths. Tells of
 * skills that are about such files likewise.
 */
export function withLaterInstructions(executor: ToolExecutor, options: LaterOptions): ToolExecutor {
  const { cwd, earlier, mayRead } = options
  const given = earlier.flatMap((message) => instructionsIn(message)?.files ?? [])
  const later = new LaterInstructions(options, given)
  const skills = new LaterSkills(options, given)
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
      const offered = executor.tools().some((one) => one.name === 'read') ? skills.about(paths) : []
      if (files.length + offered.length === 0) return result
      const names = files.map(({ path }) => instructionName(path, options)).join(', ')
      if (options.isWatched && files.length > 0) yield notice(`${names} loaded`)
      const frames = [
        ...files.map((file) => instructionFrame(file, cwd)),
        framedSkills(offered, options).trim(),
      ]
      const text = `\n\n[Instructions that count for what this call is about:\n${frames.filter(Boolean).join('\n')}\n]`
      return {
        ...withText(result, text),
        instructions: [...files, ...offered].map(({ path }) => path),
      }
    },
  }
}

/** The skills of which the model is told once work goes to the files that they are about. */
class LaterSkills {
  readonly #options: Pick<LaterOptions, 'skills' | 'cwd' | 'mayRead'>
  readonly #given: Set<string>

  constructor(options: Pick<LaterOptions, 'skills' | 'cwd' | 'mayRead'>, given: readonly string[]) {
    this.#options = options
    this.#given = new Set(given)
  }

  /** Returns those about these files that were not returned before. Takes real paths. */
  about(paths: readonly string[]): readonly Skill[] {
    const { skills, cwd, mayRead } = this.#options
    const root = projectRoot(cwd)
    const news = skills().filter(
      ({ globs, path, isForModel }) =>
        globs !== undefined &&
        isForModel &&
        !this.#given.has(path) &&
        mayRead(path) &&
        paths.some(scopeOf(globs, root)),
    )
    for (const { path } of news) this.#given.add(path)
    return news
  }
}

function notice(text: string): ToolOutput {
  return { type: 'notice', text }
}
