import { dirname } from 'node:path'
import type { Layer } from '../../config/layers.ts'
import type { RuleSettings } from '../../config/settings.ts'
import { type RuleText, readRule, toolKind } from '../../policy/rule.ts'
import { present } from '../../present.ts'
import type { Host } from '../host.ts'

const behaviors = ['deny', 'ask', 'allow'] as const

/** The rules of all layers of settings, with where each stands; those that forbid first. */
export function rulesOf(layers: readonly Layer[]): readonly RuleText[] {
  return behaviors.flatMap((behavior) =>
    layers.flatMap(({ source, settings }) => {
      const isOfProject = source.type === 'project' || source.type === 'local'
      return (settings.permissions?.[behavior] ?? []).map(
        (rule): RuleText => ({
          ...ruleText(rule),
          behavior,
          source: isOfProject ? 'project' : 'user',
          origin: source.name,
          // The project's settings lie in a folder of the project.
          ...(isOfProject ? { folder: dirname(dirname(source.name)) } : {}),
        }),
      )
    }),
  )
}

/** A rule as settings hold it: its text and its examples. */
function ruleText(rule: RuleSettings): Pick<RuleText, 'text' | 'match' | 'notMatch'> {
  if (typeof rule === 'string') return { text: rule }
  return { text: rule.rule, ...present({ match: rule.match, notMatch: rule.not_match }) }
}

/** The places that rules forbid to read by name, so that a sandbox can hide them. Throws `config` for a rule that cannot be read. */
export function unreadablePlaces(
  rules: readonly RuleText[],
  { cwd, home }: Pick<Host, 'cwd' | 'home'>,
): readonly string[] {
  return rules.flatMap((text) => {
    const { behavior, tool, path } = readRule(text, { cwd, home })
    return behavior === 'deny' && tool === 'read' ? (path.literal ?? []) : []
  })
}

/** What is odd about rules that forbid: a tool that nobody knows is no mistake that anything else would show. */
export function warnOfRules(rules: readonly RuleText[], tools: readonly string[]): readonly string[] {
  return rules.flatMap(({ text, behavior, origin }) => {
    const name = text.replace(/\(.*$/s, '').trim()
    const isKnown =
      toolKind(name) !== 'other' ||
      /^mcp__|\*/.test(name) ||
      tools.some((one) => one.toLowerCase() === name.toLowerCase())
    return behavior === 'deny' && !isKnown
      ? [`${origin ?? 'settings'}: no tool is called ${name}; the rule ${text} forbids nothing`]
      : []
  })
}
