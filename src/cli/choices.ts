import type { Layer } from '../config/layers.ts'
import type { Limits } from '../engine.ts'
import { thinkingLevels } from '../model.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { SessionChoice } from '../session.ts'
import { type OptionName, options } from './cli-options.ts'
import { hasControllingTerminal } from './controlling-terminal.ts'
import { type Flags, usageError } from './flags.ts'
import type { Option } from './option.ts'
import type { Choices, RunSettings } from './wiring/run-choices.ts'
import { findToolName } from './wiring/tools/known-tools.ts'

/** Reads the choices of a run from its flags. `interactive`: a front end can ask the user. Throws `usage`. */
export function readChoices(flags: Flags, interactive: boolean): Choices {
  return {
    ...readOwnSettings(flags),
    ...readBounds(flags),
    session: readSession(flags),
    isSaved: !flags.has('no-session'),
    onAsk: interactive ? 'ask' : readOnAsk(flags),
    interactive,
    verbose: flags.has('verbose'),
    mayAskForTitle: interactive,
    lockWaitMs: flags.duration('wait-lock'),
    model: flags.text('model'),
    agent: flags.text('agent'),
    thinking: thinkingLevels.find((level) => level === flags.text('thinking')),
    systemPrompt: flags.text('system-prompt'),
    moreSystemPrompt: flags.text('append-system-prompt'),
    record: flags.text('record'),
  }
}

/** Reads the settings that flags stand for. */
export function readOwnSettings(flags: Flags): RunSettings {
  return { layers: settingLayers(flags), trusts: flags.has('trust') }
}

function settingLayers(flags: Flags): readonly Layer[] {
  return options.flatMap((option) => {
    const { name, sets }: Option & { readonly name: OptionName } = option
    if (sets === undefined) return []
    return flags
      .all(name)
      .map((value) => ({ source: { type: 'flag', name: `--${name}` }, settings: sets(value) }))
  })
}

function readSession(flags: Flags): SessionChoice {
  const earlier = (['fork', 'resume', 'continue'] as const).find((name) => flags.has(name))
  if (earlier !== undefined) {
    const [id, at] = (flags.text(earlier) ?? '').split('@', 2)
    const message = flags.text('resume-session-at') ?? at
    const type = earlier === 'fork' || flags.has('fork-session') ? 'fork' : 'resume'
    return { type, id: id || undefined, message }
  }
  if (flags.has('fork-session')) throw usageError('--fork-session needs -r or -c: it copies a session')
  const named = flags.text('session')
  return named === undefined || flags.has('no-session') ? { type: 'new' } : { type: 'named', id: named }
}

/** Reads the limits that flags set. Throws `usage`. */
export function readLimits(flags: Flags): Limits {
  return omitUndefined({
    maxRounds: flags.count('max-turns'),
    maxTokens: flags.count('max-tokens'),
    maxCostUsd: flags.number('max-cost', (value) => value > 0, 'US dollars, above 0'),
    maxTimeMs: flags.duration('max-time'),
  })
}

function readBounds(flags: Flags): Pick<Choices, 'limits' | 'maxReplyTokens' | 'temperature'> {
  return {
    limits: readLimits(flags),
    maxReplyTokens: flags.count('max-output-tokens'),
    temperature: flags.number('temperature', (value) => value >= 0 && value <= 2, 'a number from 0 to 2'),
  }
}

/** Reads the only tools that the model gets. Throws `usage`. */
export function readToolLimits(flags: Flags): Pick<Choices, 'limitsOfAgents'> {
  const words = flags.text('tools')
  if (words === undefined || ['all', 'default'].includes(words)) return {}
  const named = words.split(/[\s,]+/).filter((word) => word !== '')
  const tools = named.map((word) => {
    const name = findToolName(word)
    if (name === undefined) throw usageError(`--tools knows no ${JSON.stringify(word)}`)
    return name
  })
  return { limitsOfAgents: [{ name: '--tools', tools }] }
}

/** Reads the command that must succeed. Throws `usage`. */
export function readCheckFlags(flags: Flags): Choices['check'] {
  const command = flags.text('check')
  const tries = flags.count('check-tries', 0)
  if (command === undefined) {
    if (tries !== undefined) throw usageError('--check-tries needs --check')
    return undefined
  }
  if (command.trim() === '') throw usageError('--check takes a command')
  return { command, tries: tries ?? 3 }
}

/** Throws `usage` for flags that need `--each`, if that is not given. */
export function requireEach(flags: Flags): void {
  const lone = (['failed', 'resume-map', 'fail-fast', 'jobs'] as const).find((name) => flags.has(name))
  if (lone !== undefined) throw usageError(`--${lone} needs --each`)
}

function readOnAsk(flags: Flags): Choices['onAsk'] {
  if (hasControllingTerminal()) return 'ask'
  return flags.text('on-ask') === 'stop' ? 'stop' : 'deny'
}
