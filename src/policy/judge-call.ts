import type { CommandReader } from '../command-line.ts'
import type { JudgedCall } from '../permission.ts'
import { present } from '../present.ts'
import { hostOf, textOf } from './call-arguments.ts'
import { matchesDomain } from './domain-rule.ts'
import type { Finding, Rules } from './finding.ts'
import { judgeCommand } from './judge-command.ts'
import { judgePath, pathOf } from './judge-path.ts'
import type { Paths } from './paths.ts'
import { type Rule, toolKind } from './rule.ts'

/** What calls are judged by. */
export interface Bench {
  readonly rules: Rules
  readonly paths: Paths
  readonly reader: CommandReader
  readonly home: string
  readonly trusted: boolean
  readonly gitRuns: () => Promise<string | undefined>
  readonly readsFreely: boolean
  /** Edits are accepted. */
  readonly accepts: boolean
}

/** What is to be said of a call, whatever the mode. */
export function findOut(call: JudgedCall, bench: Bench): Promise<Finding> {
  const { rules, paths, accepts } = bench
  switch (toolKind(call.tool.name)) {
    case 'command':
      return judgeLine(textOf(call.arguments, 'command'), bench)
    case 'read':
      return judgePath({ access: 'read', path: pathOf(call) }, rules, paths, false)
    case 'edit':
      return judgePath({ access: 'edit', path: pathOf(call) }, rules, paths, accepts)
    case 'fetch':
      return Promise.resolve(judgeFetch(call, rules))
    case 'other':
      return judgeOther(call, bench)
  }
}

function judgeLine(command = '', bench: Bench): Promise<Finding> {
  return judgeCommand(command, { ...bench, context: { cwd: bench.paths.cwd, home: bench.home } })
}

/** Fetching changes nothing here, and yet what is asked for goes out. */
function judgeFetch({ arguments: args }: JudgedCall, rules: Rules): Finding {
  const host = hostOf(args)
  const matches = ({ tool, spec }: Rule) =>
    tool === 'fetch' &&
    (spec === '' || (host !== undefined && matchesDomain(spec.replace(/^domain:/, ''), host)))
  return {
    ...byName(rules, matches),
    readOnly: true,
    reason: `it sends a request to ${host ?? 'the network'}`,
  }
}

async function judgeOther({ tool, arguments: args }: JudgedCall, bench: Bench): Promise<Finding> {
  const { rules } = bench
  const name = tool.name.toLowerCase()
  const matches = (rule: Rule) => rule.tool === 'other' && isNamed(rule.name, name)
  const readOnly = tool.readOnly(args)
  const found = byName(rules, matches)
  const reads: Finding['allowed'] = readOnly ? { by: 'builtin', reason: 'it only reads' } : undefined
  const said = {
    ...found,
    ...present({ allowed: found.allowed ?? reads }),
    readOnly,
    reason: `${tool.name} can change things`,
  }
  if (name !== 'process') return said
  // What is written to a process that runs may be read by a shell.
  const { denied, asked, danger, caution } = await judgeLine(textOf(args, 'input'), bench)
  return { ...present({ denied, asked, danger, caution }), ...said }
}

/** `mcp__files__*` stands for every tool that begins so. */
function isNamed(pattern: string, name: string): boolean {
  const [head = '', ...tail] = pattern.split('*')
  return tail.length === 0 ? pattern === name : name.startsWith(head) && name.endsWith(tail.at(-1) ?? '')
}

function byName(
  rules: Rules,
  matches: (rule: Rule) => boolean,
): Pick<Finding, 'denied' | 'asked' | 'allowed'> {
  // What would narrow a tool that takes nothing in parentheses narrows it to nothing, and forbids all of it.
  const isWhole = ({ tool, spec }: Rule) => tool !== 'other' || /^\*?$/.test(spec)
  const rule = rules.allow.find((one) => matches(one) && isWhole(one))
  const allowed: Finding['allowed'] =
    rule === undefined ? undefined : { by: 'rule', rule, reason: `${rule.text} allows it` }
  return present({ denied: rules.deny.find(matches), asked: rules.ask.find(matches), allowed })
}
