import { resolve } from 'node:path'
import type { Layer } from '../../../config/layers.ts'
import { holds } from '../../../config/trust/project-root.ts'
import { PipeError } from '../../../error.ts'
import type { RunRequest, ServedAgent, ServedCalls, ServedRun } from '../../../mcp-server/served-agent.ts'
import { onlyOnce } from '../../../records/only-once.ts'
import { printWarning } from '../../../terminal/output.ts'
import { readChoices } from '../../choices.ts'
import { realFolder } from '../../host.ts'
import { openChildren } from '../../run/child-conversation.ts'
import { driveWired } from '../../run/driven.ts'
import { createComposer } from '../../run/message/message-composer.ts'
import type { RunContext } from '../../run-context.ts'
import { version } from '../../version.ts'
import type { Choices } from '../../wiring/run-choices.ts'
import { wire } from '../../wiring/wiring.ts'

/** Makes all that is offered to MCP clients, with the flags of the command for every conversation. */
export function createLocalAgent({ host, flags }: RunContext): ServedAgent {
  const unattended: Choices['onAsk'] = flags.text('on-ask') === 'stop' ? 'stop' : 'deny'
  const usual: Choices = { ...readChoices(flags, false), session: { type: 'new' }, onAsk: unattended }
  const warnOnce = onlyOnce((line) => printWarning(host, line))
  return {
    version,
    openCalls: async ({ model, isAttended }, { signal }) => {
      const choices = callChoices(usual, model, isAttended ? 'ask' : unattended)
      const wired = await wire({ machine: { ...host, warn: warnOnce }, choices, signal })
      for (const warning of wired.warnings) warnOnce(warning)
      return Object.assign(driveWired(wired, { machine: host }), {
        tools: wired.tools(),
      }) satisfies ServedCalls
    },
    openRun: async (request, { signal }) => {
      const machine = { ...host, cwd: folderOf(request, host.cwd), warn: warnOnce }
      const { session, isAttended } = request
      const model = modelOf(request) ?? usual.model
      const onAsk = isAttended ? 'ask' : unattended
      const choices: Choices = { ...usual, session, model, onAsk }
      const wired = await wire({ machine, choices, signal, children: openChildren })
      for (const warning of wired.warnings) warnOnce(warning)
      return Object.assign(driveWired(wired, { machine }), {
        compose: createComposer({ ...wired, isByModel: true }, [], machine),
        spent: () => wired.spent,
      }) satisfies ServedRun
    },
  }
}

/** Of the calls of a client: no model answers, so nothing is spent, and no history is shortened. */
function callChoices(usual: Choices, model: Choices['model'], onAsk: Choices['onAsk']): Choices {
  const whole: Layer = {
    source: { type: 'flag', name: 'the MCP client' },
    settings: { compaction: { auto: false } },
  }
  return { ...usual, layers: [...usual.layers, whole], model, onAsk, agent: undefined, limits: {} }
}

/** Returns the model that a client names. Throws `usage` for a script, whose path no rule would judge. */
function modelOf({ model }: Pick<RunRequest, 'model'>): string | undefined {
  if (model?.trim().toLowerCase().startsWith('replay/') !== true) return model
  throw new PipeError('usage', 'model names a file: name provider/model instead')
}

/** Returns the real path of the folder to work in. Throws `usage` for one outside of the served one, whether it is there or not. */
function folderOf({ cwd = '.' }: Pick<RunRequest, 'cwd'>, served: string): string {
  const named = resolve(served, cwd)
  if (holds(served, named)) return realFolder(named, 'cwd')
  throw new PipeError('usage', 'cwd is outside of the folder that pipe serves')
}
