import { PipeError } from '../error.ts'
import type { Decision } from '../permission.ts'
import { present } from '../present.ts'
import { type CommandRule, createCommandRule } from './command-rule.ts'
import { type Anchors, createPathRule, type PathRule } from './path-rule.ts'

export type Behavior = Decision['behavior']

/** A rule as settings spell it, and where it stands. */
export interface RuleText {
  readonly text: string
  readonly behavior: Behavior
  readonly source: Decision['source']
  /** The file or flag. */
  readonly origin?: string
  /** Line and column in that file, looked for where something is wrong with the rule. */
  readonly place?: () => string | undefined
  /** The folder that a path with one leading slash begins at. Default: cwd. */
  readonly folder?: string
  /** Commands or paths that it must match, and must not: checked when it is read. */
  readonly match?: readonly string[]
  readonly notMatch?: readonly string[]
}

/** A rule that was read. */
export type Rule = RuleText & {
  readonly tool: 'command' | 'read' | 'edit' | 'fetch' | 'other'
  /** The tool's name in small letters. */
  readonly name: string
  /** What stands in the parentheses; empty where every call of the tool is meant. Of a tool that takes nothing there, any text. */
  readonly spec: string
  readonly command: CommandRule
  readonly path: PathRule
}

/** The kinds of calls, by the names that rules have for them and those of the tools themselves. */
const tools: Readonly<Record<string, Rule['tool']>> = {
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

export function toolKind(name: string): Rule['tool'] {
  const key = name.toLowerCase()
  return (Object.hasOwn(tools, key) ? tools[key] : undefined) ?? 'other'
}

/** Reads a rule. Throws `config` for text that is no rule. */
export function readRule(text: RuleText, anchors: Omit<Anchors, 'source'>): Rule {
  const [, tool, spec = ''] = /^\s*([A-Za-z][\w.*-]*)\s*(?:\((.*)\))?\s*$/s.exec(text.text) ?? []
  if (tool === undefined)
    throw ruleError(text, 'cannot be read: expected Tool or Tool(what), such as Bash(git diff:*)')
  const kind = toolKind(tool)
  if (kind === 'fetch' && spec !== '' && !/^domain:[^\s/:]+$/.test(spec)) {
    throw ruleError(
      text,
      'cannot be read: expected WebFetch(domain:HOST), such as WebFetch(domain:example.com)',
    )
  }
  return {
    ...text,
    tool: kind,
    name: tool.toLowerCase(),
    spec,
    command: createCommandRule(kind === 'command' ? spec : ''),
    path: createPathRule(kind === 'read' || kind === 'edit' ? spec : '', text.behavior, {
      ...anchors,
      source: text.folder ?? anchors.cwd,
    }),
  }
}

/** `config`: what is wrong with a rule, and where it stands. */
export function ruleError({ text, origin, place }: RuleText, wrong: string, example?: string): PipeError {
  const at = [origin, place?.()].filter((one) => one !== undefined).join(':')
  return new PipeError('config', `${at === '' ? '' : `${at}: `}the rule ${JSON.stringify(text)} ${wrong}`, {
    details: { rule: text, ...present({ example }) },
  })
}
