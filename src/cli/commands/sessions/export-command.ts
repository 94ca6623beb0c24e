import { resolvePath } from '../../../machine/path.ts'
import type { RunContext } from '../../run-context.ts'
import { openRedactor } from '../../wiring/audit/open-audit-log.ts'
import { exportFormats, formatOfFile } from '../../wiring/session/export-format.ts'
import { exportParts, writeExport } from '../../wiring/session/session-export.ts'
import { loadUpTo } from './stored-session.ts'

/**
 * Writes a session as a document to stdout, or to a new file whose ending chooses the format unless `-o` does. `-` is stdout. Throws
 * `input`.
 */
export async function exportSession(name: string, file: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const format = exportFormats.find((one) => one === flags.format) ?? formatOfFile(file)
  const session = await loadUpTo(name, context)
  const parts = await exportParts(session, format, await openRedactor(host))
  if (file === '-') for (const part of parts) host.stdout.write(part)
  else writeExport(resolvePath(file, host), parts)
}
