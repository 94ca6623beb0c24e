import { readPeerModel } from '../../../config/agents/peer-agents.ts'
import { readModelRoute } from '../../../config/models/route-models.ts'
import type { Settings } from '../../../config/settings.ts'
import type { InstructionAsks } from '../../../config/skills/instruction-asks.ts'
import { type ModelChoice, modelName } from '../../../engine.ts'
import { isPipeError } from '../../../error.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { ModePolicy } from '../../../permission/policy.ts'
import { ruleSubject } from '../../../permission/rules/rule.ts'
import type { CalledTurn } from '../../../turn-hooks.ts'
import type { ModelsInUse } from '../model/models-in-use.ts'
import { findToolName } from '../tools/known-tools.ts'
import type { CalledFile } from './called-file.ts'

/** Names the parts of a conversation that count otherwise for a turn. */
export interface TurnParts {
  readonly models: Pick<ModelsInUse, 'open'>
  readonly policy: Pick<ModePolicy, 'lend'>
  readonly settings: Settings
}

interface Beginning extends Pick<CalledFile, 'path' | 'source'> {
  readonly title: string
  readonly asks: InstructionAsks
  /** No elf can be started, so the conversation does the work. */
  readonly isLeft: boolean
}

/** Lets the rules and the model of a called file count. What does not work is told, and the turn goes on without it. */
export async function beginCalled(
  file: Beginning,
  current: ModelChoice,
  parts: TurnParts,
): Promise<CalledTurn> {
  const { asks, title, isLeft } = file
  const notices = isLeft
    ? [
        `${title} wants the agent ${asks.agent}, but no elf can be started here: the conversation does the work`,
      ]
    : []
  const chosen = await chooseFor(file, current, parts)
  const { ends, faults } = lendRules(file, parts)
  return {
    ...omitUndefined({ choice: chosen.choice }),
    notices: [...notices, ...chosen.faults, ...faults],
    end: () => {
      for (const end of ends) end()
    },
  }
}

function lendRules({ asks, path, title }: Beginning, { policy }: Pick<TurnParts, 'policy'>) {
  const ends: (() => void)[] = []
  const faults: string[] = []
  for (const text of asks.allowed)
    try {
      const rule = { text: ownRule(text), behavior: 'allow', source: 'session', origin: path } as const
      ends.push(policy.lend([rule]))
    } catch (error) {
      if (!isPipeError(error)) throw error
      faults.push(`${title} allows nothing by ${JSON.stringify(text)}: it is no rule`)
    }
  return { ends, faults }
}

/** Writes a rule for a tool that another agent calls otherwise with our name. */
function ownRule(text: string): string {
  return ruleSubject(text) === 'other' ? (findToolName(text) ?? text) : text
}

/** The model of the turn, if it is not that of the conversation, and why it is not the one that the file names. */
interface Chosen {
  readonly choice?: ModelChoice | undefined
  readonly faults: readonly string[]
}

async function chooseFor(file: Beginning, current: ModelChoice, parts: TurnParts): Promise<Chosen> {
  const { effort } = file.asks
  const { choice, faults } = await openNamed(file, current, parts)
  return { choice: effort === undefined ? choice : { ...(choice ?? current), thinking: effort }, faults }
}

async function openNamed(
  { asks: { model: named }, source, title }: Beginning,
  current: ModelChoice,
  { models, settings }: TurnParts,
): Promise<Chosen> {
  if (named === undefined) return { faults: [] }
  const stays = `${modelName(current)} answers`
  // A script is a file of the project that speaks for the model.
  if (source !== 'user' && /^replay\//.test(named))
    return { faults: [`${title} names a script as its model, so ${stays}`] }
  const { route, model = route } = readPeerModel(named) ?? { model: named }
  if (model === undefined) return { faults: [] }
  if (route !== undefined && readModelRoute(route, settings).length === 0)
    return { faults: [`${title} asks for ${named}, but your settings have no route ${route}: ${stays}`] }
  try {
    return { choice: await models.open(model), faults: [] }
  } catch (error) {
    if (!isPipeError(error)) throw error
    return { faults: [`${title} asks for the model ${named}: ${error.message}; ${stays}`] }
  }
}
