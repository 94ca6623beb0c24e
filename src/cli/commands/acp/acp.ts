import { serveEditorOverStdio } from '../../../acp/stdio-editor.ts'
import { signalExitCodes } from '../../../frontend/ending-signal.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { RunContext } from '../../run-context.ts'
import { createEditorBackend } from './local-editor.ts'

/** Serves the editor that started this process, until it leaves or a signal comes. Returns the exit code. */
export async function serveEditors(context: RunContext): Promise<number> {
  const { host, interruption, signal } = context
  const backend = createEditorBackend(context)
  // A second signal does not wait for what is under way.
  interruption.again(() => process.exit(signalExitCodes[interruption.cause ?? 'SIGTERM']))
  const { stdin, stdout } = process
  const report = (line: string) => printWarning(host, visibleLine(line))
  await serveEditorOverStdio({ backend, newId: host.newId, clock: host.clock, stdin, stdout, signal, report })
  return interruption.cause === undefined ? 0 : signalExitCodes[interruption.cause]
}
