import { type Result, refused } from '../machine/result.ts'
import type { SandboxMode } from '../machine/sandbox.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Advice, Decision, JudgedCall, PermissionMode, PermissionPolicy } from '../permission.ts'
import { editsPaths, type ToolFacts } from '../tool.ts'
import type { CommandReader } from './command-line.ts'
import type { Finding, Rules } from './finding.ts'
import { forbidsReading } from './judge-path.ts'
import type { NotesFolder } from './notes-folder.ts'
import { createPaths, type PathsOptions } from './paths/paths.ts'
import { type Rule, type RuleText, readRule } from './rules/rule.ts'

/** A policy whose mode can change. The new mode applies from the next call on. */
export interface ModePolicy extends PermissionPolicy {
  mode: PermissionMode
  /** Trusts the folder and adds its rules, from the next call on. Throws `config` for a rule that cannot be read. */
  trustFolder(rules: readonly RuleText[]): void
  /**
   * Allows the calls of these rules until the returned function is called. Deny and ask rules, modes and dangers outweigh them, as they do
   * any allow rule. Throws `config` for a rule that cannot be read.
   */
  lend(rules: readonly RuleText[]): () => void
  /** Lists the rules that are lent now. */
  lentRules(): readonly RuleText[]
  /** Lists what the user allowed for this session: rules as written, and names of tools. */
  grants(): readonly string[]
  /** Whether a rule forbids reading this file, or the file holds keys. Listings and searches leave such files out. */
  forbidsReading(path: string): boolean
}

export interface PolicyOptions extends PathsOptions {
  readonly mode: PermissionMode
  readonly rules: readonly Rule[]
  /** Whether this folder is trusted: git runs programs from its configuration. */
  readonly trusted: boolean
  /** Returns the repository's setting that makes even a read-only git command run a program. Default: none. */
  readonly gitRuns?: () => Promise<string | undefined>
  /** Returns the project's program that would run under this name because of `PATH`. Default: none. */
  readonly projectProgram?: (name: string) => string | undefined
  /**
   * The sandbox for commands, for every mode (`true`: `workspace-write`) or by mode. In `auto`, commands inside it and, with
   * `workspace-write`, edits need no question. A call with `sandbox: false` asks to leave it.
   */
  readonly sandboxed: boolean | ((mode: PermissionMode) => Promise<SandboxMode | undefined>)
  /** Whether commands that only read need no rule. Default: true. */
  readonly readsFreely?: boolean
  readonly reader: CommandReader
  /** Bounds the calls of agents, whatever else allows more. Default: no bound. */
  readonly bounds?: readonly CallBound[]
  /** The folder in which the conversation's agent keeps its notes. Default: none. */
  readonly notes?: NotesFolder | undefined
  /** Returns what is lent now to the conversation that this one works for. It is read anew for this folder. Default: nothing. */
  readonly lentToParent?: () => readonly RuleText[]
}

/** The only calls that an agent may make of some tools. */
export interface CallBound {
  /** The agent's name. */
  readonly agent: string
  /** By the tool's name. One of the rules must allow the whole call. */
  readonly calls: ReadonlyMap<string, readonly Rule[]>
}

/** Creates a policy that judges by capability, rules, mode and the user's answers in this session. */
export function createPolicy(options: PolicyOptions): ModePolicy {
  const { cwd, home, sandboxed } = options
  const read = (text: RuleText) => readRule(text, { cwd, home })
  let kept = options.rules
  const lent = new Set<readonly RuleText[]>()
  const lentRules = () => [...(options.lentToParent?.() ?? []), ...[...lent].flat()]
  let rules = sortRules(kept)
  const addRules = (texts: readonly RuleText[]) => {
    kept = [...kept, ...texts.map(read)]
    rules = sortRules(kept)
  }
  let { trusted } = options
  const paths = createPaths(options)
  const granted = new Set<string>()
  // Once a command may have run outside the sandbox, input to a process may reach one outside.
  let wentOutside = false
  const sandboxedMode = async (): Promise<SandboxedMode> => {
    const { mode } = policy
    const fixed = sandboxed === true ? 'workspace-write' : undefined
    return { mode, sandbox: typeof sandboxed === 'function' ? await sandboxed(mode) : fixed }
  }
  // Load the judging code at the first call, and the suggestions at the first question.
  const find = async (call: JudgedCall, now: SandboxedMode, bound?: readonly Rule[]) => {
    const { findOut } = await import('./judge-call.ts')
    return findOut(call, {
      rules: bound === undefined ? withAllowed(rules, lentRules().map(read)) : sortRules(bound),
      paths,
      home,
      reader: options.reader,
      trusted,
      gitRuns: options.gitRuns ?? (() => Promise.resolve(undefined)),
      projectProgram: options.projectProgram ?? (() => undefined),
      readsFreely: bound === undefined && (options.readsFreely ?? true),
      accepts: bound === undefined && acceptsEdits(now),
      notes: now.sandbox === 'read-only' ? undefined : options.notes,
    })
  }
  const judgeBounds = async (call: JudgedCall, now: SandboxedMode): Promise<Decision | undefined> => {
    for (const { agent, calls } of options.bounds ?? []) {
      const bound = calls.get(call.tool.name)
      if (bound === undefined) continue
      const { allowed } = await find(call, now, bound)
      if (allowed === undefined || !('text' in allowed)) return beyond(agent, bound)
    }
    return undefined
  }
  const suggest = async (call: JudgedCall): Promise<Result<readonly string[]>> => {
    const now = await sandboxedMode()
    const { denied, asked, danger, caution } = await find(call, now)
    const rule = denied ?? asked
    if (rule !== undefined) return refused(`${rule.text} takes precedence`)
    const isFixed = danger !== undefined || caution !== undefined
    if (isFixed || sandboxSideOf(call, now, wentOutside) === 'leaving') return alwaysAsked
    const { suggestRules } = await import('./suggest.ts')
    const isFolder = async (path: string) => paths.isFolder((await paths.both(path))[1])
    const { isSameRepository } = await import('./paths/same-repository.ts')
    const keepsRepository = (folder: string) => isSameRepository(folder, paths)
    const around = { cwd, home, reader: options.reader, isFolder, isSameRepository: keepsRepository }
    return suggestRules(call, around)
  }
  const policy: ModePolicy = {
    mode: options.mode,
    judge: async (call) => {
      const refused = judgeCapability(call)
      if (refused !== undefined) return refused
      const isGranted = granted.has(grantOf(call.tool))
      // Read the mode once: a call that is allowed because of the sandbox must run in it, even if the mode changes meanwhile.
      const now = await sandboxedMode()
      const beyondBounds = await judgeBounds(call, now)
      if (beyondBounds !== undefined) return beyondBounds
      const side = sandboxSideOf(call, now, wentOutside)
      const finding = await find(call, now)
      const decision = decide(finding, call, { mode: now.mode, isGranted, side })
      if (isCommand(call) && side !== 'inside' && decision.behavior !== 'deny') wentOutside = true
      return {
        ...decision,
        ...(side === 'inside' && { confined: true }),
        ...(isHarmless(finding) && { changesNothing: true }),
        ...omitUndefined({ judgedPaths: finding.paths }),
      }
    },
    allowForSession: (tool) => {
      granted.add(grantOf(tool))
    },
    suggestRules: async (call) => {
      const suggested = await suggest(call)
      return suggested.type === 'ok' ? suggested.value : []
    },
    whyNoRule: async (call) => {
      const suggested = await suggest(call)
      return suggested.type === 'refused' ? suggested.reason : undefined
    },
    explain: async (call, texts) => {
      const { explainCall } = await import('./explain-call.ts')
      const isShutdown = sandboxSideOf(call, await sandboxedMode(), wentOutside) === 'leaving'
      return explainCall(call, texts, { paths, home, reader: options.reader, isShutdown })
    },
    allowRules: (texts) => addRules(texts.map((text) => ({ text, behavior: 'allow', source: 'session' }))),
    trustFolder: (texts) => {
      addRules(texts)
      trusted = true
    },
    lend: (texts) => {
      // A rule that cannot be read is refused here, not at a call.
      for (const text of texts) read(text)
      lent.add(texts)
      return () => {
        lent.delete(texts)
      }
    },
    lentRules,
    grants: () => [
      ...kept.flatMap(({ behavior, source, text }) =>
        behavior === 'allow' && source === 'session' ? text : [],
      ),
      ...granted,
    ],
    forbidsReading: (path) => forbidsReading(rules, path, paths),
  }
  return policy
}

const alwaysAsked = refused('pipe always asks about this, whatever the rules')

/** The name under which calls of a tool are allowed for a session. All tools that state which files they edit share one. */
function grantOf(tool: Pick<ToolFacts, 'name' | 'kind' | 'paths'>): string {
  return editsPaths(tool) ? 'edit' : tool.name
}

function isHarmless({ readOnly, runsProgram = false, danger, caution }: Finding): boolean {
  return readOnly && !runsProgram && danger === undefined && caution === undefined
}

function sortRules(all: readonly Rule[]): Rules {
  const of = (behavior: Rule['behavior']) => all.filter((rule) => rule.behavior === behavior)
  return { deny: of('deny'), ask: of('ask'), allow: of('allow') }
}

function withAllowed(rules: Rules, more: readonly Rule[]): Rules {
  return more.length === 0 ? rules : { ...rules, allow: [...rules.allow, ...more] }
}

function judgeCapability({ tool, actor, arguments: args }: JudgedCall): Decision | undefined {
  const { capabilities } = actor
  const other = tool.otherCapability?.(args)
  if (capabilities.includes(tool.capability) || (other !== undefined && capabilities.includes(other)))
    return undefined
  return {
    behavior: 'deny',
    source: 'capability',
    rule: tool.capability,
    reason: `${actor.displayName} does not have the capability ${tool.capability}`,
  }
}

function beyond(agent: string, bound: readonly Rule[]): Decision {
  const rule = bound.map(({ text }) => text).join(', ')
  return { behavior: 'deny', source: 'capability', rule, reason: `the agent ${agent} may call only ${rule}` }
}

interface Situation {
  readonly mode: PermissionMode
  readonly isGranted: boolean
  readonly side: SandboxSide
}

/** The mode and its sandbox while one call is judged. */
interface SandboxedMode {
  readonly mode: PermissionMode
  readonly sandbox: SandboxMode | undefined
}

function acceptsEdits({ mode, sandbox }: SandboxedMode): boolean {
  return mode === 'accept-edits' || (mode === 'auto' && sandbox === 'workspace-write')
}

/** `inside`: the command runs in the sandbox. `leaving`: the call asks to run outside. `undefined`: no sandbox, or unknown. */
type SandboxSide = 'inside' | 'leaving' | undefined

function sandboxSideOf(call: JudgedCall, { sandbox }: SandboxedMode, wentOutside: boolean): SandboxSide {
  if (sandbox === undefined) return undefined
  const { tool, arguments: args } = call
  if (tool.input?.(args) !== undefined) return wentOutside ? undefined : 'inside'
  const command = tool.command?.(args)
  if (command === undefined) return undefined
  return command.leavesSandbox === true ? 'leaving' : 'inside'
}

function isCommand({ tool }: JudgedCall): boolean {
  return tool.command !== undefined
}

/** Order: deny rules, plan mode, ask rules and hooks, danger, leaving the sandbox, the mode, caution, allow rules and hooks, a question. */
function decide(
  finding: Finding,
  { tool, advice }: JudgedCall,
  { mode, isGranted, side }: Situation,
): Decision {
  const { denied, asked, danger, caution, exposed, allowed, readOnly } = finding
  const byMode = (reason: string, behavior: Decision['behavior'] = 'allow'): Decision => {
    return { behavior, source: 'mode', rule: mode, reason }
  }
  if (denied !== undefined) return byRule(denied, `${denied.text} forbids it`)
  if (mode === 'plan' && !readOnly) return byMode('plan mode only reads; propose the change instead', 'deny')
  if (asked !== undefined) return byRule(asked, `${asked.text} asks about it`)
  if (advice?.behavior === 'ask') return byHook(advice)
  if (danger !== undefined) return ask(danger)
  if (side === 'leaving') return ask('it asks to run outside the sandbox')
  if (mode === 'auto' && side === 'inside' && exposed === undefined)
    return byMode('it runs inside the sandbox')
  if (mode === 'bypass') return byMode('every call is allowed')
  if (caution !== undefined) return ask(caution)
  if (allowed !== undefined && 'text' in allowed) return byRule(allowed, `${allowed.text} allows it`)
  if (allowed?.by === 'mode') return byMode(allowed.reason)
  if (allowed !== undefined) return { behavior: 'allow', source: 'builtin', reason: allowed.reason }
  if (isGranted) {
    return { behavior: 'allow', source: 'session', rule: tool.name, reason: 'allowed for this session' }
  }
  return advice === undefined ? ask(finding.reason) : byHook(advice)
}

function byHook({ behavior, by, reason }: Advice): Decision {
  return { behavior, source: 'hook', rule: by, reason }
}

function ask(reason: string): Decision {
  return { behavior: 'ask', source: 'builtin', reason }
}

function byRule({ text, source, behavior }: Rule, reason: string): Decision {
  return { behavior, source, rule: text, reason }
}
