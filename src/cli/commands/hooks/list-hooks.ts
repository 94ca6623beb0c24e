import { oneLine } from '../../../characters/one-line.ts'
import type { HookFile } from '../../../config/hooks/hook-files.ts'
import { tableText } from '../../../frontend/words/text-table.ts'
import { type Hook, nameOf } from '../../../hooks/hook.ts'
import { readHooks } from '../../../hooks/read-hooks.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { hooksNotApproved, hooksOfRun } from '../../wiring/hooks/hooks-of-run.ts'
import { openSettings } from '../../wiring/read-settings.ts'
import { JsonList } from '../json-list.ts'

const heading = ['EVENT', 'MATCHER', 'STATE', 'FILE', 'COMMAND']

interface ListedHook {
  readonly hook: Hook
  readonly file: HookFile
}

/** Lists the hooks of this folder and of the user, and names on stderr what does not run. Throws `config`. */
export async function listHooks({ host, flags }: RunContext): Promise<void> {
  const opened = await openSettings(host, readOwnSettings(flags))
  const { files, warnings } = await hooksOfRun(host, opened, opened.warnings)
  const read = files.map((file) => ({ file, ...readHooks(file.hooks, file.path) }))
  const listed = read.flatMap(({ file, hooks }) => hooks.map((hook): ListedHook => ({ hook, file })))
  if (flags.format === 'json') {
    const list = new JsonList(host.stdout, 'hooks')
    for (const one of listed) list.add(encode(one))
    list.end()
  } else if (listed.length > 0) host.stdout.write(`${tableText([heading, ...listed.map(cells)])}\n`)
  const problems = [...warnings, ...read.flatMap(({ problems: found }) => found)]
  for (const problem of problems) printWarning(host, visibleLine(problem))
  if (files.some(({ isApproved }) => !isApproved)) printWarning(host, hooksNotApproved)
  if (listed.length === 0 && flags.format !== 'json') printWarning(host, 'there are no hooks')
}

function cells({ hook, file }: ListedHook): readonly string[] {
  const { event, matcher, source } = hook
  const state = file.isApproved ? 'runs' : 'not approved'
  return [event, matcher === '' ? '*' : matcher, state, source, nameOf(hook)].map((text) =>
    visibleLine(oneLine(text, 200)),
  )
}

function encode({ hook, file }: ListedHook): object {
  const { event, matcher, condition, handler, source, timeoutMs, once, async, blocksOnFailure, status } = hook
  return {
    event,
    matcher,
    ...(condition !== undefined && { if: condition }),
    ...handler,
    ...(status !== undefined && { status_message: status }),
    source,
    origin: file.origin,
    approved: file.isApproved,
    timeout_ms: timeoutMs,
    once,
    async,
    on_failure: blocksOnFailure ? 'block' : 'continue',
  }
}
