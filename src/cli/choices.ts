import type { Layer } from '../config/layers.ts'
import type { Limits } from '../engine.ts'
import { cleanTitle, namedLength } from '../history/title-text.ts'
import { levelOfTokens, thinkingLevels } from '../model.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { SessionChoice } from '../session.ts'
import { type OptionName, options } from './cli-options.ts'
import { hasControllingTerminal } from './controlling-terminal.ts'
import { type Flags, usageError } from './flags.ts'
import { readGivenFile } from './given/given-file.ts'
import type { Option } from './option.ts'
import { isPeerProtocol } from './run/controlled/protocol.ts'
import type { Choices, GivenFlags, GivenText, RunSettings } from './wiring/run-choices.ts'
import { findToolName } from './wiring/tools/known-tools.ts'

/** Reads the choices of a run from its flags. `interactive`: a front end can ask the user. Throws `usage`. */
export function readChoices(flags: Flags, interactive: boolean): Choices {
  return {
    ...readOwnSettings(flags),
    ...readBounds(flags),
    session: readSession(flags),
    isSaved: !flags.has('no-session'),
    onAsk: readOnAsk(flags, interactive),
    interactive,
    verbose: flags.has('verbose'),
    mayAskForTitle: interactive,
    lockWaitMs: flags.duration('wait-lock'),
    model: flags.text('model'),
    takesPeerWords: isPeerProtocol(flags),
    agent: flags.text('agent'),
    thinking: readThinking(flags),
    title: readTitle(flags),
    systemPrompt: readSystemPrompt(flags),
    moreSystemPrompt: readMoreSystemPrompt(flags),
    permissionTool: readPermissionTool(flags),
    record: flags.text('record'),
  }
}

/** Reads how much to think: a level, or the one that a number of tokens stands for. Throws `usage`. */
function readThinking(flags: Flags): Choices['thinking'] {
  const tokens = flags.count('max-thinking-tokens', 0)
  const named = thinkingLevels.find((level) => level === flags.text('thinking'))
  return named ?? (tokens === undefined ? undefined : levelOfTokens(tokens))
}

/** Reads the settings that flags stand for. */
export function readOwnSettings(flags: Flags): RunSettings {
  return {
    layers: settingLayers(flags),
    trusts: flags.has('trust'),
    ...omitUndefined({ given: readGivenFlags(flags) }),
  }
}

/** Reads what flags bring to a run besides settings. `undefined` if they bring nothing. */
function readGivenFlags(flags: Flags): GivenFlags | undefined {
  const given = {
    servers: givenTexts(flags, 'mcp-config'),
    settings: givenTexts(flags, 'settings'),
    agents: givenTexts(flags, 'agents'),
    plugins: givenPlugins(flags),
    onlyServers: flags.has('strict-mcp-config'),
    isBare: flags.has('bare') || flags.text('setting-sources')?.trim() === '',
  }
  const { servers, settings, agents, plugins, onlyServers, isBare } = given
  const isGiven = [servers, settings, agents, plugins].some(({ length }) => length > 0)
  return isGiven || onlyServers || isBare ? given : undefined
}

function givenPlugins(flags: Flags): GivenFlags['plugins'] {
  return (['plugin-dir', 'plugin-dir-no-mcp'] as const).flatMap((name) =>
    flags.all(name).map((path) => ({
      origin: `--${name} ${path}`,
      path,
      hasServers: name === 'plugin-dir',
    })),
  )
}

/** Reads JSON, or the file that stands for it, once: it may be a pipe of the shell. Throws `input`. */
function givenTexts(flags: Flags, name: 'mcp-config' | 'settings' | 'agents'): readonly GivenText[] {
  const flag = `--${name}`
  return flags
    .all(name)
    .map((value) =>
      value.trimStart().startsWith('{')
        ? { origin: flag, text: value }
        : { origin: `${flag} ${value}`, text: readGivenFile(flag, value) },
    )
}

/** Reads the title of the session. Throws `usage` for one that `-r` could not find. */
function readTitle(flags: Flags): string | undefined {
  const given = flags.text('name')
  if (given === undefined) return undefined
  const title = cleanTitle(given, namedLength)
  if (title === '' || title.includes('@'))
    throw usageError(`--name takes a title without @, not ${JSON.stringify(given)}`)
  return title
}

function readSystemPrompt(flags: Flags): string | undefined {
  const path = flags.text('system-prompt-file')
  const text = flags.text('system-prompt')
  if (path === undefined) return text
  if (text !== undefined) throw usageError('--system-prompt-file cannot be combined with --system-prompt')
  return readGivenFile('--system-prompt-file', path).trim()
}

/** Joins the text and the file that follow the system prompt. */
function readMoreSystemPrompt(flags: Flags): string | undefined {
  const path = flags.text('append-system-prompt-file')
  const text = flags.text('append-system-prompt')
  if (path === undefined) return text
  return [text ?? [], readGivenFile('--append-system-prompt-file', path).trim()].flat().join('\n\n')
}

/** Reads the MCP tool that answers for the user; `undefined` if the program that drives the run does. Throws `usage`. */
export function readPermissionTool(flags: Flags): string | undefined {
  const name = flags.text('permission-prompt-tool')
  if (name === undefined || name === 'stdio' || flags.text('permission-mode') === 'dont-ask') return undefined
  if (flags.text('permission-prompts') === 'none') return undefined
  if (/^mcp__[\w-]+?__[\w.-]+$/.test(name)) return name
  throw usageError(
    `--permission-prompt-tool takes a tool of an MCP server, mcp__SERVER__TOOL, or stdio, not ${JSON.stringify(name)}`,
  )
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

/** Throws `usage` if the line names another session than this flag does. */
function refuseOtherSession(earlier: 'fork' | 'resume' | 'continue', flags: Flags): void {
  // The id of a copy may be given.
  const other = earlier === 'fork' ? 'resume' : flags.has('fork-session') ? undefined : 'session'
  if (other !== undefined && flags.has(other))
    throw usageError(`--${earlier} and --${other} name two sessions: leave one of them out`)
}

function readSession(flags: Flags): SessionChoice {
  const earlier = (['fork', 'resume', 'continue'] as const).find((name) => flags.has(name))
  if (earlier !== undefined) {
    const [id, at] = (flags.text(earlier) ?? '').split('@', 2)
    const message = flags.text('resume-session-at') ?? at
    refuseOtherSession(earlier, flags)
    const mayBegin = earlier === 'continue' && isPeerProtocol(flags)
    const wanted = { id: id || undefined, message, ...(mayBegin && { mayBegin }) }
    if (earlier !== 'fork' && !flags.has('fork-session')) return { type: 'resume', ...wanted }
    return { type: 'fork', ...wanted, as: flags.text('session') }
  }
  if (flags.has('resume-session-at')) throw usageError('--resume-session-at needs -r or -c')
  if (flags.has('fork-session')) throw usageError('--fork-session needs -r or -c: it copies a session')
  const named = flags.text('session')
  return named === undefined ? { type: 'new' } : { type: 'named', id: named }
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
  if (!flags.has('tools')) return {}
  const words = flags.all('tools').join(' ')
  if (['all', 'default'].includes(words)) return {}
  const named = words.split(/[\s,]+/).filter((word) => word !== '')
  const tools = named.map((word) => {
    const name = findToolName(word)
    if (name === undefined) throw usageError(`--tools: there is no tool ${JSON.stringify(word)}`)
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

function readOnAsk(flags: Flags, interactive: boolean): Choices['onAsk'] {
  if (flags.text('permission-mode') === 'dont-ask' || flags.text('permission-prompts') === 'none')
    return 'deny'
  if (interactive || hasControllingTerminal()) return 'ask'
  return flags.text('on-ask') === 'stop' ? 'stop' : 'deny'
}
