import { dirname } from 'node:path'
import type { Layer, SettingsSource } from '../../../config/layers.ts'
import { isOnlyElsewhere, readPeerRule } from '../../../config/peer/peer-rules.ts'
import { spellingOf } from '../../../config/project-settings.ts'
import type { RuleSettings } from '../../../config/settings.ts'
import { positionOfString } from '../../../config/settings-document.ts'
import type { CallBound } from '../../../permission/policy.ts'
import {
  type Behavior,
  type Rule,
  type RuleText,
  readRule,
  ruleSubject,
} from '../../../permission/rules/rule.ts'
import type { Machine } from '../../machine.ts'
import type { AgentLimits } from '../run-choices.ts'
import { findToolName } from './known-tools.ts'

/** The rules that forbid calls to agents, and what bounds the calls that they may make. */
export function agentRules(
  limits: readonly AgentLimits[],
  { cwd, home }: Pick<Machine, 'cwd' | 'home'>,
): { readonly denied: readonly Rule[]; readonly bounds: readonly CallBound[] } {
  const read = (text: string, behavior: Behavior, agent: string) =>
    readRule({ text, behavior, source: 'user', origin: `the agent ${agent}` }, { cwd, home })
  return {
    denied: limits.flatMap(({ name, disallowedCalls = [] }) =>
      disallowedCalls.map((text) => read(text, 'deny', name)),
    ),
    bounds: limits.flatMap(({ name: agent, onlyCalls }): readonly CallBound[] => {
      if (onlyCalls === undefined) return []
      const rules = Object.entries(onlyCalls).map(
        ([tool, texts]) => [tool, texts.map((text) => read(text, 'allow', agent))] as const,
      )
      return [{ agent, calls: new Map(rules) }]
    }),
  }
}

const behaviors = ['deny', 'ask', 'allow'] as const

/** Reads the rules of all layers, deny rules first. Throws `config` for one that cannot be read. */
export function readRules(
  layers: readonly Layer[],
  { cwd, home }: Pick<Machine, 'cwd' | 'home'>,
): readonly Rule[] {
  return ruleTexts(layers).map((text) => readRule(text, { cwd, home }))
}

/** Returns the rules of all layers as written, with their positions; deny rules first. */
export function ruleTexts(layers: readonly Layer[]): readonly RuleText[] {
  return behaviors.flatMap((behavior) =>
    layers.flatMap(({ source, settings }) => {
      const isOfProject = source.type === 'project' || source.type === 'local'
      return (settings.permissions?.[behavior] ?? []).map(
        (rule): RuleText => ({
          ...ruleText(rule, behavior),
          toolName: toolNamed(ruleText(rule, behavior).text),
          behavior,
          source: isOfProject ? 'project' : 'user',
          origin: source.name,
          place: () => (isFile(source) ? positionOfString(spellingOf(rule), source.name) : undefined),
          // The project's settings are in a subfolder of the project.
          ...(isOfProject ? { folder: dirname(dirname(source.name)) } : {}),
        }),
      )
    }),
  )
}

function isFile({ type }: SettingsSource): boolean {
  return type === 'user' || type === 'project' || type === 'local'
}

/** Returns a rule's text and examples from settings. */
function ruleText(rule: RuleSettings, behavior: Behavior): Pick<RuleText, 'text' | 'match' | 'notMatch'> {
  const text = ruleOfSkills(spellingOf(rule), behavior)
  return typeof rule === 'string' ? { text } : { text, match: rule.match, notMatch: rule.not_match }
}

/** Replaces a rule that takes skills away. These are files here, which the model reads. */
function ruleOfSkills(text: string, behavior: Behavior): string {
  if (behavior === 'allow' || !/^\s*skill\s*(?:\(|$)/i.test(text)) return text
  const [rule = text] = readPeerRule(text, behavior, findToolName).rules
  return rule
}

/** Lists the paths that deny rules forbid by name, for a sandbox to hide or to protect. */
export function forbiddenPaths(rules: readonly Rule[], access: 'read' | 'edit'): readonly string[] {
  return rules.flatMap(({ behavior, tool, path }) =>
    behavior === 'deny' && tool === access ? (path.literal ?? []) : [],
  )
}

/** Returns our name of the one tool that a rule is about, whatever agent it is written for; `undefined` if there is no such tool. */
function toolNamed(text: string): string | undefined {
  const [, word = ''] = ruleParts.exec(text) ?? []
  return ruleSubject(word) === 'other' ? findToolName(word) : undefined
}

const ruleParts = /^\s*([^(]*?)\s*(?:\((.*)\))?\s*$/s

/** Warns about rules without effect: for an unknown tool, or with parentheses for a tool that takes none. */
export function warnOfRules(rules: readonly RuleText[], tools: readonly string[]): readonly string[] {
  return rules.flatMap(({ text, toolName, behavior, origin }) => {
    const [, name = '', spec = ''] = ruleParts.exec(text) ?? []
    const isOffered = tools.some((one) => one.toLowerCase() === name.toLowerCase())
    const isKnown = toolName !== undefined || isOffered || /^mcp__|\*/.test(name)
    const isWhole = /^\*?$/.test(spec)
    const isHarmless = isKnown ? isWhole : behavior === 'allow' || (isWhole && isOnlyElsewhere(name))
    if (ruleSubject(name) !== 'other' || isHarmless) return []
    const what = isKnown && behavior !== 'allow' ? 'every call of it' : 'nothing'
    const why = isKnown ? `${name} takes nothing in parentheses` : `unknown tool ${name}`
    return [`${origin ?? 'settings'}: ${why}; the rule ${text} ${verbs[behavior]} ${what}`]
  })
}

const verbs = { deny: 'forbids', ask: 'asks about', allow: 'allows' } as const
