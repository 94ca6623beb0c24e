import { resolve } from 'node:path'
import { splitGlob } from '../globs/search-glob.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { JudgedCall } from '../permission.ts'
import type { Finding, Rules } from './finding.ts'
import type { JudgeContext } from './judge-context.ts'
import { textArgument } from './judged-arguments.ts'
import type { Paths } from './paths/paths.ts'
import { holdsKeys, reasonToAsk, reasonToAskAlways } from './paths/protected.ts'
import type { Rule } from './rules/rule.ts'

export interface PathCall {
  readonly access: 'read' | 'edit'
  /** As the model wrote it. */
  readonly path: string
}

/** The file or folder that a call of a file tool names. Default for a search: the project. */
export function namedPath({ tool, arguments: args }: Pick<JudgedCall, 'tool' | 'arguments'>): string {
  const path = textArgument(args, 'path')
  const field = globFields[tool.name.toLowerCase()]
  const glob = field === undefined ? undefined : textArgument(args, field)
  // The glob itself may lead out of the searched folder.
  return glob === undefined ? (path ?? '.') : splitGlob(glob, path).root
}

/** The argument that holds the glob, by search tool. */
const globFields: Readonly<Record<string, string>> = { glob: 'pattern', grep: 'glob' }

/** Judges a call of a file tool. Deny and ask rules apply to a symlink and to its target; allow rules must cover both. */
export async function judgePath(call: PathCall, context: JudgeContext): Promise<Finding> {
  const { rules, paths } = context
  const { access, path: shown } = call
  const both = await paths.both(shown)
  const [, path] = both
  const matching = (all: readonly Rule[], kinds: readonly Rule['tool'][]) =>
    all.find(({ tool, path }) => kinds.includes(tool) && both.some((one) => path.matches(one)))
  const isEdit = access === 'edit'
  const reason = reasonToAsk(access, both, paths.own())
  const danger = isEdit ? reasonToAskAlways(both, paths.own()) : undefined
  return {
    ...omitUndefined({
      denied: matching(rules.deny, isEdit ? ['read', 'edit'] : ['read']),
      asked: matching(rules.ask, [access]),
      danger: danger && `${shown} ${danger}`,
      caution: reason && `${shown} ${reason}`,
      allowed: await allowance(both, call, context),
    }),
    readOnly: !isEdit,
    path,
    reason: isEdit ? `it changes ${shown}` : `${shown} ${await whyNotRead(both, paths)}`,
  }
}

async function whyNotRead(both: readonly string[], paths: Paths): Promise<string> {
  return (await paths.isInside(both)) ? 'needs a rule that allows reading it' : 'is outside the project'
}

async function allowance(
  both: readonly string[],
  { access }: PathCall,
  { rules, paths, accepts, readsFreely }: JudgeContext,
): Promise<Finding['allowed']> {
  const usable = rules.allow.filter(({ tool }) => tool === access)
  const covering = both.map((path) =>
    usable.find((rule) => rule.path.matches(path) || (access === 'read' && rule.path.coversAll(path))),
  )
  const [rule] = covering
  const inside = await paths.isInside(both)
  if (access === 'read' && inside && readsFreely) return { by: 'builtin', reason: 'it only reads' }
  if (covering.every((one) => one !== undefined)) return rule
  return access === 'edit' && accepts && inside ? { by: 'mode', reason: 'edits are accepted' } : undefined
}

/** Whether a deny rule matches this path as written, or the file holds keys. */
export function forbidsReading({ deny }: Rules, path: string, paths: Paths): boolean {
  const full = resolve(paths.cwd, path)
  return holdsKeys(full, paths.own()) || deny.some((rule) => rule.tool === 'read' && rule.path.matches(full))
}
