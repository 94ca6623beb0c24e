import { join, resolve } from 'node:path'
import { omitUndefined } from '../omit-undefined.ts'
import type { ToolPath } from '../tool.ts'
import type { Finding, Rules } from './finding.ts'
import type { JudgeContext } from './judge-context.ts'
import { namesBelow } from './names-below.ts'
import { isOwnNote } from './notes-folder.ts'
import type { Paths } from './paths/paths.ts'
import { holdsKeys, reasonToAsk, reasonToAskAlways } from './paths/protected.ts'
import type { Rule } from './rules/rule.ts'

/** A path as written, and with its symlinks followed. */
type Both = readonly [written: string, real: string]

/**
 * Judges a path that a call names, and all below a folder that it writes. Deny and ask rules apply to a symlink and to its target;
 * allow rules must cover both.
 */
export async function judgePath(named: ToolPath, context: JudgeContext): Promise<Finding> {
  const { rules, paths } = context
  const { path: shown } = named
  const isEdit = named.access === 'write'
  const access = isEdit ? 'edit' : 'read'
  const both = await paths.both(shown)
  const names = isEdit ? await namesBelow(await sourceOf(named, both, paths), paths) : []
  const all = withBelow(both, names)
  // What gets there by a move or a copy is read, too.
  const read = named.from === undefined ? [] : withBelow(await paths.both(named.from), names)
  const matching = (some: readonly Rule[], kinds: readonly Rule['tool'][]) =>
    some.find(
      ({ tool, path }) =>
        (kinds.includes(tool) && all.flat().some((one) => path.matches(one))) ||
        (tool === 'read' && read.flat().some((one) => path.matches(one))),
    )
  const isNote = names?.length === 0 && isOwnNote(named, both, context.notes)
  const reason = isNote
    ? undefined
    : (firstOf(all, (each) => reasonToAsk(access, each, paths.own())) ??
      firstOf(read, (each) => reasonToAsk('read', each, paths.own())))
  const danger = isEdit ? firstOf(all, (each) => reasonToAskAlways(each, paths.own())) : undefined
  return {
    ...omitUndefined({
      denied: matching(rules.deny, isEdit ? ['read', 'edit'] : ['read']),
      asked: matching(rules.ask, [access]),
      danger:
        names === undefined ? `${shown} holds more files than pipe checks` : danger && `${shown} ${danger}`,
      caution: reason && `${shown} ${reason}`,
      allowed: isNote ? ownNotes : await allowance(all, access, context),
    }),
    readOnly: !isEdit,
    paths: [both[1]],
    reason: isEdit ? `it changes ${shown}` : `${shown} ${await whyNotRead(both, paths)}`,
  }
}

const ownNotes = { by: 'builtin', reason: 'the agent keeps its notes there' } as const

/** The real folder or file that a path holds, or will hold. */
async function sourceOf({ from }: ToolPath, [, real]: Both, paths: Paths): Promise<string> {
  return from === undefined ? real : (await paths.both(from))[1]
}

/** A path and those below it. */
function withBelow(both: Both, names: readonly string[] = []): readonly Both[] {
  const [written, real] = both
  return [both, ...names.map((name): Both => [join(written, name), join(real, name)])]
}

function firstOf<T>(all: readonly Both[], tell: (both: Both) => T | undefined): T | undefined {
  for (const both of all) {
    const told = tell(both)
    if (told !== undefined) return told
  }
  return undefined
}

async function whyNotRead(both: Both, paths: Paths): Promise<string> {
  return (await paths.isReadable(both)) ? 'needs a rule that allows reading it' : 'is outside the project'
}

async function allowance(
  all: readonly Both[],
  access: 'read' | 'edit',
  { rules, paths, accepts, readsFreely }: JudgeContext,
): Promise<Finding['allowed']> {
  const usable = rules.allow.filter(({ tool }) => tool === access)
  const covering = all
    .flat()
    .map((path) =>
      usable.find((rule) => rule.path.matches(path) || (access === 'read' && rule.path.coversAll(path))),
    )
  const [rule] = covering
  if (access === 'read' && readsFreely && (await paths.isReadable(all.flat())))
    return { by: 'builtin', reason: 'it only reads' }
  if (covering.every((one) => one !== undefined)) return rule
  const isAccepted = access === 'edit' && accepts && (await paths.isInside(all.flat()))
  return isAccepted ? { by: 'mode', reason: 'edits are accepted' } : undefined
}

/** Whether a deny rule matches this path as written, or the file holds keys. */
export function forbidsReading({ deny }: Rules, path: string, paths: Paths): boolean {
  const full = resolve(paths.cwd, path)
  return holdsKeys(full, paths.own()) || deny.some((rule) => rule.tool === 'read' && rule.path.matches(full))
}
