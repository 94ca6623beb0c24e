import { printWarning } from '../../terminal/output.ts'
import type { RunContext } from '../run-context.ts'
import { converse } from './converse.ts'
import { promptApi } from './prompt-api.ts'
import { reportApi } from './report-api.ts'
import { onStage } from './screen/open-stage.ts'
import { previewReader } from './screen/preview-reader.ts'
import { screenApi } from './screen-api.ts'

/** Runs a conversation on a full terminal screen. Returns the exit code. */
export function tui(context: RunContext): Promise<number> {
  const { host, interruption, signal } = context
  const loading = import('../../ink/tui.ts')
  // `run` gets its failure. If no conversation opens, nobody waits for it.
  loading.catch(() => undefined)
  return converse(context, {
    pick: async ({ here: sessions, elsewhere }) => {
      const { pickSession } = await import('../../ink/choices/session-picker.ts')
      const notes: string[] = []
      const note = (text: string) => void notes.push(text)
      const now = host.clock.now()
      const id = await onStage(context, (stage) =>
        pickSession({ ...stage, sessions, elsewhere, now, note, preview: previewReader(host) }),
      )
      for (const text of notes) printWarning(host, text)
      return id
    },
    begin: async (error) => (await import('./screen/open-first-run.ts')).firstRun(error, context),
    run: async (conversation) => {
      const { runTui } = await loading
      const api = {
        ...conversation.api(signal),
        ...reportApi(context, conversation),
        ...screenApi(context),
        ...promptApi(context, () => conversation.view().sessionId !== undefined),
      }
      const { sessionId } = await onStage(
        context,
        (stage) =>
          runTui({
            ...stage,
            api,
            view: conversation.view(),
            watchInterrupt: interruption.divert,
          }),
        conversation.tui,
      )
      return sessionId
    },
  })
}
