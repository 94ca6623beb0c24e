import { dirname } from 'node:path'
import { placeOfString } from '../../config/document.ts'
import type { Layer, Source } from '../../config/layers.ts'
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
          place: () => (isFile(source) ? placeOfString(ruleText(rule).text, source.name) : undefined),
          // The project's settings lie in a folder of the project.
          ...(isOfProject ? { folder: dirname(dirname(source.name)) } : {}),
        }),
      )
    }),
  )
}

function isFile({ type }: Source): boolean {
  return type === 'user' || type === 'project' || type === 'local'
}

/** A rule as settings hold it: its text and its examples. */
function ruleText(rule: RuleSettings): Pick<RuleText, 'text' | 'match' | 'notMatch'> {
  if (typeof rule === 'string') return { text: rule }
  return { text: rule.rule, ...present({ match: rule.match, notMatch: rule.not_match }) }
}

/** The places that rules forbid to read by name, so that a sandbox can hide them. Throws `config` for a rule that cannot be read. */
export function unreadablePlaces(
  rules: readonly RuleText[],
  anchors: Pick<Host, 'cwd' | 'home'>,
): readonly string[] {
  return forbiddenPlaces('read', rules, anchors)
}

/** The same of those that they forbid to edit, so that it can keep them as they are. */
export function uneditablePlaces(
  rules: readonly RuleText[],
  anchors: Pick<Host, 'cwd' | 'home'>,
): readonly string[] {
  return forbiddenPlaces('edit', rules, anchors)
}

function forbiddenPlaces(
  access: 'read' | 'edit',
  rules: readonly RuleText[],
  { cwd, home }: Pick<Host, 'cwd' | 'home'>,
): readonly string[] {
  return rules.flatMap((text) => {
    const { behavior, tool, path } = readRule(text, { cwd, home })
    return behavior === 'deny' && tool === access ? (path.literal ?? []) : []
  })
}

/** What is odd about rules, which nothing else would show: a tool that nobody knows, or one that takes nothing in parentheses. */
export function warnOfRules(rules: readonly RuleText[], tools: readonly string[]): readonly string[] {
  return rules.flatMap(({ text, behavior, origin }) => {
    const [, name = '', spec = ''] = /^\s*([^(]*?)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? []
    const isKnown = /^mcp__|\*/.test(name) || tools.some((one) => one.toLowerCase() === name.toLowerCase())
    const isHarmless = isKnown ? /^\*?$/.test(spec) : behavior === 'allow'
    if (toolKind(name) !== 'other' || isHarmless) return []
    const what = isKnown && behavior !== 'allow' ? 'every call of it' : 'nothing'
    const why = isKnown ? `${name} takes nothing in parentheses` : `no tool is called ${name}`
    return [`${origin ?? 'settings'}: ${why}; the rule ${text} ${verbs[behavior]} ${what}`]
  })
}

const verbs = { deny: 'forbids', ask: 'asks about', allow: 'allows' } as const
