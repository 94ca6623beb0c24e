import { omitUndefined } from '../omit-undefined.ts'
import type { JudgedCall } from '../permission.ts'
import type { Finding, Rules } from './finding.ts'
import { judgeCommand } from './judge-command.ts'
import type { JudgeContext } from './judge-context.ts'
import { judgePath, namedPath } from './judge-path.ts'
import { hostOf, isProcessCall, textArgument } from './judged-arguments.ts'
import { matchesDomain } from './rules/domain-rule.ts'
import { type Rule, toolKind } from './rules/rule.ts'

/** Collects the facts about a call, whatever the mode. */
export function findOut(call: JudgedCall, context: JudgeContext): Promise<Finding> {
  switch (toolKind(call.tool.name)) {
    case 'command':
      return judgeCommand(textArgument(call.arguments, 'command') ?? '', context)
    case 'read':
      return judgePath({ access: 'read', path: namedPath(call) }, context)
    case 'edit':
      return judgePath({ access: 'edit', path: namedPath(call) }, context)
    case 'fetch':
      return Promise.resolve(judgeFetch(call, context.rules))
    case 'other':
      return judgeOther(call, context)
  }
}

/** A fetch changes nothing here, but its request can carry data out. */
function judgeFetch({ arguments: args }: JudgedCall, rules: Rules): Finding {
  const host = hostOf(args)
  const matches = ({ tool, spec }: Rule) =>
    tool === 'fetch' &&
    (spec === '' || (host !== undefined && matchesDomain(spec.replace(/^domain:/, ''), host)))
  return {
    ...firstMatching(rules, matches),
    readOnly: true,
    reason: `it sends a request to ${host ?? 'the network'}`,
  }
}

async function judgeOther(call: JudgedCall, context: JudgeContext): Promise<Finding> {
  const { tool, arguments: args } = call
  const name = tool.name.toLowerCase()
  const readOnly = tool.readOnly(args) || isProcessCall(call, 'list', 'read', 'wait')
  const found = firstMatching(context.rules, (rule) => rule.tool === 'other' && isNamed(rule.name, name))
  const said = {
    ...found,
    ...omitUndefined({
      allowed: found.allowed ?? allowance(call, readOnly),
      danger: tool.consent === undefined ? undefined : `${tool.name} needs a yes of the user each time`,
    }),
    readOnly,
    reason: `${tool.name} can change things`,
  }
  if (!isProcessCall(call, 'write')) return said
  // The process may be a shell that runs what is written to it.
  const { denied, asked, danger, caution, exposed } = await judgeCommand(
    textArgument(args, 'input') ?? '',
    context,
  )
  return { ...omitUndefined({ denied, asked, danger, caution, exposed }), ...said }
}

function allowance(call: JudgedCall, readOnly: boolean): Finding['allowed'] {
  if (readOnly) return { by: 'builtin', reason: 'it only reads' }
  if (isProcessCall(call, 'kill')) return { by: 'builtin', reason: 'it ends a process that was started here' }
  return undefined
}

/** `mcp__files__*` matches every tool with that prefix, `mcp__files` every tool of that server. */
function isNamed(pattern: string, name: string): boolean {
  const [head = '', ...tail] = pattern.split('*')
  if (tail.length > 0) return name.startsWith(head) && name.endsWith(tail.at(-1) ?? '')
  return pattern === name || (/^mcp__(?!.*__)/.test(pattern) && name.startsWith(`${pattern}__`))
}

function firstMatching(
  rules: Rules,
  matches: (rule: Rule) => boolean,
): Pick<Finding, 'denied' | 'asked' | 'allowed'> {
  // Other tools take no specifier. A rule with one allows nothing, but still denies or asks about the whole tool.
  const isWhole = ({ tool, spec }: Rule) => tool !== 'other' || /^\*?$/.test(spec)
  const rule = rules.allow.find((one) => matches(one) && isWhole(one))
  return omitUndefined({ denied: rules.deny.find(matches), asked: rules.ask.find(matches), allowed: rule })
}
