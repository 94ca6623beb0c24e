import { PipeError } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Decision } from '../../permission.ts'
import { type CommandRule, createCommandRule } from './command-rule.ts'
import { type Anchors, createPathRule, type PathRule } from './path-rule.ts'

export type Behavior = Decision['behavior']

/** A rule as written in the settings, and where it comes from. */
export interface RuleText {
  readonly text: string
  /** The tool that the rule names. Default: its first word. */
  readonly toolName?: string | undefined
  readonly behavior: Behavior
  readonly source: Decision['source']
  /** The file or flag. */
  readonly origin?: string
  /** Returns the line and column in that file. Only called to report a faulty rule. */
  readonly place?: () => string | undefined
  /** The folder that a path with one leading slash is relative to. Default: `cwd`. */
  readonly folder?: string
  /** Commands or paths that the rule must match, and must not match. Checked when the settings are read. */
  readonly match?: readonly string[] | undefined
  readonly notMatch?: readonly string[] | undefined
}

export type Rule = RuleText & {
  readonly tool: 'command' | 'read' | 'edit' | 'fetch' | 'other'
  /** The tool's name in lower case. */
  readonly name: string
  /** The text in the parentheses; empty if the rule covers every call of the tool. */
  readonly spec: string
  readonly command: CommandRule
  readonly path: PathRule
}

/** Tells what a rule is about by its first word, as settings of this and of other agents spell it. All other words name one tool. */
const subjects: Readonly<Record<string, Rule['tool']>> = {
  bash: 'command',
  read: 'read',
  grep: 'read',
  glob: 'read',
  edit: 'edit',
  write: 'edit',
  multiedit: 'edit',
  notebookedit: 'edit',
  webfetch: 'fetch',
  fetch: 'fetch',
}

/** Returns what a rule with this first word is about: commands, paths to read or to edit, pages, or one tool. */
export function ruleSubject(word: string): Rule['tool'] {
  const key = word.toLowerCase()
  return (Object.hasOwn(subjects, key) ? subjects[key] : undefined) ?? 'other'
}

/** Reads a rule. Throws `config` if the text is not a rule. */
export function readRule(text: RuleText, anchors: Omit<Anchors, 'source'>): Rule {
  const [, tool, spec = ''] = /^\s*([A-Za-z][\w.*-]*)\s*(?:\((.*)\))?\s*$/s.exec(text.text) ?? []
  if (tool === undefined)
    throw ruleError(text, 'cannot be read: expected Tool or Tool(what), such as Bash(git diff:*)')
  const kind = ruleSubject(tool)
  if (kind === 'fetch' && spec !== '' && !/^domain:[^\s/:]+$/.test(spec)) {
    throw ruleError(
      text,
      'cannot be read: expected WebFetch(domain:HOST), such as WebFetch(domain:example.com)',
    )
  }
  return {
    ...text,
    tool: kind,
    name: (text.toolName ?? tool).toLowerCase(),
    spec,
    command: createCommandRule(kind === 'command' ? spec : ''),
    path: createPathRule(kind === 'read' || kind === 'edit' ? spec : '', text.behavior, {
      ...anchors,
      source: text.folder ?? anchors.cwd,
    }),
  }
}

/** Builds a `config` error that names the rule, its place and what is wrong. */
export function ruleError({ text, origin, place }: RuleText, wrong: string, example?: string): PipeError {
  const at = [origin, place?.()].filter((one) => one !== undefined).join(':')
  return new PipeError('config', `${at === '' ? '' : `${at}: `}the rule ${JSON.stringify(text)} ${wrong}`, {
    details: { rule: text, ...omitUndefined({ example }) },
  })
}
