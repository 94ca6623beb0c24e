import type { Danger } from '../../interaction.ts'
import { resolvePath } from '../../machine/path.ts'
import type { JudgedCall } from '../../permission.ts'
import type { JudgeContext } from '../judge-context.ts'
import { commandDangers } from './command-dangers.ts'
import { readDanger, writeDanger } from './path-dangers.ts'

/** Lists what is dangerous about a call, the gravest first. Only dangers of a command have a place in it. */
export async function callDangers(
  call: JudgedCall,
  context: Pick<JudgeContext, 'paths' | 'home' | 'reader'>,
): Promise<readonly Danger[]> {
  const { tool, arguments: args } = call
  if (tool.command !== undefined) return commandDangers(tool.command(args)?.line ?? '', context)
  const input = tool.input?.(args)
  if (input !== undefined) return withoutPlaces(await commandDangers(input, context))
  const dangers = (tool.paths?.(args) ?? []).map(({ path, access }) => {
    const file = resolvePath(path, { cwd: context.paths.cwd, home: context.home })
    return access === 'write' ? writeDanger(file, context) : readDanger(file, context)
  })
  return unique((await Promise.all(dangers)).filter((text) => text !== undefined))
}

function withoutPlaces(dangers: readonly Danger[]): readonly Danger[] {
  return unique(dangers.map(({ text }) => text))
}

function unique(texts: readonly string[]): readonly Danger[] {
  return [...new Set(texts)].map((text) => ({ text }))
}
