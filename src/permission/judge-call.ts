import { joinByStars, parseGlob } from '../globs/compile-glob.ts'
import { hostIn } from '../machine/url-host.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { JudgedCall } from '../permission.ts'
import type { Finding, Rules } from './finding.ts'
import { judgeCommand } from './judge-command.ts'
import type { JudgeContext } from './judge-context.ts'
import { judgePath } from './judge-path.ts'
import { matchesDomain } from './rules/domain-rule.ts'
import type { Rule } from './rules/rule.ts'

/** Collects the facts about a call, whatever the mode: of all that its tool states about it, and of the tool by its name. */
export async function findOut(call: JudgedCall, context: JudgeContext): Promise<Finding> {
  const { tool, arguments: args } = call
  const findings: Finding[] = []
  if (tool.command !== undefined) findings.push(await judgeCommand(tool.command(args)?.line ?? '', context))
  if (tool.url !== undefined) findings.push(judgeUrl(tool.url(args), context.rules))
  for (const path of tool.paths?.(args) ?? []) findings.push(await judgePath(path, context))
  const byName = judgeName(call, context.rules)
  const input = tool.input?.(args)
  // What is sent to a shell, it runs.
  if (input !== undefined) return { ...doubtsOf(await judgeCommand(input, context)), ...byName }
  const changes =
    tool.command !== undefined || tool.url !== undefined || findings.some(({ readOnly }) => !readOnly)
  // A tool that says it changes something, but not what, is judged as such.
  const isStated = findings.length > 0 && (changes || tool.readOnly(args))
  return joined(isStated ? findings : [...findings, byName], byName)
}

/** Joins findings about parts of one call: it is as dangerous as each, and allowed if all of them are, or the tool by its name. */
function joined(findings: readonly Finding[], byName: Finding): Finding {
  const [first = byName] = findings
  const open = findings.find(({ allowed }) => allowed === undefined)
  const paths = findings.flatMap((one) => one.paths ?? [])
  const all = [byName, ...findings]
  const firstIn = <Key extends keyof Finding>(key: Key) => all.find((one) => one[key] !== undefined)?.[key]
  const isAllowed = byName.allowed !== undefined && 'text' in byName.allowed
  return {
    ...omitUndefined({
      denied: firstIn('denied'),
      asked: firstIn('asked'),
      danger: firstIn('danger'),
      caution: firstIn('caution'),
      exposed: firstIn('exposed'),
      allowed: isAllowed ? byName.allowed : open === undefined ? first.allowed : undefined,
    }),
    readOnly: findings.every(({ readOnly }) => readOnly),
    runsProgram: findings.some(({ runsProgram }) => runsProgram === true),
    ...(paths.length > 0 && { paths }),
    reason: (open ?? first).reason,
  }
}

/** The doubts about a line that leave open whether it is allowed. */
function doubtsOf({ denied, asked, danger, caution, exposed }: Finding): Partial<Finding> {
  return omitUndefined({ denied, asked, danger, caution, exposed })
}

/** A fetch changes nothing here, but its request can carry data out. */
function judgeUrl(url: string | undefined, rules: Rules): Finding {
  const host = hostIn(url)
  const matches = ({ tool, spec }: Rule) =>
    tool === 'fetch' &&
    (spec === '' || (host !== undefined && matchesDomain(spec.replace(/^domain:/, ''), host)))
  return {
    ...firstMatching(rules, matches),
    readOnly: true,
    reason: `it sends a request to ${host ?? 'the network'}`,
  }
}

/** Judges a call by the name of its tool, and by what the tool says about itself. */
function judgeName({ tool, arguments: args }: JudgedCall, rules: Rules): Finding {
  const name = tool.name.toLowerCase()
  const readOnly = tool.readOnly(args)
  const found = firstMatching(rules, (rule) => rule.tool === 'other' && isNamed(rule.name, name))
  const reason = readOnly ? 'it only reads' : tool.allowance?.(args)
  return {
    ...found,
    ...omitUndefined({
      allowed: found.allowed ?? (reason === undefined ? undefined : { by: 'builtin' as const, reason }),
      danger: tool.consent === undefined ? undefined : `${tool.name} needs a yes of the user each time`,
    }),
    readOnly,
    reason: `${tool.name} can change things`,
  }
}

/** `mcp__files__*` matches every tool with that prefix, `mcp__files` every tool of that server. */
function isNamed(pattern: string, name: string): boolean {
  const pieces = pattern.split('*')
  if (pieces.length > 1) return parseGlob(joinByStars(pieces), { crosses: true }).matches(name)
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
