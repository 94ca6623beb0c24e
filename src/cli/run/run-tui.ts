import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { printWarning } from '../../terminal/output.ts'
import type { RunContext } from '../run-context.ts'
import { converse } from './converse.ts'
import { promptApi } from './prompt-api.ts'
import { reportApi } from './report-api.ts'
import { onStage } from './screen/open-stage.ts'
import { previewReader } from './screen/preview-reader.ts'
import type { StatusCommand } from './screen/status-command.ts'
import { takeTypedLine } from './screen/typed-ahead.ts'
import { screenApi } from './screen-api.ts'

/** Runs a conversation on a full terminal screen. Returns the exit code. */
export function tui(context: RunContext): Promise<number> {
  const { host, flags, interruption, signal } = context
  const loading = import('../../ink/tui.ts')
  // `run` gets its failure. If no conversation opens, nobody waits for it.
  loading.catch(() => undefined)
  // Keys that were typed at an earlier screen of this run are no message.
  let isFirstScreen = true
  return converse(context, {
    pick: async ({ here: sessions, elsewhere }) => {
      isFirstScreen = false
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
    begin: async (error) => {
      isFirstScreen = false
      return (await import('./screen/open-first-run.ts')).firstRun(error, context)
    },
    run: async (conversation) => {
      const { runTui } = await loading
      let status: StatusCommand | undefined
      const statusLine: FrontendApi['statusLine'] = (options) => {
        const line = conversation.wired.statusLine
        if (line === undefined) return undefined
        return import('./screen/status-command.ts').then(({ StatusCommand: Command }) => {
          status ??= new Command(host, conversation)
          return status.run(line, options)
        })
      }
      const { ClipboardImages } = await import('./screen/clipboard-image.ts')
      const clipboard = new ClipboardImages(host)
      const api = {
        statusLine,
        ...conversation.api(signal),
        ...reportApi(context, conversation),
        ...screenApi(context),
        ...promptApi(context, () => conversation.view().sessionId !== undefined),
        stopElf: async (name: string) => void (await conversation.view().conversation.stopElf(name)),
        clipboardImage: () => clipboard.take(signal),
        keepImage: (bytes: Uint8Array) => clipboard.keep(bytes),
      }
      try {
        const { sessionId } = await onStage(
          context,
          (stage) =>
            runTui({
              ...stage,
              api,
              view: conversation.view(),
              firstPrompt: flags.text('prompt-interactive') ?? (isFirstScreen ? takeTypedLine() : undefined),
              watchInterrupt: interruption.divert,
            }),
          conversation.tui,
        )
        return sessionId
      } finally {
        await clipboard.close()
        await status?.close()
      }
    },
  })
}
