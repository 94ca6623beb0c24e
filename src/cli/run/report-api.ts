import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { readOwnSettings } from '../choices.ts'
import type { RunContext } from '../run-context.ts'
import { readAllSettings } from '../wiring/read-settings.ts'
import type { ConversationHolder } from './conversation-holder.ts'

/** Functions that report on the program. What they need is loaded when one is used. */
export type ReportApi = Required<Pick<FrontendApi, 'permissions' | 'doctor'>>

/** Creates the reports for a conversation. */
export function reportApi(
  context: RunContext,
  conversation: Pick<ConversationHolder, 'view' | 'grants'>,
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
    doctor: async (stop) => {
      const { checkAll, doctorText } = await import('../commands/doctor/doctor.ts')
      return doctorText(await checkAll({ ...context, signal: AbortSignal.any([signal, stop]) })).trimEnd()
    },
  }
}
