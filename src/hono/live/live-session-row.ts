import type { SessionRow } from '../../json/served/session-schema.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { LiveSession } from './live-session.ts'
import type { StoredSession } from './stored-sessions.ts'

/** Describes a session that is stored, open, or both. `live` wins where both know. */
export function sessionRow(stored: StoredSession | undefined, live: LiveSession | undefined): SessionRow {
  const outcome = live?.facts.outcome ?? stored?.summary.outcome
  const { summary, project = live?.project } = { ...stored }
  const opened = live?.openedAt ?? ''
  return {
    id: live?.id ?? summary?.id ?? '',
    ...omitUndefined({
      project: project?.name,
      cwd: project?.cwd,
      title: summary?.title,
      opening: summary?.opening,
    }),
    created_at: summary?.createdAt ?? opened,
    updated_at: summary?.updatedAt ?? opened,
    ...omitUndefined({ model: summary?.model }),
    ...live?.conversation.settings,
    state: live?.conversation.state ?? 'idle',
    is_open: live !== undefined,
    is_running: live?.isRunning ?? false,
    questions: live?.facts.questions ?? summary?.pending ?? 0,
    ...omitUndefined({ parent_session_id: summary?.parentId, agent: live?.conversation.agent, outcome }),
  }
}
