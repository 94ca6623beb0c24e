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
import type { LentHooks, RunHooks } from '../hooks/open-hooks.ts'
import type { ModelsInUse } from '../model/models-in-use.ts'
import { findToolName } from '../tools/known-tools.ts'
import type { CalledFile } from './called-file.ts'

/** Names the parts of a conversation that count otherwise for a turn. */
export interface TurnParts {
  readonly models: Pick<ModelsInUse, 'open' | 'current'>
  readonly policy: Pick<ModePolicy, 'lend'>
  readonly settings: Settings
  /** Absent if nothing that may be called had hooks when the conversation was opened. */
  readonly hooks: Pick<RunHooks, 'lend'> | undefined
}

interface Beginning extends Pick<CalledFile, 'path' | 'source' | 'plugin'> {
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
  const { ends, faults } = lendRules(file, parts, lendHooks(file, parts))
  if (chosen.choice !== undefined) ends.push(parts.models.current.lend(chosen.choice))
  return {
    ...omitUndefined({ choice: chosen.choice }),
    isNamed: chosen.isNamed,
    notices: [...notices, ...chosen.faults, ...faults],
    end: () => {
      for (const end of ends) end()
    },
  }
}

/** Lets the hooks of a file run, and says what of them cannot. */
function lendHooks(
  { asks: { hooks }, path, plugin, title }: Beginning,
  { hooks: runner }: Pick<TurnParts, 'hooks'>,
): LentHooks {
  const nothing = { problems: [], lacksCheck: false, end: () => undefined }
  if (hooks === undefined) return nothing
  if (runner === undefined)
    return {
      ...nothing,
      problems: [`the hooks of ${title} run from the next conversation`],
      lacksCheck: true,
    }
  return runner.lend({ path, origin: 'user', hooks, isApproved: true, ...omitUndefined({ plugin }) })
}

/** Lets the rules of a file count, unless a check that its author meant for them cannot run. */
function lendRules(
  { asks, path, title }: Beginning,
  { policy }: Pick<TurnParts, 'policy'>,
  { problems, lacksCheck, end }: LentHooks,
) {
  const ends: (() => void)[] = [end]
  const faults = [...problems]
  if (lacksCheck && asks.allowed.length > 0) {
    faults.push(`${title} allows nothing, because some of its PreToolUse hooks cannot run`)
    return { ends, faults }
  }
  for (const text of asks.allowed)
    try {
      const rule = { text: ownRule(text), behavior: 'allow', source: 'session', origin: path } as const
      ends.push(policy.lend([rule]))
    } catch (error) {
      if (!isPipeError(error)) throw error
      faults.push(`${title} allows nothing by ${JSON.stringify(text)}: it is not a rule`)
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
  readonly isNamed: boolean
  readonly faults: readonly string[]
}

async function chooseFor(file: Beginning, current: ModelChoice, parts: TurnParts): Promise<Chosen> {
  const { effort } = file.asks
  const { choice, faults } = await openNamed(file, current, parts)
  const isNamed = choice !== undefined
  if (effort === undefined) return { choice, isNamed, faults }
  return { choice: { ...(choice ?? current), thinking: effort }, isNamed, faults }
}

async function openNamed(
  { asks: { model: named }, source, title }: Beginning,
  current: ModelChoice,
  { models, settings }: TurnParts,
): Promise<Pick<Chosen, 'choice' | 'faults'>> {
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
