import type { CommandReader } from '../command-line.ts'
import { isJsonObject } from '../json-value.ts'
import type { Decision, JudgedCall, PermissionMode, PermissionPolicy } from '../permission.ts'
import { present } from '../present.ts'
import type { SandboxMode } from '../sandbox.ts'
import { isProcessCall } from './call-arguments.ts'
import type { Finding, Rules } from './finding.ts'
import { forbidsReading } from './judge-path.ts'
import { createPaths, type ListFolder, type OwnPlaces, type ReadTracked } from './paths.ts'
import { type Rule, type RuleText, readRule, toolKind } from './rule.ts'

/** A policy whose mode a person may change; it holds from the next call on. */
export interface ModePolicy extends PermissionPolicy {
  mode: PermissionMode
  /** The folder is trusted from the next call on, and these rules of it are taken in. Throws `config` for one that cannot be read. */
  trustFolder(rules: readonly RuleText[]): void
  /** Whether a rule forbids reading this file, or it holds keys: what lists or searches files leaves it out. */
  forbidsReading(path: string): boolean
}

export interface PolicyOptions {
  readonly mode: PermissionMode
  readonly rules: readonly RuleText[]
  /** Absolute, a real path. */
  readonly cwd: string
  readonly home: string
  /** Folders beside `cwd` in which files may be read, and edited where edits are accepted. */
  readonly roots?: readonly string[]
  /** Whoever changes one of these, or reads keys, is asked about it. Looked for once, with the first call. Default: none. */
  readonly own?: () => OwnPlaces
  /** Whether this folder is trusted: git runs what its configuration says. */
  readonly trusted: boolean
  /** The setting by which a git that only reads would run a program of the repository's choice; `undefined` for none. Default: none. */
  readonly gitRuns?: () => Promise<string | undefined>
  /** Returns the project's program that would run under this name because of `PATH`. Default: none. */
  readonly projectProgram?: (name: string) => string | undefined
  /**
   * The sandbox that commands run in, in any mode or in this one. A call with `sandbox: false` asks to leave it; `auto` asks no
   * questions about any other, nor about edits where the sandbox lets commands make them. `true`: `workspace-write`.
   */
  readonly sandboxed: boolean | ((mode: PermissionMode) => Promise<SandboxMode | undefined>)
  /** Whether commands that only read need no rule. Default: true. */
  readonly readsFreely?: boolean
  readonly reader: CommandReader
  /** Follows every symlink of a path, also where its end does not exist. */
  readonly realPath: (path: string) => Promise<string>
  readonly listFolder: ListFolder
  /** Asked where git shows what is in files and a rule is about reading some. Default: there are no repositories. */
  readonly trackedFiles?: ReadTracked
}

/** Judges by capability, rules, mode, and what a person allowed for this session. Throws `config` for a rule that cannot be read. */
export function createPolicy(options: PolicyOptions): ModePolicy {
  const { cwd, home, roots = [], own = () => ({ folders: [], keys: [], targets: [] }), sandboxed } = options
  const { realPath, listFolder, trackedFiles } = options
  const read = (text: RuleText) => readRule(text, { cwd, home })
  let rules = sortRules(options.rules.map(read))
  let { trusted } = options
  const places = { cwd, home, roots: [cwd, ...roots], own }
  const paths = createPaths({ ...places, realPath, listFolder, ...present({ trackedFiles }) })
  const granted = new Set<string>()
  // A process that may be running outside of the sandbox is not written to as one inside is.
  let wentOutside = false
  const stand = async (): Promise<Stand> => {
    const { mode } = policy
    const fixed = sandboxed === true ? 'workspace-write' : undefined
    return { mode, sandbox: typeof sandboxed === 'function' ? await sandboxed(mode) : fixed }
  }
  // Judging is loaded with the first call, suggesting with the first question.
  const find = async (call: JudgedCall, now: Stand) => {
    const { findOut } = await import('./judge-call.ts')
    return findOut(call, {
      rules,
      paths,
      home,
      reader: options.reader,
      trusted,
      gitRuns: options.gitRuns ?? noProgram,
      projectProgram: options.projectProgram ?? (() => undefined),
      readsFreely: options.readsFreely ?? true,
      accepts: acceptsEdits(now),
    })
  }
  const suggest = async (call: JudgedCall): Promise<readonly string[] | string> => {
    const now = await stand()
    const { denied, asked, danger, caution } = await find(call, now)
    const rule = denied ?? asked
    if (rule !== undefined) return `${rule.text} goes before it`
    const isFixed = danger !== undefined || caution !== undefined
    if (isFixed || placeOf(call, now, wentOutside) === 'leaving') return alwaysAsked
    const { suggestRules } = await import('./suggest.ts')
    return suggestRules(call, { cwd, home, reader: options.reader })
  }
  const policy: ModePolicy = {
    mode: options.mode,
    judge: async (call) => {
      const refused = judgeCapability(call)
      if (refused !== undefined) return refused
      const isGranted = granted.has(call.tool.name)
      // Read once: what is allowed because of a sandbox is carried out in it, whatever the mode is by then.
      const now = await stand()
      const place = placeOf(call, now, wentOutside)
      const finding = await find(call, now)
      const decision = decide(finding, call, { mode: now.mode, isGranted, place })
      if (isCommand(call) && place !== 'inside' && decision.behavior !== 'deny') wentOutside = true
      return {
        ...decision,
        ...(place === 'inside' && { confined: true }),
        ...(isHarmless(finding) && { changesNothing: true }),
        ...present({ judgedPath: finding.path }),
      }
    },
    allowForSession: (tool) => {
      granted.add(tool.name)
    },
    suggestRules: async (call) => {
      const suggested = await suggest(call)
      return typeof suggested === 'string' ? [] : suggested
    },
    whyNoRule: async (call) => {
      const suggested = await suggest(call)
      return typeof suggested === 'string' ? suggested : undefined
    },
    allowRules: (texts) => {
      const more = texts.map((text) => read({ text, behavior: 'allow', source: 'session' }))
      rules = { ...rules, allow: [...rules.allow, ...more] }
    },
    trustFolder: (texts) => {
      const more = sortRules(texts.map(read))
      rules = {
        deny: [...rules.deny, ...more.deny],
        ask: [...rules.ask, ...more.ask],
        allow: [...rules.allow, ...more.allow],
      }
      trusted = true
    },
    forbidsReading: (path) => forbidsReading(rules, path, paths),
  }
  return policy
}

const alwaysAsked = 'it is asked about every time, whatever rules say'

function isHarmless({ readOnly, runsProgram = false, danger, caution }: Finding): boolean {
  return readOnly && !runsProgram && danger === undefined && caution === undefined
}

const noProgram = () => Promise.resolve(undefined)

function sortRules(all: readonly Rule[]): Rules {
  const of = (behavior: Rule['behavior']) => all.filter((rule) => rule.behavior === behavior)
  return { deny: of('deny'), ask: of('ask'), allow: of('allow') }
}

function judgeCapability({ tool, actor }: JudgedCall): Decision | undefined {
  if (actor.capabilities.includes(tool.capability)) return undefined
  return {
    behavior: 'deny',
    source: 'capability',
    rule: tool.capability,
    reason: `${actor.displayName} does not have the capability ${tool.capability}`,
  }
}

interface Standing {
  readonly mode: PermissionMode
  readonly isGranted: boolean
  readonly place: Place
}

/** What holds while a call is judged. */
interface Stand {
  readonly mode: PermissionMode
  readonly sandbox: SandboxMode | undefined
}

function acceptsEdits({ mode, sandbox }: Stand): boolean {
  return mode === 'accept-edits' || (mode === 'auto' && sandbox === 'workspace-write')
}

/** Where a command runs: in a sandbox; out of it, for which it asks; no matter where. */
type Place = 'inside' | 'leaving' | undefined

function placeOf(call: JudgedCall, { sandbox }: Stand, wentOutside: boolean): Place {
  if (sandbox === undefined) return undefined
  if (isProcessCall(call, 'write')) return wentOutside ? undefined : 'inside'
  const { arguments: args } = call
  if (!isCommand(call) || !isJsonObject(args)) return undefined
  return args['sandbox'] === false ? 'leaving' : 'inside'
}

function isCommand({ tool }: JudgedCall): boolean {
  return toolKind(tool.name) === 'command'
}

/** deny > ask > what is asked about in every mode > the mode > what allows it > a question. */
function decide(finding: Finding, { tool }: JudgedCall, { mode, isGranted, place }: Standing): Decision {
  const { denied, asked, danger, caution, exposed, allowed, readOnly } = finding
  if (denied !== undefined) return byRule(denied, `${denied.text} forbids it`)
  if (mode === 'plan' && !readOnly) {
    return {
      behavior: 'deny',
      source: 'mode',
      rule: mode,
      reason: 'plan mode only reads; propose the change instead',
    }
  }
  if (asked !== undefined) return byRule(asked, `${asked.text} asks about it`)
  if (danger !== undefined) return ask(danger)
  if (place === 'leaving') return ask('it is to run outside the sandbox')
  if (mode === 'auto' && place === 'inside' && exposed === undefined)
    return { behavior: 'allow', source: 'mode', rule: mode, reason: 'it runs inside the sandbox' }
  if (mode === 'bypass')
    return { behavior: 'allow', source: 'mode', rule: mode, reason: 'every call is allowed' }
  if (caution !== undefined) return ask(caution)
  if (allowed !== undefined && 'text' in allowed) return byRule(allowed, `${allowed.text} allows it`)
  if (allowed?.by === 'mode') return { behavior: 'allow', source: 'mode', rule: mode, reason: allowed.reason }
  if (allowed !== undefined) return { behavior: 'allow', source: 'builtin', reason: allowed.reason }
  if (isGranted) {
    return { behavior: 'allow', source: 'session', rule: tool.name, reason: 'allowed for this session' }
  }
  return ask(finding.reason)
}

function ask(reason: string): Decision {
  return { behavior: 'ask', source: 'builtin', reason }
}

function byRule({ text, source, behavior }: Rule, reason: string): Decision {
  return { behavior, source, rule: text, reason }
}
