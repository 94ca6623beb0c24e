import type { LayeredSettings } from '../../../config/layers.ts'
import { modeWords } from '../../../frontend/words/mode-words.ts'
import type { RuleText } from '../../../permission/rules/rule.ts'
import type { PermissionMode } from '../../../permission.ts'
import { ruleTexts } from './rules.ts'

const modes: Readonly<Record<PermissionMode, string>> = {
  default:
    'pipe asks before it edits files, runs commands that change something, or reads outside the folder',
  'accept-edits': 'pipe edits files in the folder without asking, and asks before other changes',
  plan: 'pipe only reads',
  auto: 'pipe works inside the sandbox without asking, and asks before it leaves it',
  bypass: 'pipe asks only before catastrophic removals, and where a rule says so',
}

const headings = {
  deny: 'Never, whatever the mode:',
  ask: 'Only after asking:',
  allow: 'Without asking:',
} as const

/**
 * Describes the mode and the rules in force in words, with the source of each rule. `grants` are the rules and tools that the user allowed for
 * the session.
 */
export function describePermissions(
  mode: PermissionMode,
  { layers }: Pick<LayeredSettings, 'layers'>,
  home: string,
  grants: readonly string[],
): string {
  const rules = ruleTexts(layers)
  const sections = (['deny', 'ask', 'allow'] as const).flatMap((behavior) => {
    const own = rules.filter((rule) => rule.behavior === behavior)
    return own.length === 0 ? [] : [headings[behavior], ...own.map((rule) => describeRule(rule, home))]
  })
  // A rule that was saved too is listed with its file.
  const saved = new Set(rules.filter(({ behavior }) => behavior === 'allow').map(({ text }) => text))
  const unsaved = grants.filter((grant) => !saved.has(grant))
  if (unsaved.length > 0) sections.push('Without asking, this session:', ...unsaved.map((one) => `  ${one}`))
  return [
    `Mode ${modeWords[mode].short}: ${modes[mode]}.`,
    ...(sections.length === 0 ? ['No rule is set: "permissions" in config.json holds them.'] : sections),
    '/mode changes the mode.',
  ].join('\n')
}

function describeRule({ text, origin }: RuleText, home: string): string {
  const source = origin?.startsWith(`${home}/`) === true ? `~${origin.slice(home.length)}` : origin
  return source === undefined ? `  ${text}` : `  ${text}   from ${source}`
}
