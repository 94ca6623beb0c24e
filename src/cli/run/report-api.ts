import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { readOwnSettings } from '../choices.ts'
import type { RunContext } from '../run-context.ts'
import { readAllSettings } from '../wiring/read-settings.ts'
import type { ConversationHolder } from './conversation-holder.ts'

/** Functions that report on the program. What they need is loaded when one is used. */
export type ReportApi = Required<
  Pick<
    FrontendApi,
    | 'permissions'
    | 'doctor'
    | 'toolServers'
    | 'hooks'
    | 'skillReport'
    | 'agentReport'
    | 'statusReport'
    | 'settings'
  >
>

/** Creates the reports for a conversation. */
export function reportApi(
  context: RunContext,
  conversation: Pick<ConversationHolder, 'view' | 'wired'>,
): ReportApi {
  const { host, flags, signal } = context
  const actions = async () =>
    (await import('../commands/config/changeable-settings.ts')).openSettingActions(context)
  return {
    permissions: async () => {
      const { describePermissions } = await import('../wiring/tools/permission-report.ts')
      const { mode = 'default' } = conversation.view()
      return describePermissions(
        mode,
        await readAllSettings(host, readOwnSettings(flags)),
        host.home,
        conversation.wired.grants(),
      )
    },
    toolServers: async (name, stop) => {
      const { describeServers } = await import('../wiring/tools/server-report.ts')
      return describeServers(conversation.wired.servers, name, AbortSignal.any([signal, stop]))
    },
    hooks: async () => {
      const { hooksOfRun } = await import('../wiring/hooks/hooks-of-run.ts')
      const { files, warnings } = await hooksOfRun(host, await readAllSettings(host, readOwnSettings(flags)))
      const { describeHooksByEvent } = await import('../wiring/hooks/hook-report.ts')
      return [describeHooksByEvent(files, conversation.wired.hookEnds, host), ...warnings].join('\n')
    },
    skillReport: async () => (await import('../commands/skills/list-skills.ts')).describeSkills(context),
    agentReport: async () => (await import('../commands/agents/list-agents.ts')).describeAgents(context),
    statusReport: async () => {
      const { statusFacts } = await import('./status-facts.ts')
      const { statusReport } = await import('../../frontend/reports/status-report.ts')
      return statusReport(await statusFacts(context, conversation))
    },
    settings: {
      list: async () => (await actions()).list(),
      set: async (key, text) => (await actions()).set(key, text),
    },
    doctor: async (stop) => {
      const { checkAll, doctorText } = await import('../commands/doctor/doctor.ts')
      return doctorText(await checkAll({ ...context, signal: AbortSignal.any([signal, stop]) })).trimEnd()
    },
  }
}
