import { findDirectories } from '../../config/directories.ts'
import { findHookFiles } from '../../config/hooks/hook-files.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { readOwnSettings } from '../choices.ts'
import type { RunContext } from '../run-context.ts'
import { readAllSettings } from '../wiring/read-settings.ts'
import type { ConversationHolder } from './conversation-holder.ts'

/** Functions that report on the program. What they need is loaded when one is used. */
export type ReportApi = Required<
  Pick<FrontendApi, 'permissions' | 'doctor' | 'toolServers' | 'hooks' | 'skillReport' | 'agentReport'>
>

/** Creates the reports for a conversation. */
export function reportApi(
  context: RunContext,
  conversation: Pick<ConversationHolder, 'view' | 'grants' | 'servers' | 'hookEnds'>,
): ReportApi {
  const { host, flags, signal } = context
  return {
    permissions: async () => {
      const { describePermissions } = await import('../wiring/tools/permission-report.ts')
      const { mode = 'default' } = conversation.view()
      return describePermissions(
        mode,
        await readAllSettings(host, readOwnSettings(flags)),
        host.home,
        conversation.grants,
      )
    },
    toolServers: async (name, stop) => {
      const { describeServers } = await import('../wiring/tools/server-report.ts')
      return describeServers(conversation.servers, name, AbortSignal.any([signal, stop]))
    },
    hooks: async () => {
      const { trust, settings, plugins } = await readAllSettings(host, readOwnSettings(flags))
      const { config } = findDirectories(host.env, host.home)
      const { files, warnings } = await findHookFiles({ config, trust, own: settings.hooks, plugins })
      const { describeHooksByEvent } = await import('../wiring/hooks/hook-report.ts')
      return [describeHooksByEvent(files, conversation.hookEnds, host), ...warnings].join('\n')
    },
    skillReport: async () => (await import('../commands/skills/list-skills.ts')).describeSkills(context),
    agentReport: async () => (await import('../commands/agents/list-agents.ts')).describeAgents(context),
    doctor: async (stop) => {
      const { checkAll, doctorText } = await import('../commands/doctor/doctor.ts')
      return doctorText(await checkAll({ ...context, signal: AbortSignal.any([signal, stop]) })).trimEnd()
    },
  }
}
