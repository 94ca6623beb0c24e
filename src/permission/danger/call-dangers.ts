import type { Danger } from '../../interaction.ts'
import { isJsonObject } from '../../json-value.ts'
import { resolvePath } from '../../machine/path.ts'
import type { JudgedCall } from '../../permission.ts'
import type { JudgeContext } from '../judge-context.ts'
import { namedPath } from '../judge-path.ts'
import { isProcessCall, textArgument } from '../judged-arguments.ts'
import { toolKind } from '../rules/rule.ts'
import { commandDangers } from './command-dangers.ts'
import { readDanger, writeDanger } from './path-dangers.ts'

/** Lists what is dangerous about a call, the gravest first. Only dangers of a command have a place in it. */
export async function callDangers(
  call: JudgedCall,
  context: Pick<JudgeContext, 'paths' | 'home' | 'reader'>,
): Promise<readonly Danger[]> {
  const { tool, arguments: args } = call
  const file = resolvePath(namedPath(call), { cwd: context.paths.cwd, home: context.home })
  switch (toolKind(tool.name)) {
    case 'command':
      return commandDangers(textArgument(args, 'command') ?? '', context)
    case 'edit':
      return said(await writeDanger(file, context))
    case 'read':
      return said(readDanger(file, context))
    case 'fetch':
      return []
    case 'other': {
      if (!isProcessCall(call, 'write') || !isJsonObject(args)) return []
      const dangers = await commandDangers(textArgument(args, 'input') ?? '', context)
      return [...new Set(dangers.map(({ text }) => text))].map((text) => ({ text }))
    }
  }
}

function said(text: string | undefined): readonly Danger[] {
  return text === undefined ? [] : [{ text }]
}
